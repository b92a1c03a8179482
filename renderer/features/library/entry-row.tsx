import { CircleAlert } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import { openFound } from '../find/folder-find.ts'
import { nameOf } from './folder-rows.ts'
import type { Entry } from './folders-state.ts'
import { resolveTheme } from '../../app/selectors.ts'
import { patchFolders } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { domainStyle } from '../../ui/domain-style.ts'
import { ago, bytes, count, counted } from '../../ui/format.ts'

interface Props {
  readonly entry: Entry
  readonly at: number
  readonly current: boolean
  /** All domains of the table, so that colours are the same in every row. */
  readonly names: readonly string[]
}

/** One file of the folder; a click opens it. */
export const EntryRow = memo(function EntryRow({ entry, at, current, names }: Props) {
  const isOpen = useApp(
    ({ document }) => document.source?.kind === 'path' && document.source.path === entry.path,
  )
  return (
    <div
      role="row"
      id={`entry-${at}`}
      className={`folder-row folder-entry option stack center-items pad-x-12 folder-${entry.state}`}
      data-index={at}
      aria-rowindex={at + 2}
      aria-selected={current}
      onClick={() => {
        patchFolders({ current: entry.path })
        openFound(entry.path, 0, null)
      }}
    >
      <span
        role="gridcell"
        className="folder-cell fcol-name column"
        title={`${nameOf(entry)}\n${entry.path}`}
      >
        <span className="entry-name medium truncate">
          {nameOf(entry)}
          {entry.sessions > 1 && (
            <span className="quiet text-xs regular"> {counted(entry.sessions, 'session')}</span>
          )}
        </span>
        <span className="entry-file text-xs quiet truncate">
          {isOpen && 'open · '}
          {entry.title ? `${entry.name} · ` : ''}
          {bytes(entry.bytes)}
        </span>
      </span>
      {entry.state === 'failed' ? (
        <FailedCell entry={entry} />
      ) : (
        <Cells entry={entry} names={names} />
      )}
      <span
        role="gridcell"
        className="folder-cell fcol-modified dim nowrap num"
        title={new Date(entry.modifiedAt).toLocaleString()}
      >
        <Changed at={entry.modifiedAt} />
      </span>
    </div>
  )
})

function Changed({ at }: { readonly at: number }) {
  // Read once a row: "5 min ago" need not tick.
  const [now] = useState(() => Date.now())
  return <>{ago(at, now)}</>
}

/** [U7] Why a file is not in the library, instead of its numbers. */
function FailedCell({ entry }: { readonly entry: Entry }) {
  const { problem } = entry
  return (
    <span
      role="gridcell"
      className="folder-cell fcol-failed row gap-7 bad"
      aria-colspan={9}
      title={problem ? `${problem.what}: ${problem.where}. ${problem.do}` : ''}
    >
      <CircleAlert size={13} aria-hidden />
      <span className="truncate">
        {problem?.what ?? 'could not be read'}
        {problem && problem.do !== '' && <span className="quiet"> · {problem.do}</span>}
      </span>
    </span>
  )
}

function Cells({ entry, names }: Pick<Props, 'entry' | 'names'>) {
  const { stats } = entry
  return (
    <>
      <span role="gridcell" className="folder-cell fcol-format dim flex">
        <span className="truncate">{entry.formatLabel ?? ''}</span>
      </span>
      <NumberCell column="turns" value={stats?.turns} />
      <span role="gridcell" className="folder-cell fcol-domains">
        {stats ? (
          <DomainBar stats={stats} names={names} />
        ) : (
          <i className="bone" aria-label="not replayed yet" />
        )}
      </span>
      <NumberCell column="flips" value={stats?.flips} tone="warn" />
      <NumberCell column="breaks" value={stats?.breaks} tone="bad" />
      <NumberCell
        column="held"
        value={stats && stats.held + stats.resisted}
        title={stats ? `${count(stats.held)} held, ${count(stats.resisted)} resisted` : undefined}
      />
      <NumberCell column="signals" value={stats?.signals} />
      <NumberCell column="errors" value={stats?.errors} tone="bad" />
      <NumberCell
        column="problems"
        value={entry.state === 'read' ? entry.problems : undefined}
        tone="warn"
      />
    </>
  )
}

interface NumberProps {
  readonly column: string
  readonly value: number | null | undefined
  readonly tone?: 'warn' | 'bad'
  readonly title?: string | undefined
}

/** A number; zero is quiet, unknown is a dash. */
function NumberCell({ column, value, tone, title }: NumberProps) {
  const known = value !== null && value !== undefined
  const look = !known || value === 0 ? 'quiet' : tone ? `bold ${tone}` : ''
  return (
    <span role="gridcell" className={`folder-cell fcol-${column} num ${look}`} title={title}>
      {known ? count(value) : '–'}
    </span>
  )
}

type Stats = NonNullable<Entry['stats']>

/** Turns by primary domain as a bar, with the letters of the first: colour is never the only sign. */
function DomainBar({ stats, names }: { readonly stats: Stats; readonly names: readonly string[] }) {
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
        aria-hidden
      >
        {look.code}
      </span>
      <span className="strip flex clip" aria-hidden>
        {stats.domains.map(({ name, turns }) => (
          <span key={name} style={{ flexGrow: turns, background: styles.get(name).color[theme] }} />
        ))}
      </span>
    </span>
  )
}
