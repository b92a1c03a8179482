import type { ResultsFlip, ResultsTurn } from '../../../core/engine/schema/results.ts'
import { lastOf } from '../../app/offered-files.ts'
import type { Column } from '../../ui/columns.ts'
import { count } from '../../ui/format.ts'
import { Name } from '../../ui/name.tsx'
import { Chip } from '../../ui/parts.tsx'
import type { Look } from '../../ui/use-look.ts'
import { titleOf } from '../../ui/visible.ts'
import { Mark } from './facets.tsx'

export type ListedRow = ResultsFlip | ResultsTurn
type LookOf = (name: string) => Look

/** A column for one of the two kinds of rows; the list holds one kind. */
function cellOf<Row extends ListedRow>(
  is: (row: ListedRow) => row is Row,
  cell: (row: Row) => Column<ListedRow>['cell'] extends (row: never) => infer R ? R : never,
): Column<ListedRow>['cell'] {
  return (row) => (is(row) ? cell(row) : null)
}

const isFlip = (row: ListedRow): row is ResultsFlip => 'cause' in row
const isTurn = (row: ListedRow): row is ResultsTurn => 'fired' in row

const SESSION: Column<ListedRow> = {
  head: 'Session',
  className: 'truncate',
  title: ({ session }) => titleOf(session),
  cell: ({ session }) => <Name text={lastOf(session)} className="truncate" bare />,
}
const TURN: Column<ListedRow> = {
  head: 'Turn',
  about: 'Number of the turn in its session, from 1',
  num: true,
  className: 'text-end',
  headClass: 'results-right',
  cell: ({ turn }) => count(turn),
}
const SOURCE: Column<ListedRow> = {
  head: 'Source',
  about: 'File and row (from 0) of the source',
  className: 'row quiet text-s',
  title: ({ file, row }) => titleOf(`${file}, row ${row}`),
  cell: ({ file, row }) => (
    <>
      <Name text={lastOf(file)} className="truncate" bare />
      <span className="num no-shrink">:{row}</span>
    </>
  ),
}

/**
 * [F144] Names the differing fields if both domains are equal. Null if a domain differs, because that is already
 * visible.
 */
export function besideDomains(fields: readonly string[]): string | null {
  if (fields.includes('primary') || fields.includes('secondary')) return null
  return `only the ${fields.join(' and ')}`
}

/** The primary, and the secondary next to it. */
function Pair({
  primary,
  secondary,
  lookOf,
}: {
  readonly primary: string
  readonly secondary: string | null
  readonly lookOf: LookOf
}) {
  return (
    <span
      className="row gap-6 shrink"
      title={secondary === null ? undefined : titleOf(`${primary} + ${secondary}`)}
    >
      <Mark look={lookOf(primary)} />
      <Name text={primary} className="no-shrink" bare />
      {secondary !== null && (
        <span className="quiet truncate">
          + <Name text={secondary} bare />
        </span>
      )}
    </span>
  )
}

export function flipColumns(lookOf: LookOf): ReadonlyArray<Column<ListedRow>> {
  return [
    {
      head: 'Was',
      cell: cellOf(isFlip, ({ primaryWas, secondaryWas }) => (
        <Pair primary={primaryWas} secondary={secondaryWas} lookOf={lookOf} />
      )),
    },
    {
      head: 'Is',
      cell: cellOf(isFlip, ({ primaryIs, secondaryIs, fields }) => {
        const other = besideDomains(fields)
        return other === null ? (
          <Pair primary={primaryIs} secondary={secondaryIs} lookOf={lookOf} />
        ) : (
          <span className="row shrink" title={titleOf(other)}>
            <span className="text-s quiet truncate">{other}</span>
          </span>
        )
      }),
    },
    {
      head: 'Cause',
      about: 'Direct: the own signals of the turn differ. Momentum: only what was carried in does',
      cell: cellOf(isFlip, ({ cause, since }) =>
        cause === 'direct' ? (
          <Chip tone="accent">direct</Chip>
        ) : (
          <Chip title={`Since turn ${since}`}>momentum since {since}</Chip>
        ),
      ),
    },
    SESSION,
    TURN,
    SOURCE,
  ]
}

export function turnColumns(lookOf: LookOf): ReadonlyArray<Column<ListedRow>> {
  return [
    {
      head: 'Domain',
      cell: cellOf(isTurn, ({ primary, secondary }) => (
        <Pair primary={primary} secondary={secondary} lookOf={lookOf} />
      )),
    },
    {
      head: 'Momentum',
      about: 'What momentum did, and for how many turns the compound is in force',
      className: 'text-s dim truncate',
      cell: cellOf(isTurn, ({ event, momentum }) => (
        <>
          {event} <span className="num quiet">{momentum}</span>
        </>
      )),
    },
    {
      head: 'Signals that fired',
      className: 'text-s dim truncate',
      title: (row) => (isTurn(row) ? titleOf(row.fired.join('\n')) : undefined),
      cell: cellOf(isTurn, ({ fired, chars }) =>
        fired.length > 0 ? (
          <Name text={fired.join(', ')} className="truncate" bare />
        ) : (
          <span className="quiet">{chars === 0 ? 'no text' : 'none'}</span>
        ),
      ),
    },
    SESSION,
    TURN,
    SOURCE,
  ]
}
