import { CheckIcon, Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { redactionNote } from '../../../core/engine/schema/redaction-note.ts'
import { DEFAULT_KINDS, RedactionKind } from '../../../core/engine/schema/redaction.ts'
import { type AsyncData, idle, valueOf } from '../../app/async-data.ts'
import { Slot } from '../../app/slot.tsx'
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
  type Review,
  type Written,
  KIND_WORDS,
  STOPPED_REVIEW,
  firstChoice,
  markdownChosen,
  pageOptions,
  pageTurns,
  reviewing,
  suggestedName,
  writeExport,
} from './export.ts'
import { type ChoiceProps, FormChoice, MarkdownChoice, TurnsChoice } from './form-choice.tsx'
import { type Look, ReviewPane } from './review-pane.tsx'

/** [U9] [U180] Exports the opened file in a chosen form: sessions, redactions, then the destination. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const [choice, setChosen] = useState<ExportChoice>(firstChoice)
  const [written, setWritten] = useState<AsyncData<Written>>(idle)
  const setChoice = (next: ExportChoice) => {
    setChosen(next)
    // The result of the last write does not apply to another choice.
    setWritten((before) => (before.status === 'loading' ? before : idle))
  }
  const stopWriting = useRef<(() => void) | null>(null)
  const { sessions } = choice
  const { review, ...look } = useReview(choice)
  useEffect(
    () => () => {
      stopWriting.current?.()
    },
    [],
  )
  const stop = () => {
    stopWriting.current?.()
    setWritten(idle)
  }
  const found = valueOf(review)
  const none = sessions?.length === 0 || isNothing(choice)
  return (
    <Dialog title="Export" className="modal-wide export" onClose={onClose}>
      <div className="export-body flex">
        <div className="export-choice content-start stack no-shrink scroll gap-16 pad-16">
          <FormChoice choice={choice} onChange={setChoice} />
          {choice.as === 'markdown' && <MarkdownChoice choice={choice} onChange={setChoice} />}
          {choice.as === 'page' && (
            <Slot
              name="PageTour"
              tour={choice.tour}
              onChoose={(tour) => setChoice({ ...choice, tour })}
            />
          )}
          {choice.as === 'page' && <PageChoice choice={choice} onChange={setChoice} />}
          {choice.as === 'page' && <TurnsChoice choice={choice} onChange={setChoice} />}
          {markdownChosen(choice) !== 'turn' && (
            <SessionChoice choice={choice} onChange={setChoice} />
          )}
          <KindChoice choice={choice} onChange={setChoice} />
          <NotCarried lines={[...(found?.dropped ?? []), ...FORMS[choice.as].lacks]} />
        </div>
        <ReviewPane review={review} choice={choice} onChange={setChoice} look={look} />
      </div>
      <footer className="export-foot row no-shrink line-above gap-12 pad">
        <Outcome written={written} choice={choice} />
        <span className="grow" />
        <Button onClick={written.status === 'loading' ? stop : onClose}>
          {written.status === 'ready' ? 'Close' : 'Cancel'}
        </Button>
        <Button
          kind="primary"
          disabled={review.status !== 'ready' || written.status === 'loading' || none}
          onClick={() => {
            stopWriting.current = writeExport(choice, setWritten)
          }}
        >
          <Download size={14} aria-hidden />
          {`Save as ${FORMS[choice.as].save} …`}
        </Button>
      </footer>
    </Dialog>
  )
}

/** [U182] */
function NotCarried({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <section aria-label="Not carried over">
      <h3 className="headline">Not carried over</h3>
      <ul className="stack text-s dim gap-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

/** Repeats the review whenever the exported content changes. Keeping a finding does not change the set of findings. */
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

/** Removes the review of another choice, because it does not apply to this one. */
function withoutPrevious(data: AsyncData<Review>): AsyncData<Review> {
  return 'previous' in data ? { ...data, previous: null } : data
}

/** True if the choice cannot be written. The form shows the reason. */
function isNothing(choice: ExportChoice): boolean {
  if (choice.as === 'page') return pageTurns(choice) === undefined
  return choice.as === 'markdown' && markdownChosen(choice) === null
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
        {bytes(value.bytes)} written, {counted(value.redacted, 'place')} redacted (
        {redactionNote(choice.kinds)})
        {value.path === null ? '; the browser has the file' : `: ${value.path}`}
      </span>
    </p>
  )
}

/** The chosen items in the order of `all`, after one of them is toggled. */
function toggled<T>(all: readonly T[], chosen: readonly T[], one: T): readonly T[] {
  return all.filter((each) => chosen.includes(each) !== (each === one))
}

const PAGE_PARTS = [
  [
    'text',
    'What was said',
    'Without it dots stand for messages and texts of tools; decisions stay',
  ],
  ['edit', 'Tune: signals can be edited', 'Readers of the page can try edits in it'],
  ['draft', 'The draft that is not saved', 'Tune in the page begins with it'],
] as const

/** [U120] [U122] [U123] Options for the contents of a page. */
function PageChoice({ choice, onChange }: ChoiceProps) {
  const holds = pageOptions(choice)
  return (
    <fieldset>
      <legend className="headline">The page holds</legend>
      {PAGE_PARTS.map(([part, title, about]) => (
        <Check
          key={part}
          className="check row pointer"
          title={about}
          checked={holds[part]}
          disabled={part !== 'text' && (!choice.text || (part === 'draft' && !choice.edit))}
          onCheck={() => onChange({ ...choice, [part]: !choice[part] })}
        >
          <span>{title}</span>
        </Check>
      ))}
      {!choice.text && (
        <p className="text-s dim">
          Dots stand for messages and texts of tools; titles, folders and names of people are gone.
          Every decision stays, as it was recorded. Nothing can be edited and tried, words cannot be
          found, and prompts, self-signals and coach are absent.
        </p>
      )}
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
