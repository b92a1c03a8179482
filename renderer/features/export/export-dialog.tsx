import { CheckIcon, Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { DEFAULT_KINDS, RedactionKind } from '../../../core/engine/schema/redaction.ts'
import { isPage } from '../../app/api.ts'
import { type AsyncData, idle, valueOf } from '../../app/async-data.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/form.tsx'
import { bytes, count, counted } from '../../ui/format.ts'
import { paceOf } from '../../ui/progress.tsx'
import {
  type ExportChoice,
  FORMS,
  FORM_NAMES,
  type Review,
  type Written,
  KIND_WORDS,
  STOPPED_REVIEW,
  firstChoice,
  reviewing,
  suggestedName,
  writeExport,
} from './export.ts'
import { type Look, ReviewPane } from './review-pane.tsx'

/** [U9] Native JSONL of the opened file: which sessions, what is taken out, then where it goes. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const [choice, setChoice] = useState<ExportChoice>(firstChoice)
  const [written, setWritten] = useState<AsyncData<Written>>(idle)
  const stopWriting = useRef<(() => void) | null>(null)
  const { sessions } = choice
  const { review, ...look } = useReview(choice)
  useEffect(
    () => () => {
      stopWriting.current?.()
    },
    [],
  )
  const found = valueOf(review)
  const none = sessions?.length === 0
  return (
    <Dialog title="Export" className="modal-wide export" onClose={onClose}>
      <div className="export-body flex">
        <div className="export-choice content-start stack no-shrink scroll gap-16 pad-16">
          {!isPage() && <FormChoice choice={choice} onChange={setChoice} />}
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
        <Outcome written={written} choice={choice} />
        <span className="grow" />
        <Button onClick={onClose}>{written.status === 'ready' ? 'Close' : 'Cancel'}</Button>
        <Button
          kind="primary"
          disabled={review.status !== 'ready' || written.status === 'loading' || none}
          onClick={() => {
            stopWriting.current = writeExport(choice, setWritten)
          }}
        >
          <Download size={14} aria-hidden />
          {choice.as === 'page' ? 'Save as HTML …' : 'Save as JSONL …'}
        </Button>
      </footer>
    </Dialog>
  )
}

/** Looks anew whenever what is exported changes; keeping a finding changes nothing about what there is to find. */
function useReview(choice: ExportChoice): Look & { readonly review: AsyncData<Review> } {
  const question = reviewing(choice)
  const { data, cancel, again } = useQuery(question)
  const [stopped, setStopped] = useState<string | null>(null)
  const key = question?.key ?? null
  return {
    review: key !== null && stopped === key ? STOPPED_REVIEW : withoutPrevious(data),
    cancel: () => {
      cancel()
      setStopped(key)
    },
    again: () => {
      setStopped(null)
      again()
    },
  }
}

/** What another choice found says nothing about this one. */
function withoutPrevious(data: AsyncData<Review>): AsyncData<Review> {
  return 'previous' in data ? { ...data, previous: null } : data
}

interface OutcomeProps {
  readonly written: AsyncData<Written>
  readonly choice: ExportChoice
}

function Outcome({ written, choice }: OutcomeProps) {
  if (written.status === 'idle')
    return <span className="mono quiet truncate">{suggestedName(choice.as)}</span>
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
      <CheckIcon size={15} aria-hidden />
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

/** What is chosen of all, in their order, once one of them is switched. */
function toggled<T>(all: readonly T[], chosen: readonly T[], one: T): readonly T[] {
  return all.filter((each) => chosen.includes(each) !== (each === one))
}

/** [R11] Lines for programs, or a page for people. */
function FormChoice({ choice, onChange }: ChoiceProps) {
  return (
    <fieldset>
      <legend className="headline">Written as</legend>
      {FORM_NAMES.map((as) => (
        <label key={as} className="check row pointer" title={FORMS[as].about}>
          <input
            type="radio"
            name="export-form"
            checked={choice.as === as}
            onChange={() => onChange({ ...choice, as })}
          />
          <span>{FORMS[as].title}</span>
        </label>
      ))}
      <p className="text-s dim">{FORMS[choice.as].about}</p>
    </fieldset>
  )
}

function SessionChoice({ choice, onChange }: ChoiceProps) {
  const heads = useApp((state) => valueOf(state.document.opened)?.sessions) ?? []
  if (heads.length < 2) return null
  const all = heads.map(({ index }) => index)
  const chosen = choice.sessions ?? all
  return (
    <fieldset>
      <legend className="headline">Sessions</legend>
      <div className="export-sessions scroll">
        {heads.map(({ index, title, id, events }) => (
          <Check
            key={index}
            className="check row pointer"
            checked={chosen.includes(index)}
            onCheck={() => {
              const next = toggled(all, chosen, index)
              onChange({ ...choice, sessions: next.length === all.length ? null : next })
            }}
          >
            <span className="truncate grow">{title || id}</span>
            <span className="quiet num">{count(events)}</span>
          </Check>
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
        <Check
          key={kind}
          className="check row pointer"
          title={KIND_WORDS[kind].about}
          checked={choice.kinds.includes(kind)}
          onCheck={() =>
            onChange({ ...choice, kinds: toggled(RedactionKind.options, choice.kinds, kind) })
          }
        >
          <span>{KIND_WORDS[kind].many}</span>
        </Check>
      ))}
      {DEFAULT_KINDS.some((kind) => !choice.kinds.includes(kind)) && (
        <p className="export-warn text-s warn">What is not ticked leaves this machine as it is.</p>
      )}
    </fieldset>
  )
}
