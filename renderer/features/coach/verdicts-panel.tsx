import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import { OutputType } from '../../../core/engine/schema/coach.ts'
import type { CoachColumns } from '../../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { valueOf } from '../../app/async-data.ts'
import { chooseTab, selectSeq } from '../../app/select.ts'
import { Answered, Empty } from '../../ui/answered.tsx'
import { Button, Switch } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { Input, Select } from '../../ui/form.tsx'
import { count, counted } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { type RowLook, Table } from '../../ui/table.tsx'
import { judgeAgain } from '../../stores/coach/coach.ts'
import { VERDICT_WORDS } from '../../views/coach/verdict-words.ts'
import { VerdictSign } from '../../views/coach/parts.tsx'
import { tallyOf } from '../../stores/coach/selectors.ts'
import { coachStore, patchCoach, useCoach } from '../../stores/coach/store.ts'
import { LogPath } from './task.tsx'
import {
  type OnlyFilter,
  type VerdictFilter,
  type VerdictRow,
  filteredVerdicts,
  onlyChoices,
  verdictRows,
} from '../../stores/coach/verdict-rows.ts'
import { FLAG_WORDS, SOURCE_WORDS } from '../../views/coach/words.ts'

/** [V62] Every verdict of the session: filtered, and what never would have been asked folded away. */
export function VerdictsPanel() {
  const columns = useCoach((state) => state.columns)
  return (
    <section className="verdicts column full-height" aria-label="Verdicts">
      <Answered data={columns} retry={() => void judgeAgain()}>
        {(known) => <Verdicts columns={known} />}
      </Answered>
    </section>
  )
}

function Verdicts({ columns }: { readonly columns: Immutable<CoachColumns> }) {
  const previews = useCoach((state) => valueOf(state.previews))
  const filter = useCoach((state) => state.filter)
  const rows = verdictRows(columns, previews)
  if (rows.length === 0)
    return (
      <Empty of="dock" title="Nothing to judge">
        <p>The agent says nothing in this session, so there is no output to judge.</p>
      </Empty>
    )
  return (
    <>
      <Toolbar rows={rows} filter={filter} />
      <List rows={rows} filter={filter} />
      <div className="line-above pad-x-12 verdicts-foot">
        <LogPath />
      </div>
    </>
  )
}

interface Props {
  readonly rows: readonly VerdictRow[]
  readonly filter: VerdictFilter
}

function patchFilter(change: Partial<VerdictFilter>): void {
  patchCoach({ filter: { ...coachStore.getState().filter, ...change } })
}

const ONLY_WORDS: Readonly<Partial<Record<OnlyFilter, string>>> = {
  any: 'anything',
  back: 'goes back',
  disagrees: 'rules or runs disagree',
  failed: 'the model failed',
  gated: 'decided by a gate',
  labelled: 'labelled',
  mislabelled: 'labelled otherwise',
}

function wordsOf(only: OnlyFilter): string {
  const words = ONLY_WORDS[only]
  return words ?? FLAG_WORDS[only as keyof typeof FLAG_WORDS].words
}

function Toolbar({ rows, filter }: Props) {
  const byType = Map.groupBy(rows, ({ type }) => type)
  const types = [
    [null, <Counted key="all" words="All" n={rows.length} />],
    ...OutputType.options.map((type) => [
      type,
      <TypeCount key={type} type={type} byType={byType} />,
    ]),
  ] as ReadonlyArray<readonly [OutputType | null, React.ReactNode]>
  const choices = new Map(onlyChoices(rows))
  const known = choices.has(filter.only) ? [...choices.keys()] : [filter.only, ...choices.keys()]
  return (
    <div className="toolbar">
      <Switch
        label="Type of verdict"
        options={types}
        value={filter.type}
        onChoose={(type) => patchFilter({ type })}
      />
      <Select
        label="Only"
        value={filter.only}
        options={known}
        words={(only) => `${wordsOf(only)} (${count(choices.get(only) ?? 0)})`}
        onChoose={(only) => patchFilter({ only })}
      />
      <Input
        className="verdicts-words"
        aria-label="Words of the output"
        placeholder="Words of the output"
        value={filter.words}
        onText={(words) => patchFilter({ words })}
      />
    </div>
  )
}

function Counted({ words, n }: { readonly words: string; readonly n: number }) {
  return (
    <>
      {words} <span className="num quiet">{count(n)}</span>
    </>
  )
}

interface TypeProps {
  readonly type: OutputType
  readonly byType: ReadonlyMap<OutputType, readonly VerdictRow[]>
}

function TypeCount({ type, byType }: TypeProps) {
  return (
    <>
      <VerdictSign type={type} />{' '}
      <Counted words={VERDICT_WORDS[type].words} n={byType.get(type)?.length ?? 0} />
    </>
  )
}

type Line = VerdictRow | 'fold'
const ROW_PX = 30

const LOOK: RowLook<VerdictRow> = {
  name: 'verdict',
  keyOf: ({ seq }) => String(seq),
  className: 'verdict-row stack text-s option gap-12 center-items',
  stateOf: ({ wentOn }) => (wentOn ? 'verdict-hypothetical' : ''),
  onClick: goTo,
}

