import type { CoachScore } from '../../../core/engine/schema/coach-wire.ts'
import { OUTPUTS } from '../../../core/engine/lab/metrics/basis-words.ts'
import { wilson } from '../../../core/engine/lab/metrics/interval.ts'
import type { FigureBasis } from '../../../core/engine/schema/basis.ts'
import { type OutputType, OutputType as Types } from '../../../core/engine/schema/coach.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { Pressable, classes } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { count } from '../../ui/format.ts'
import { Details } from '../../ui/parts.tsx'
import { VerdictSign } from '../../views/coach/parts.tsx'
import { Basis } from '../../views/lab/basis.tsx'
import type { Filter } from './state.ts'

type Share = CoachScore['type']

/** `83 of 96`: a share is never told without its n. */
function shareText({ hits, of }: Immutable<Share>): string {
  return of === 0 ? 'none to judge' : `${count(hits)} of ${count(of)}`
}

/** [L100] With Wilson's interval of 95 %. */
function percent({ hits, of }: Immutable<Share>): string {
  const ends = wilson(hits, of)
  if (ends === null) return '–'
  const [low, high] = [ends.low, ends.high].map((end) => Math.round(end * 100))
  return `${((100 * hits) / of).toFixed(1)} % [${low} to ${high} %]`
}

interface Props {
  readonly score: Immutable<CoachScore>
  /** To compare with; null while there is nothing. */
  readonly before: Immutable<CoachScore> | null
  readonly against: 'disk' | 'earlier'
  readonly basis: Immutable<FigureBasis>
}

const LINES = [
  { name: 'type', words: 'Same type as the label', more: true },
  { name: 'passOrBack', words: 'Passed or sent back as labelled', more: true },
  { name: 'rejectsPassed', words: 'Rejects that were passed', more: false },
  { name: 'questionsContinued', words: 'Questions that were continued', more: false },
] as const

type LineName = (typeof LINES)[number]['name']

const SIDES = { disk: ['draft', 'on disk'], earlier: ['this prompt', 'earlier ones'] } as const

/** Agreement with labels, harm apart; every share with its numbers. */
export function Scores({ score, before, against, basis }: Props) {
  const [now, then] = SIDES[against]
  // Only shares of as many outputs can be subtracted.
  const gained = (name: LineName) =>
    before?.[name].of === score[name].of ? score[name].hits - before[name].hits : 0
  const earlier = (old: Immutable<CoachScore>) => ({
    head: then,
    num: true,
    cell: ({ name }: { readonly name: LineName }) => shareText(old[name]),
  })
  return (
    <section className="lab-scores" aria-label="Agreement with labels">
      <DataTable
        className="table states"
        rows={LINES}
        keyOf={({ name }) => name}
        rowProps={({ more }) => ({ className: more ? '' : 'lab-harm' })}
        columns={[
          {
            head: `${count(score.labelled)} labelled`,
            isCorner: true,
            isName: true,
            cell: ({ words }) => words,
          },
          {
            head: before ? now : 'on disk',
            num: true,
            className: (line) => {
              const by = gained(line.name)
              return by === 0 ? '' : by > 0 === line.more ? 'lab-better' : 'lab-worse'
            },
            cell: ({ name }) => {
              const by = gained(name)
              const sign = by > 0 ? '+' : '−'
              return `${shareText(score[name])}${by === 0 ? '' : ` (${sign}${Math.abs(by)})`}`
            },
          },
          { className: 'num lab-percent', cell: ({ name }) => percent(score[name]) },
          ...(before ? [earlier(before)] : []),
        ]}
      />
      <Basis basis={basis} nouns={OUTPUTS} />
      <ByType score={score} />
    </section>
  )
}

function ShareOf({ share }: { readonly share: Immutable<Share> }) {
  return (
    <>
      {shareText(share)} <span className="quiet">{percent(share)}</span>
    </>
  )
}

function ByType({ score }: Pick<Props, 'score'>) {
  return (
    <Details className="lab-types mt-8 text-s" summary={<span className="link">By type</span>}>
      <DataTable
        className="table states"
        rows={score.types}
        keyOf={({ type }) => type}
        columns={[
          { isName: true, cell: ({ type }) => type },
          {
            head: 'of the labelled, found',
            num: true,
            cell: ({ recall }) => <ShareOf share={recall} />,
          },
          {
            head: 'of the judged, right',
            num: true,
            cell: ({ precision }) => <ShareOf share={precision} />,
          },
        ]}
      />
    </Details>
  )
}

interface MatrixProps {
  readonly score: Immutable<CoachScore>
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}

/** Labels against verdicts; a cell lists its rows. Strength is the share of the label's row. */
export function Matrix({ score, filter, onFilter }: MatrixProps) {
  const cell: Times = (label, verdict) =>
    score.confusion.find((one) => one.label === label && one.verdict === verdict)?.count ?? 0
  return (
    <DataTable
      className="lab-matrix text-s"
      label="Labels against verdicts"
      rows={Types.options}
      keyOf={(label) => label}
      columns={[
        {
          isCorner: true,
          head: (
            <>
              <span className="visually-hidden">label, then</span>
              <span className="quiet">label ↓ verdict →</span>
            </>
          ),
          isName: true,
          cell: (label) => (
            <>
              <VerdictSign type={label} /> {label}
            </>
          ),
        },
        ...Types.options.map((verdict): Column<OutputType> => ({
          about: verdict,
          head: (
            <>
              <VerdictSign type={verdict} />
              <span className="visually-hidden">{verdict}</span>
            </>
          ),
          cell: (label) => (
            <Cell label={label} verdict={verdict} filter={filter} onFilter={onFilter} cell={cell} />
          ),
        })),
        {
          head: 'n',
          headClass: 'quiet',
          className: 'num quiet',
          cell: (label) => count(totalOf(cell, label)),
        },
      ]}
    />
  )
}

type Times = (label: OutputType, verdict: OutputType) => number

/** Outputs with this label. */
function totalOf(cell: Times, label: OutputType): number {
  return Types.options.reduce((sum, verdict) => sum + cell(label, verdict), 0)
}

interface CellProps extends Pick<MatrixProps, 'filter' | 'onFilter'> {
  readonly label: OutputType
  readonly verdict: OutputType
  readonly cell: Times
}

function Cell({ label, verdict, filter, onFilter, cell }: CellProps) {
  const times = cell(label, verdict)
  const on = filter.kind === 'cell' && filter.label === label && filter.verdict === verdict
  const share = times / Math.max(1, totalOf(cell, label))
  return (
    <Pressable
      className={classes('lab-cell text-center', label === verdict && 'lab-cell-right')}
      style={{ '--share': `${Math.round(share * 60)}%` }}
      disabled={times === 0}
      aria-pressed={on}
      aria-label={`labelled ${label}, judged ${verdict}: ${times}`}
      onClick={() => onFilter(on ? { kind: 'wrong' } : { kind: 'cell', label, verdict })}
    >
      {times === 0 ? '·' : count(times)}
    </Pressable>
  )
}
