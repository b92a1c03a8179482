import { useMemo, useRef, useState } from 'react'
import { type AsyncData, valueOf } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { type Question, stream } from '../../app/question.ts'
import type { RunChoice } from '../../app/store.ts'
import { useQuery, useSettled } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { inForce, wireConfig } from '../../app/wire.ts'
import { Computed, FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form.tsx'
import { count, counted } from '../../ui/format.ts'
import { openDock } from '../../app/dock.ts'
import { sessionSource } from '../../stores/flips/flip-source.ts'
import { ReportList } from '../../views/flips/report-list.tsx'
import { flipGroups } from '../../stores/flips/flips.ts'
import { type WireDraft, lab, useLab } from '../../stores/lab/store.ts'
import { LAB, useLabQuery, useLabStatus } from '../../views/lab/studied.tsx'
import { addSignal, draftText } from '../../stores/drafts/draft.ts'

interface Props {
  readonly domain: string
  /** The text that was classified. */
  readonly text: string
}

const NONE: ReadonlySet<string> = new Set()
/** Debounce before a typed pattern is tried, in ms. */
const SETTLE_MS = 350
/** Characters of a selection. */
const MOST_WORDS = 1000

/** [T78] "Needs 1 more": a signal made from words of this text. Its flips are shown before it is accepted. */
export function NewSignal({ domain, text }: Props) {
  const box = useRef<HTMLPreElement>(null)
  const [pattern, setPattern] = useState('')
  const tried = useSettled(pattern.trim(), SETTLE_MS, '')
  const take = () => {
    const selection = document.getSelection()
    const isHere = box.current?.contains(selection?.anchorNode ?? null) === true
    const words = isHere ? (selection?.toString() ?? '').slice(0, MOST_WORDS) : ''
    if (words.trim() === '') return
    host()
      .call('draft.pattern', { words })
      .then((made) => {
        if (made.pattern !== null) setPattern(made.pattern)
      })
      // Ignores the error, because the operator can type the selected text instead.
      .catch(() => undefined)
  }
  return (
    <div
      className="new-signal stack gap-6 text-s"
      role="group"
      aria-label={`New signal of ${domain}`}
    >
      <p className="quiet">Select words of the text, or type a pattern.</p>
      <pre
        ref={box}
        className="new-signal-text edge rounded on-bg pre-wrap break-words scroll"
        tabIndex={0}
        aria-label="Text to select words from"
        dir="auto"
        onMouseUp={take}
        onKeyUp={take}
      >
        {text}
      </pre>
      <Field label="Pattern">
        <Input className="mono" value={pattern} spellCheck={false} onText={setPattern} />
      </Field>
      {tried !== '' && <Tried key={domain} domain={domain} pattern={tried} />}
    </div>
  )
}

/** The draft, and the same with one signal more. */
interface Edited {
  readonly before: WireDraft
  readonly after: WireDraft
}

/** Edits a copy. The draft does not change until the operator accepts. */
async function withSignal(domain: string, pattern: string, run: RunChoice): Promise<Edited> {
  const text = await draftText()
  if (text === null) throw new Error('the domain file could not be read')
  const edit = { kind: 'add' as const, domain, pattern, id: null }
  const edited = await host().call('draft.edit', { text, edit })
  const { options } = lab.getState()
  const config = wireConfig(run)
  return {
    before: { config, domainsText: text, options },
    after: { config, domainsText: edited.text, options },
  }
}

function useEdited(domain: string, pattern: string): AsyncData<Edited> {
  const run = useApp((state) => state.view.run)
  const draft = useLab((state) => state.text)
  const options = useLab((state) => state.options)
  const question = useMemo(
    (): Question<Edited> => ({
      key: JSON.stringify([domain, pattern, run, draft, options]),
      ask: (on) => {
        let isOver = false
        withSignal(domain, pattern, run).then(
          (edited) => {
            if (!isOver) on.answer(edited)
          },
          (error: unknown) => {
            if (!isOver) on.failed(failureOf(error, domain))
          },
        )
        return () => {
          isOver = true
        }
      },
    }),
    [domain, pattern, run, draft, options],
  )
  return useQuery(question).data
}

function Tried({ domain, pattern }: { readonly domain: string; readonly pattern: string }) {
  const data = useEdited(domain, pattern)
  const edited = valueOf(data)
  if (data.status === 'failed') return <FailureNote failure={data.failure} />
  return (
    <>
      {edited && <SessionEffect edited={edited} />}
      {edited && <CorpusEffect edited={edited} />}
      <p>
        <Button
          kind="primary"
          small
          disabled={data.status !== 'ready'}
          onClick={() => {
            openDock('tune')
            void addSignal(domain, pattern, null)
          }}
        >
          Add to the draft
        </Button>{' '}
        <span className="quiet">Nothing is written before you save.</span>
      </p>
    </>
  )
}

function SessionEffect({ edited: { before, after } }: { readonly edited: Edited }) {
  const about = useApp(inForce)
  const of = about?.of ?? ''
  const sides = useMemo(
    () => ({
      config: { kind: 'draft' as const, draft: before },
      compare: { kind: 'draft' as const, draft: after },
    }),
    [before, after],
  )
  const asked = useQuery(
    about && stream('session.compare', { ...about.address, ...sides }, { where: 'New signal', of }),
  )
  const source = useMemo(() => sessionSource(sides.config, sides.compare, of), [sides, of])
  return (
    <Computed {...asked} idle="Trying it on this session">
      {({ diff }) => (
        <>
          <p role="status" className="num">
            <strong>This session:</strong>{' '}
            {diff.total === 0
              ? 'no turn flips'
              : `${counted(diff.total, 'turn')} ${diff.total === 1 ? 'flips' : 'flip'}, the primary of ${count(diff.primaries)}`}
            <Labelled {...diff} />
          </p>
          {diff.total > 0 && source && (
            <div className="new-signal-flips column edge rounded">
              <ReportList
                source={source}
                groups={flipGroups(diff, 'all', 'cause', NONE)}
                current={null}
                accepted={NONE}
                acceptable={false}
                narrow
              />
            </div>
          )}
        </>
      )}
    </Computed>
  )
}

/** Effect on the corpus, if one is read. */
function CorpusEffect({ edited: { before, after } }: { readonly edited: Edited }) {
  const corpus = useLab((state) => valueOf(state.corpus)?.corpus ?? null)
  const of = useLabStatus()
  const sides = {
    base: { kind: 'draft' as const, draft: before },
    side: { kind: 'draft' as const, draft: after },
  }
  const asked = useLabQuery(
    corpus === null ? null : stream('lab.flips', { corpus, ...sides, aside: true }, { ...LAB, of }),
  )
  if (corpus === null)
    return (
      <p className="quiet">
        Open the dock (<kbd>d</kbd>) to see what it would flip in the corpus.
      </p>
    )
  return (
    <Computed {...asked} idle="Trying it on the corpus">
      {({ report }) =>
        report && (
          <p className="num">
            <strong>Corpus:</strong> {count(report.total)} of {counted(report.turns, 'turn')} flip
            <Labelled {...report} />
          </p>
        )
      }
    </Computed>
  )
}

function Labelled({ fixed, broken }: { readonly fixed: number; readonly broken: number }) {
  if (fixed + broken === 0) return null
  return (
    <>
      {' · '}
      <span className="good">{count(fixed)} better</span>,{' '}
      <span className="bad">{count(broken)} worse by label</span>
    </>
  )
}
