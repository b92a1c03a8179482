import { useEffect, useRef } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { valueOf } from '../../app/async-data.ts'
import { domainNames } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { count, counted } from '../../ui/format.ts'
import { type ShownSignal, patchLab, useLab } from '../../stores/lab/store.ts'
import { TurnTable } from '../../views/lab/turn-table.tsx'
import { Conflict } from '../../ui/conflict.tsx'
import { overwriteTheirs, takeTheirs } from '../../stores/drafts/draft.ts'
import { DraftBar } from './draft-bar.tsx'
import {
  mountEditor,
  offerNames,
  showChanges,
  showProblems,
  showSignal,
  showSignals,
} from './editor-doc.ts'
import { ReachList, Witness } from './reach.tsx'
import { SignalTable } from './signal-table.tsx'
import { reachWords, rowOf } from '../../stores/drafts/signals.ts'
import { shortName } from '../../ui/visible.ts'

/** Signals as a table and as their file, side by side. The flips of an edit appear above both. */
export function TunePanel() {
  return (
    <section className="tune column full-height" aria-label="Tune">
      <DraftBar />
      <DraftConflict />
      <Group orientation="horizontal" className="split">
        <Panel id="signals" defaultSize="52%" minSize={300}>
          <List />
        </Panel>
        <Separator className="splitter splitter-column" aria-label="Width of the table" />
        <Panel id="editor" minSize={260}>
          <div className="column full-height">
            <EditorPart />
            <Matches />
          </div>
        </Panel>
      </Group>
    </section>
  )
}

function List() {
  const shown = useLab((state) => state.tuneList)
  return shown === 'reach' ? <ReachList /> : <SignalTable />
}

function DraftConflict() {
  const conflict = useLab((state) => state.conflict)
  const looking = useLab((state) => state.showDiff)
  if (!conflict) return null
  return (
    <Conflict
      file={conflict.file}
      looking={looking}
      onLook={() => patchLab({ showDiff: !looking })}
      onTake={() => void takeTheirs()}
      onOverwrite={() => void overwriteTheirs()}
    />
  )
}

function EditorPart() {
  const file = useLab((state) => state.file)
  const text = useLab((state) => state.text)
  if (file.status === 'failed') return <FailureNote failure={file.failure} />
  if (text === null)
    return (
      <div className="fill tune-bones content-start stack pad-16" aria-busy>
        {Array.from({ length: 7 }, (_, at) => (
          <i key={at} className="bone" />
        ))}
      </div>
    )
  return <DraftEditor text={text} />
}

/** The text of the domain file: the draft, with problems underlined and the current signal marked. */
function DraftEditor({ text }: { readonly text: string }) {
  const holder = useRef<HTMLDivElement>(null)
  const first = useRef(text)
  const problems = useLab((state) => state.problems)
  const signals = useLab((state) => valueOf(state.signals)?.rows ?? null)
  const signal = useLab((state) => state.signal)
  const saved = useLab((state) =>
    state.showDiff ? (state.conflict?.text ?? valueOf(state.file)?.text ?? null) : null,
  )
  const names = useApp(domainNames)
  useEffect(() => {
    first.current = text
  })
  useEffect(() => (holder.current ? mountEditor(holder.current, first.current) : undefined), [])
  useEffect(() => offerNames(names), [names])
  useEffect(() => {
    if (signals) showSignals(signals)
  }, [signals])
  useEffect(() => showSignal(signal, false), [signal])
  useEffect(() => showProblems(problems), [problems])
  useEffect(() => showChanges(saved), [saved])
  return <div ref={holder} className="fill" data-testid="editor" />
}

interface ReachProps {
  readonly reach: NonNullable<ShownSignal['reach']>
  readonly name: string
}

/** [K21] The example message that reaches the signal, to be tried, or the reason that none exists. */
function MatchReach({ reach, name }: ReachProps) {
  if (reach.status !== 'reached') return <span className="quiet"> · {reachWords(reach)}</span>
  return (
    <>
      <span className="quiet"> · fires on </span>
      <Witness texts={[reach.text]} name={name} />
    </>
  )
}

/** Matches of the signal under the cursor, in the corpus. */
function Matches() {
  const place = useLab((state) => state.signal)
  const data = useLab((state) => state.matches)
  const row = useLab((state) => rowOf(valueOf(state.signals)?.rows ?? [], state.signal))
  const found = valueOf(data)
  if (!place || !found)
    return (
      <p className="tune-hint pad-6-12 no-shrink text-xs line-above on-panel quiet">
        Put the cursor on a signal, or choose a row: its matches are listed here and stand out in
        the turns above.
      </p>
    )
  return (
    <section
      className={`tune-matches column no-shrink line-above${found.turns.length > 0 ? '' : ' tune-matches-none'}`}
      aria-label="Matches of the signal"
      aria-busy={data.status === 'loading'}
    >
      <p className="tune-matches-head pad-5-12 no-shrink text-s line-below on-panel num">
        <strong>{shortName(row?.id ?? `${place.domain} ${place.index + 1}`)}</strong> matches{' '}
        {counted(found.total, 'turn')}
        {found.total > found.turns.length && `, the first ${count(found.turns.length)} below`}
        {row?.reach && <MatchReach reach={row.reach} name={row.id ?? place.domain} />}
        {found.cutOff > 0 && ` · cut off by the watchdog on ${counted(found.cutOff, 'text')}`}
      </p>
      {found.problem !== null ? (
        <p className="bad">{found.problem}</p>
      ) : (
        found.turns.length > 0 && <TurnTable turns={found.turns} label="Turns that match" />
      )}
    </section>
  )
}