/** Selects an output and shows its details. */
function goTo({ seq }: VerdictRow): void {
  patchCoach({ current: seq })
  selectSeq(seq)
  chooseTab('coach')
}

const COLUMNS: ReadonlyArray<Column<VerdictRow>> = [
  { head: 'event', num: true, cell: ({ seq }) => count(seq + 1) },
  {
    head: 'verdict',
    className: 'nowrap clip',
    cell: ({ type, confidence }) => (
      <>
        <VerdictSign type={type} /> {VERDICT_WORDS[type].words}{' '}
        <span className="num quiet">{confidence.toFixed(2)}</span>
      </>
    ),
  },
  {
    head: 'goes',
    className: 'nowrap clip',
    cell: ({ back, wentOn }) => (back ? (wentOn ? '(↩ back)' : '↩ back') : '✓ passes'),
  },
  { head: 'output', className: 'truncate', cell: ({ preview }) => preview ?? '…' },
  {
    head: 'known',
    className: 'inline-row nowrap clip gap-5',
    cell: (row) => <Known row={row} />,
  },
]

function Known({ row }: { readonly row: VerdictRow }) {
  const { flags, source, disagrees, failed, label, type, rules } = row
  return (
    <>
      {label !== null && (
        <Chip tone={label === type ? 'good' : 'warn'}>
          {label === type ? '✓' : '✕'} label {label}
        </Chip>
      )}
      {failed && <Chip tone="bad">✕ model failed</Chip>}
      {disagrees && <Chip tone="warn">◆ rules: {rules}</Chip>}
      {source !== 'rules' && (
        <Chip title={SOURCE_WORDS[source].about}>{SOURCE_WORDS[source].words}</Chip>
      )}
      {flags.map((flag) => (
        <Chip key={flag} tone={FLAG_WORDS[flag].tone} title={FLAG_WORDS[flag].about}>
          {FLAG_WORDS[flag].words}
        </Chip>
      ))}
    </>
  )
}

function rowOf(line: Line): VerdictRow | null {
  return line === 'fold' ? null : line
}

function toggleHypothetical(): void {
  patchFilter({ hypothetical: !coachStore.getState().filter.hypothetical })
}

function List({ rows, filter }: Props) {
  const current = useCoach((state) => state.current)
  const { held, hypothetical } = filteredVerdicts(rows, filter)
  const lines = useMemo<readonly Line[]>(
    () => [
      ...held,
      ...(hypothetical.length > 0 ? ['fold' as const] : []),
      ...(filter.hypothetical ? hypothetical : []),
    ],
    [held, hypothetical, filter.hypothetical],
  )
  return (
    <Table
      label="Verdicts of the session"
      className="verdicts-scroll fill scroll"
      lines={lines}
      rowOf={rowOf}
      columns={COLUMNS}
      look={LOOK}
      height={ROW_PX}
      headClass="verdict-row verdict-heads stack text-xs dim line-below gap-12"
      heading={(_, at) => (
        <Fold key={`fold${at}`} rows={hypothetical} isOpen={filter.hypothetical} />
      )}
      current={current === null ? null : String(current)}
      onCurrent={({ seq }) => patchCoach({ current: seq })}
      onEnter={(row) => {
        if (row) goTo(row)
      }}
      onKey={(key) => {
        const isFold = key === 'h'
        if (isFold) toggleHypothetical()
        return isFold
      }}
      none={<Empty>No verdict is like that.</Empty>}
      // The list's keys act on a row, so one row is always current.
      onFocus={() => {
        const first = held[0] ?? hypothetical[0]
        const stands = lines.some((line) => line !== 'fold' && line.seq === current)
        if (!stands && first) patchCoach({ current: first.seq })
      }}
      focus
    />
  )
}

/**
 * Collapsed row of the verdicts after which the agent continued without user input. A press, or h in the list, opens
 * it.
 */
function Fold({
  rows,
  isOpen,
}: {
  readonly rows: readonly VerdictRow[]
  readonly isOpen: boolean
}) {
  const back = rows.filter((row) => row.back).length
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <div role="row" className="verdict-fold row text-s line-below pad-x-12">
      <span role="gridcell" className="row">
        <Button
          kind="link"
          aria-expanded={isOpen}
          title="Not asked in a live run (h)"
          onClick={toggleHypothetical}
        >
          <Icon size={13} aria-hidden /> {counted(rows.length, 'hypothetical verdict')}
        </Button>
        <span className="quiet">
          the agent went on by itself after them; {count(back)} would go back
        </span>
      </span>
    </div>
  )
}

/** Number of outputs sent back, of those at which the agent stopped. */
export function VerdictCount() {
  const columns = useCoach((state) => valueOf(state.columns))
  if (!columns || columns.seq.length === 0) return null
  const { back, wentOn } = tallyOf(columns)
  return (
    <span className="text-xs dim num">
      {count(back - wentOn)}
      <span className="dock-detail"> back</span>
    </span>
  )
}
