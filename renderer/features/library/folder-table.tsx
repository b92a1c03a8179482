import { CircleAlert } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { resolveTheme } from '../../app/selectors.ts'
import { patchFolders, store } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { domainStyle } from '../../ui/domain-style.ts'
import { ago, bytes, count, counted } from '../../ui/format.ts'
import { type RowLook, Table } from '../../ui/table.tsx'
import { openInFolder } from '../../app/folder-in-view.ts'
import { type TableRow, domainsOf, nameOf } from './folder-rows.ts'
import { COLUMNS, type ColumnName, type Entry } from '../../app/folders-state.ts'
import { shortName, titleOf } from '../../ui/visible.ts'

const ROW_PX = 46
const GROUP_PX = 30

interface Head {
  readonly head: string
  readonly about: string
}

const HEADS: Readonly<Record<ColumnName, Head>> = {
  name: { head: 'Session', about: 'Title of the session and name of the file' },
  format: { head: 'Format', about: 'Told from the content, not from the name' },
  turns: { head: 'Turns', about: 'Events that are classified, in all sessions of the file' },
  domains: { head: 'Domains', about: 'Turns by primary domain' },
  flips: { head: 'Flips', about: 'Turns that the compared preset decides differently' },
  breaks: { head: 'Breaks', about: 'Turns that broke strong momentum' },
  held: { head: 'Held', about: 'Turns that momentum held or resisted' },
  signals: { head: 'Signals', about: 'Self-signals that the agent emitted' },
  errors: { head: 'Errors', about: 'Events marked as errors' },
  problems: { head: 'Bad lines', about: 'Lines that could not be read' },
  modified: { head: 'Changed', about: 'When the file was written last' },
}
/** Columns that are sorted from low to high first. */
const UPWARD: ReadonlySet<string> = new Set<ColumnName>(['name', 'format', 'domains'])

type Cell = Pick<Column<Entry>, 'cell' | 'title' | 'className'>

/** Layout of the cells of some columns. */
const LAYOUT: Partial<Record<ColumnName, string>> = { name: ' column', format: ' dim flex' }

function column(name: ColumnName, cell: Cell): Column<Entry> {
  const headClass = `folder-cell fcol-${name}`
  return {
    className: headClass + (LAYOUT[name] ?? ''),
    ...cell,
    ...HEADS[name],
    headClass,
    sort: name,
  }
}

/** A number; zero is quiet, unknown is a dash. */
function numbers(
  name: ColumnName,
  read: (entry: Entry) => number | null | undefined,
  tone?: 'warn' | 'bad',
): Column<Entry> {
  return column(name, {
    cell: (entry) => {
      const value = read(entry) ?? null
      return value === null ? '–' : count(value)
    },
    className: (entry) => {
      const look = (read(entry) ?? 0) === 0 ? 'quiet' : tone ? `bold ${tone}` : ''
      return `folder-cell fcol-${name} num ${look}`
    },
  })
}

const NAME = column('name', {
  title: (entry) => titleOf(`${nameOf(entry)}\n${entry.path}`),
  cell: (entry) => <Name entry={entry} />,
})
const CHANGED = column('modified', {
  className: 'folder-cell fcol-modified dim nowrap num',
  title: ({ modifiedAt }) => new Date(modifiedAt).toLocaleString(),
  cell: ({ modifiedAt }) => <Changed at={modifiedAt} />,
})

/** [U7] Why a file is not in the library, instead of its numbers. */
const FAILED: ReadonlyArray<Column<Entry>> = [
  NAME,
  {
    className: 'folder-cell fcol-failed row gap-7 bad',
    span: () => COLUMNS.length - 2,
    title: ({ problem }) => (problem ? `${problem.what}: ${problem.where}. ${problem.do}` : ''),
    cell: ({ problem }) => (
      <>
        <CircleAlert size={13} aria-hidden />
        <span className="truncate">
          {problem?.what ?? 'could not be read'}
          {problem && problem.do !== '' && <span className="quiet"> · {problem.do}</span>}
        </span>
      </>
    ),
  },
  CHANGED,
]

/** @param names all domains of the table, so that colours are the same in every row */
function columnsFor(names: readonly string[]): ReadonlyArray<Column<Entry>> {
  return [
    NAME,
    column('format', {
      cell: ({ formatLabel }) => <span className="truncate">{formatLabel ?? ''}</span>,
    }),
    numbers('turns', ({ stats }) => stats?.turns),
    column('domains', {
      cell: ({ stats }) =>
        stats ? (
          <DomainBar stats={stats} names={names} />
        ) : (
          <i className="bone" aria-label="not replayed yet" />
        ),
    }),
    numbers('flips', ({ stats }) => stats?.flips, 'warn'),
    numbers('breaks', ({ stats }) => stats?.breaks, 'bad'),
    {
      ...numbers('held', ({ stats }) => stats && stats.held + stats.resisted),
      title: ({ stats }) =>
        stats ? `${count(stats.held)} held, ${count(stats.resisted)} resisted` : undefined,
    },
    numbers('signals', ({ stats }) => stats?.signals),
    numbers('errors', ({ stats }) => stats?.errors, 'bad'),
    numbers('problems', ({ state, problems }) => (state === 'read' ? problems : null), 'warn'),
    CHANGED,
  ]
}

