import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo } from 'react'
import { openFound } from '../find/folder-find.ts'
import { domainsOf, type TableRow } from './folder-rows.ts'
import { type ColumnName, type Entry, COLUMNS } from './folders-state.ts'
import { patchFolders, store } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { count, counted } from '../../ui/format.ts'
import { useRows } from '../../ui/use-rows.ts'
import { EntryRow } from './entry-row.tsx'

const ROW_PX = 46
const GROUP_PX = 30

interface ColumnHead {
  readonly word: string
  readonly about: string
  /** Sorted from high to low first. */
  readonly down: boolean
}

const HEADS: Readonly<Record<ColumnName, ColumnHead>> = {
  name: { word: 'Session', about: 'Title of the session and name of the file', down: false },
  format: { word: 'Format', about: 'Told from the content, not from the name', down: false },
  turns: {
    word: 'Turns',
    about: 'Events that are classified, in all sessions of the file',
    down: true,
  },
  domains: { word: 'Domains', about: 'Turns by primary domain', down: false },
  flips: { word: 'Flips', about: 'Turns that the compared preset decides differently', down: true },
  breaks: { word: 'Breaks', about: 'Turns that broke strong momentum', down: true },
  held: { word: 'Held', about: 'Turns that momentum held or resisted', down: true },
  signals: { word: 'Signals', about: 'Self-signals that the agent emitted', down: true },
  errors: { word: 'Errors', about: 'Events marked as errors', down: true },
  problems: { word: 'Bad lines', about: 'Lines that could not be read', down: true },
  modified: { word: 'Changed', about: 'When the file was written last', down: true },
}

interface Props {
  readonly rows: readonly TableRow[]
  readonly entries: ReadonlyMap<string, Entry>
  readonly filter: string
}

/** [U7] The sessions of a folder: a virtual table, sorted by any column, walked by keyboard. */
export function FolderTable({ rows, entries, filter }: Props) {
  const current = useApp((state) => state.folders.current)
  const names = domainsOf(entries)
  const source = useMemo(
    () => ({
      count: rows.length,
      keyAt: (at: number) => at,
      estimate: (at: number) => (rows[at]?.kind === 'group' ? GROUP_PX : ROW_PX),
    }),
    [rows],
  )
  const { box, from, to, scroller, sizer, rows: holder } = useRows(source)
  const place = rows.findIndex((row) => row.kind === 'entry' && row.entry.path === current)
  useEffect(() => {
    if (place >= 0) box.scrollTo(place)
  }, [box, place])
  const onKeyDown = (event: KeyboardEvent) => {
    const target = targetOf(event.key, rows, { place, page: box.page })
    if (event.key === 'Enter' && place >= 0) open(rows[place])
    else if (target === null || event.ctrlKey || event.metaKey || event.altKey) return
    else {
      const row = rows[target]
      if (row?.kind === 'entry') patchFolders({ current: row.entry.path })
    }
    event.preventDefault()
  }
  return (
    <div className="folder-table shrink-y grow relative">
      <div
        ref={scroller}
        className="virtual-scroll scroll"
        role="grid"
        aria-label="Sessions of this folder"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={place >= 0 ? `entry-${place}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => {
          const first = rows.find((row) => row.kind === 'entry')
          if (place < 0 && first) patchFolders({ current: first.entry.path })
        }}
      >
        <TableHead />
        {rows.length === 0 && (
          <p className="folder-none text-center quiet">
            No session matches “{filter}”.{' '}
            <button type="button" className="link" onClick={() => patchFolders({ filter: '' })}>
              Show all {count(entries.size)}
            </button>
          </p>
        )}
        <div ref={sizer} className="list-size" role="rowgroup">
          <div ref={holder} className="list-rows" role="presentation">
            {rows
              .slice(from, to)
              .map((row, nth) =>
                row.kind === 'group' ? (
                  <GroupRow key={`g ${row.inside}`} row={row} at={from + nth} />
                ) : (
                  <EntryRow
                    key={row.entry.path}
                    entry={row.entry}
                    at={from + nth}
                    current={from + nth === place}
                    names={names}
                  />
                ),
              )}
          </div>
        </div>
      </div>
    </div>
  )
}

function open(row: TableRow | undefined): void {
  if (row?.kind === 'entry') openFound(row.entry.path, 0, null)
}

interface Where {
  readonly place: number
  /** Rows of a page. */
  readonly page: number
}

const STEPS: Readonly<Record<string, (page: number) => number>> = {
  ArrowDown: () => 1,
  j: () => 1,
  ArrowUp: () => -1,
  k: () => -1,
  PageDown: (page) => page,
  PageUp: (page) => -page,
  Home: () => -Infinity,
  End: () => Infinity,
}

/** The row that a key leads to, skipping headers; null for other keys. */
function targetOf(key: string, rows: readonly TableRow[], { place, page }: Where): number | null {
  const by = STEPS[key]?.(page)
  if (by === undefined) return null
  let at = Math.min(rows.length - 1, Math.max(0, place + by))
  const step = by > 0 ? 1 : -1
  while (rows[at]?.kind === 'group') at += step
  if (rows[at]) return at
  return rows.findIndex((row) => row.kind === 'entry')
}

function TableHead() {
  const sort = useApp((state) => state.folders.sort)
  return (
    <div
      role="row"
      className="folder-row stack line-below center-items pad-x-12 folder-heads text-xs quiet bold on-panel"
    >
      {COLUMNS.map((column) => {
        const { word, about, down } = HEADS[column]
        const sorted = sort.column === column
        const Arrow = sort.down ? ArrowDown : ArrowUp
        return (
          <span
            key={column}
            role="columnheader"
            className={`folder-cell fcol-${column}`}
            aria-sort={sorted ? (sort.down ? 'descending' : 'ascending') : 'none'}
          >
            <button
              type="button"
              title={about}
              onClick={() => {
                const now = store.getState().folders.sort
                const next = now.column === column ? { column, down: !now.down } : { column, down }
                patchFolders({ sort: next })
              }}
            >
              <span className="truncate">{word}</span>
              {sorted && <Arrow size={12} aria-hidden />}
            </button>
          </span>
        )
      })}
    </div>
  )
}

interface GroupProps {
  readonly row: Extract<TableRow, { kind: 'group' }>
  readonly at: number
}

function GroupRow({ row, at }: GroupProps) {
  return (
    <div
      role="row"
      className="folder-group text-xs dim line-below flex bold center-items pad-x-12 on-bg"
      data-index={at}
      aria-rowindex={at + 2}
    >
      <span role="gridcell" className="truncate">
        {row.inside === '' ? 'In the folder itself' : row.inside}
        <span className="quiet num regular">
          {counted(row.files, 'file')}
          {row.turns > 0 && ` · ${counted(row.turns, 'turn')}`}
        </span>
      </span>
    </div>
  )
}
