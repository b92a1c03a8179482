import { Check, Download } from 'lucide-react'
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import { RedactionKind } from '../../../core/engine/schema/redaction.ts'
import { type AsyncData, idle, valueOf } from '../../app/async-data.ts'
import {
  type ExportChoice,
  type Review,
  type Written,
  firstChoice,
  reviewExport,
  STOPPED_REVIEW,
  suggestedName,
  writeExport,
} from './export.ts'
import { useApp } from '../../app/use-store.ts'
import { bytes, count, counted } from '../../ui/format.ts'
import { Modal } from '../../ui/modal.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { paceOf } from '../../ui/progress.tsx'
import { type Look, ReviewPane } from './review-pane.tsx'
import { KIND_WORDS } from './kind-words.ts'
import './export.css'

/** [U9] Native JSONL of the opened file: which sessions, what is taken out, then where it goes. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const [choice, setChoice] = useState<ExportChoice>(firstChoice)
  const [review, setReview] = useState<AsyncData<Review>>(idle)
  const [written, setWritten] = useState<AsyncData<Written>>(idle)
  const stopWriting = useRef<(() => void) | null>(null)
  const { sessions, kinds } = choice
  const look = useReview(sessions, kinds, setReview)
  useEffect(
    () => () => {
      stopWriting.current?.()
    },
    [],
  )
  const found = valueOf(review)
  const none = sessions?.length === 0
  return (
    <Modal title="Export" className="modal-wide export" onClose={onClose}>
      <div className="export-body flex">
        <div className="export-choice content-start stack no-shrink scroll gap-16 pad-16">
          <SessionChoice choice={choice} onChange={setChoice} />
          <KindChoice choice={choice} onChange={setChoice} />
          {found && found.dropped.length > 0 && (
            <section aria-label="Not carried over">
              <h3 className="headline">Not carried over</h3>
              <ul className="stack text-s dim gap-5">
                {found.dropped.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <ReviewPane review={review} choice={choice} onChange={setChoice} look={look} />
      </div>
      <footer className="export-foot row no-shrink line-above gap-12 pad">
        <Outcome written={written} />
        <span className="grow" />
        <button type="button" className="button" onClick={onClose}>
          {written.status === 'ready' ? 'Close' : 'Cancel'}
        </button>
        <button
          type="button"
          className="button button-primary"
          disabled={review.status !== 'ready' || written.status === 'loading' || none}
          onClick={() => {
            stopWriting.current = writeExport(choice, setWritten)
          }}
        >
          <Download size={14} aria-hidden />
          Save as JSONL …
        </button>
      </footer>
    </Modal>
  )
}

/** Looks anew whenever what is exported changes; keeping a finding changes nothing about what there is to find. */
function useReview(
  sessions: ExportChoice['sessions'],
  kinds: ExportChoice['kinds'],
  setReview: Dispatch<SetStateAction<AsyncData<Review>>>,
): Look {
  const [round, setRound] = useState(0)
  const stop = useRef<(() => void) | null>(null)
  useEffect(() => {
    const stopLooking = reviewExport({ sessions, kinds, keep: firstChoice.keep }, setReview)
    stop.current = stopLooking
    return stopLooking
  }, [sessions, kinds, round, setReview])
  return {
    cancel: () => {
      stop.current?.()
      setReview(STOPPED_REVIEW)
    },
    again: () => setRound(round + 1),
  }
}

function Outcome({ written }: { readonly written: AsyncData<Written> }) {
  if (written.status === 'idle')
    return <span className="mono quiet truncate">{suggestedName()}</span>
  if (written.status === 'failed') return <FailureNote failure={written.failure} />
  if (written.status === 'loading')
    return (
      <span className="quiet num" role="status">
        {written.progress ? `Writing · ${paceOf(written.progress, written.rate)}` : 'Writing …'}
      </span>
    )
  const { value } = written
  return (
    <p className="export-done shrink row break-words gap-7 medium good" role="status">
      <Check size={15} aria-hidden />
      <span>
        {bytes(value.bytes)} written, {counted(value.redacted, 'place')} redacted
        {value.path === null ? '; the browser has the file' : `: ${value.path}`}
      </span>
    </p>
  )
}

interface ChoiceProps {
  readonly choice: ExportChoice
  readonly onChange: (choice: ExportChoice) => void
}

function SessionChoice({ choice, onChange }: ChoiceProps) {
  const heads = useApp((state) => valueOf(state.document.opened)?.sessions) ?? []
  if (heads.length < 2) return null
  const all = heads.map(({ index }) => index)
  const chosen = new Set(choice.sessions ?? all)
  return (
    <fieldset>
      <legend className="headline">Sessions</legend>
      <div className="export-sessions scroll">
        {heads.map(({ index, title, id, events }) => (
          <label key={index} className="check row pointer">
            <input
              type="checkbox"
              checked={chosen.has(index)}
              onChange={() => {
                const next = all.filter((one) =>
                  one === index ? !chosen.has(one) : chosen.has(one),
                )
                onChange({ ...choice, sessions: next.length === all.length ? null : next })
              }}
            />
            <span className="truncate grow">{title || id}</span>
            <span className="quiet num text-xs">{count(events)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function KindChoice({ choice, onChange }: ChoiceProps) {
  return (
    <fieldset>
      <legend className="headline">Taken out</legend>
      {RedactionKind.options.map((kind) => (
        <label key={kind} className="check row pointer" title={KIND_WORDS[kind].about}>
          <input
            type="checkbox"
            checked={choice.kinds.includes(kind)}
            onChange={() => {
              const kinds = RedactionKind.options.filter((one) =>
                one === kind ? !choice.kinds.includes(kind) : choice.kinds.includes(one),
              )
              onChange({ ...choice, kinds })
            }}
          />
          <span>{KIND_WORDS[kind].many}</span>
        </label>
      ))}
      {choice.kinds.length < RedactionKind.options.length && (
        <p className="export-warn text-s warn">What is not ticked leaves this machine as it is.</p>
      )}
    </fieldset>
  )
}