const LOOK: RowLook<Entry> = {
  name: 'entry',
  keyOf: ({ path }) => path,
  className: 'folder-row folder-entry option stack center-items pad-x-12',
  stateOf: ({ state }) => `folder-${state}`,
  onClick: (entry) => {
    patchFolders({ current: entry.path })
    openInFolder(entry.path, 0, null)
  },
  columnsOf: ({ state }) => (state === 'failed' ? FAILED : undefined),
}

function entryOf(row: TableRow): Entry | null {
  return row.kind === 'entry' ? row.entry : null
}

function heightOf({ kind }: TableRow): number {
  return kind === 'group' ? GROUP_PX : ROW_PX
}

function sortBy(name: string): void {
  const { sort } = store.getState().folders
  const column = COLUMNS.find((one) => one === name)
  if (!column) return
  const down = sort.column === column ? !sort.down : !UPWARD.has(column)
  patchFolders({ sort: { column, down } })
}

interface Props {
  readonly rows: readonly TableRow[]
  readonly entries: ReadonlyMap<string, Entry>
  readonly filter: string
}

/** [U7] The sessions of a folder: a virtual table, sorted by any column, walked by keyboard. */
export function FolderTable({ rows, entries, filter }: Props) {
  const current = useApp((state) => state.folders.current)
  const sort = useApp((state) => state.folders.sort)
  const names = domainsOf(entries)
  const columns = useMemo(() => columnsFor(names), [names])
  const stand = ({ path }: Entry) => patchFolders({ current: path })
  return (
    <div className="folder-table shrink-y grow relative">
      <Table
        label="Sessions of this folder"
        className="virtual-scroll scroll"
        columns={columns}
        current={current}
        sort={sort}
        lines={rows}
        rowOf={entryOf}
        height={heightOf}
        look={LOOK}
        heading={(row, at) => <GroupRow key={`g${at}`} row={row} at={at} />}
        headClass="folder-row stack line-below center-items pad-x-12 folder-heads text-xs quiet bold on-panel"
        onSort={sortBy}
        letters
        onCurrent={stand}
        onEnter={(entry) => {
          if (entry) openInFolder(entry.path, 0, null)
        }}
        onFocus={() => {
          const shown = rows.flatMap((row) => entryOf(row) ?? [])
          const [first] = shown
          if (first && !shown.some(({ path }) => path === current)) stand(first)
        }}
        none={
          <p className="folder-none text-center quiet">
            No session matches “{filter}”.{' '}
            <Button kind="link" onClick={() => patchFolders({ filter: '' })}>
              Show all {count(entries.size)}
            </Button>
          </p>
        }
      />
    </div>
  )
}

function GroupRow({ row, at }: { readonly row: TableRow; readonly at: number }): ReactNode {
  if (row.kind !== 'group') return null
  return (
    <div
      role="row"
      className="folder-group text-xs dim line-below flex bold center-items pad-x-12 on-bg"
      data-index={at}
      aria-rowindex={at + 2}
    >
      <span role="gridcell" className="truncate">
        {row.inside === '' ? 'In the folder itself' : shortName(row.inside)}
        <span className="quiet num regular">
          {counted(row.files, 'file')}
          {row.turns > 0 && ` · ${counted(row.turns, 'turn')}`}
        </span>
      </span>
    </div>
  )
}

function Name({ entry }: { readonly entry: Entry }) {
  const isOpen = useApp(
    ({ document }) => document.source?.kind === 'path' && document.source.path === entry.path,
  )
  return (
    <>
      <span className="entry-name medium truncate">
        {shortName(nameOf(entry))}
        {entry.sessions > 1 && <span className="quiet"> {counted(entry.sessions, 'session')}</span>}
      </span>
      <span className="entry-file text-xs quiet truncate">
        {isOpen && 'open · '}
        {entry.title ? `${shortName(entry.name)} · ` : ''}
        {bytes(entry.bytes)}
      </span>
    </>
  )
}

function Changed({ at }: { readonly at: number }) {
  // Read once a row: "5 min ago" need not tick.
  const [now] = useState(() => Date.now())
  return <>{ago(at, now)}</>
}

interface BarProps {
  readonly stats: NonNullable<Entry['stats']>
  readonly names: readonly string[]
}

/** Turns by primary domain as a bar, with the letters of the first: colour is never the only sign. */
function DomainBar({ stats, names }: BarProps) {
  const theme = useApp((state) => resolveTheme(state.view.theme, state.view.systemDark))
  const styles = useMemo(() => domainStyle(names), [names])
  const [first] = stats.domains
  if (!first) return <span className="quiet">–</span>
  const look = styles.get(first.name)
  const said = stats.domains.map(({ name, turns }) => `${name} ${count(turns)}`).join(', ')
  return (
    <span
      className="domain-bar row gap-6"
      role="img"
      aria-label={said}
      title={said.replaceAll(', ', '\n')}
    >
      <span
        className="swatch"
        style={{ background: look.color[theme], color: look.on[theme] }}
        data-code={look.code}
        aria-hidden
      />
      <span className="strip flex clip" aria-hidden>
        {stats.domains.map(({ name, turns }) => (
          <span key={name} style={{ flexGrow: turns, background: styles.get(name).color[theme] }} />
        ))}
      </span>
    </span>
  )
}
