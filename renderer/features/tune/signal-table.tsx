import { ArrowDown, ArrowUp, Search } from 'lucide-react'
import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useState } from 'react'
import type { SignalRow } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { chooseSignalRow, patchSignalsView, shownSignals, sortSignals } from './signals.ts'
import { type SignalColumn, type SignalPlace, useLab } from '../dock/store.ts'
import { Swatch } from '../../ui/domain.tsx'
import { ago, count, dayOf } from '../../ui/format.ts'
import { takeFocus } from '../../ui/take-focus.ts'
import { useRows } from '../../ui/use-rows.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Share } from '../lab/share.tsx'
import { focusEditor, showSignal } from './editor-doc.ts'

const ROW_PX = 27

interface ColumnLook {
  readonly name: SignalColumn
  readonly word: string
  readonly about: string
}

const COLUMNS: readonly ColumnLook[] = [
  { name: 'place', word: 'Signal', about: 'Domain, id and pattern, in the order of the file' },
  { name: 'session', word: 'Here', about: 'Turns of the session in view on which it fired' },
  { name: 'corpus', word: 'Corpus', about: 'Turns of the corpus on which it fired' },
  {
    name: 'own',
    word: 'Own',
    about: 'Of those turns: how many are decided as its own domain',
  },
  {
    name: 'precision',
    word: 'Labels',
    about: 'Of the labelled turns it fired on: how many are labelled as its domain',
  },
  { name: 'change', word: '±', about: 'Added or changed by the draft' },
  { name: 'edited', word: 'Edited', about: 'When its line was written last' },
]

/** [T54] Every signal with what it does; a row and a line of the editor are one selection. */
export function SignalTable() {
  const data = useLab((state) => state.signals)
  const view = useLab((state) => state.signalsView)
  const hasCorpus = useLab((state) => valueOf(state.corpus) !== null)
  const all = valueOf(data)
  if (data.status === 'failed' && !all) return <FailureNote failure={data.failure} />
  const rows = all ? shownSignals(all, view) : []
  return (
    <section
      className="signals column full-height"
      aria-label="Signals"
      aria-busy={data.status === 'loading'}
    >
      <div className="signals-filter row no-shrink text-s quiet line-below pad-x-12">
        <Search size={13} aria-hidden />
        <input
          className="bare grow"
          type="search"
          aria-label="Filter signals"
          placeholder="Domain, id or part of a pattern"
          value={view.filter}
          onChange={(event) => patchSignalsView({ filter: event.target.value })}
        />
        <span className="quiet num">
          {all ? `${count(rows.length)} of ${count(all.length)}` : ''}
        </span>
      </div>
      {all ? (
        rows.length > 0 ? (
          <Table rows={rows} />
        ) : (
          <p className="list-empty quiet">No signal has these words.</p>
        )
      ) : (
        <p className="list-empty quiet">
          {hasCorpus ? 'Counting matches …' : 'The corpus is being read …'}
        </p>
      )}
    </section>
  )
}

function Table({ rows }: { readonly rows: readonly SignalRow[] }) {
  const chosen = useLab((state) => state.signal)
  const [now] = useState(Date.now)
  const source = useMemo(
    () => ({ count: rows.length, keyAt: (at: number) => at, estimate: () => ROW_PX }),
    [rows],
  )
  const { box, from, to, scroller, sizer, rows: holder } = useRows(source)
  const both = useCallback(
    (element: HTMLDivElement | null) => {
      scroller(element)
      takeFocus(element)
    },
    [scroller],
  )
  const at = chosen ? rows.findIndex((row) => isAt(row, chosen)) : -1
  useEffect(() => {
    if (at >= 0) box.scrollTo(at)
  }, [box, at])
  const step = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (event.key === 'Enter') {
      event.preventDefault()
      focusEditor()
    }
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const row = rows[Math.min(rows.length - 1, Math.max(0, at + by))]
    if (row) choose(row)
  }
  return (
    <div className="column fill">
      <div
        ref={both}
        className="signals-scroll fill scroll"
        role="grid"
        aria-label="Signals of the draft"
        aria-rowcount={rows.length + 1}
        tabIndex={0}
        aria-activedescendant={at >= from && at < to ? `signal-${at}` : undefined}
        onKeyDown={step}
      >
        <Head />
        <div ref={sizer} className="list-size" role="rowgroup">
          <div ref={holder} className="list-rows" role="presentation">
            {rows.slice(from, to).map((row, nth) => (
              <Row
                key={`${row.domain} ${row.index}`}
                row={row}
                at={from + nth}
                selected={from + nth === at}
                now={now}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

function isAt(row: SignalRow, { domain, index }: SignalPlace): boolean {
  return row.domain === domain && row.index === index
}

function choose({ domain, index }: SignalRow): void {
  chooseSignalRow({ domain, index })
  showSignal({ domain, index }, true)
}

function Head() {
  const { sort, down } = useLab((state) => state.signalsView)
  return (
    <div
      role="row"
      className="signal-row stack line-below nowrap center-items signals-head text-xs quiet on-panel"
    >
      {COLUMNS.map(({ name, word, about }) => (
        <span
          key={name}
          role="columnheader"
          aria-sort={sort === name ? (down ? 'descending' : 'ascending') : 'none'}
          className={`signal-${name}`}
        >
          <button type="button" title={about} onClick={() => sortSignals(name)}>
            {word}
            {sort === name && name !== 'place' && <Arrow down={down} />}
          </button>
        </span>
      ))}
    </div>
  )
}

function Arrow({ down }: { readonly down: boolean }) {
  return down ? <ArrowDown size={11} aria-hidden /> : <ArrowUp size={11} aria-hidden />
}

interface RowProps {
  readonly row: SignalRow
  readonly at: number
  readonly selected: boolean
  /** Epoch milliseconds when the table was opened. */
  readonly now: number
}

const SIGNS = { same: '', added: '+', changed: '≠' } as const

const Row = memo(function Row({ row, at, selected, now }: RowProps) {
  const dead = row.corpus === 0 ? ' signal-dead' : ''
  return (
    <div
      role="row"
      id={`signal-${at}`}
      aria-rowindex={at + 2}
      aria-selected={selected}
      data-index={at}
      className={`signal-row option stack text-s nowrap center-items${dead}`}
      title={row.note ?? undefined}
      onClick={() => choose(row)}
    >
      <span role="gridcell" className="signal-place shrink row">
        <Swatch domain={row.domain} />
        <span className="visually-hidden">{row.domain}</span>
        <span className="signal-id no-shrink medium truncate">
          {row.id ?? `signal ${row.index + 1}`}
        </span>
        <code className="truncate">{row.pattern}</code>
      </span>
      <span role="gridcell" className="num">
        {count(row.session)}
      </span>
      <span role="gridcell" className="num">
        {count(row.corpus)}
      </span>
      <span role="gridcell">
        <Share hits={row.own} of={row.corpus} />
      </span>
      <span role="gridcell">
        <Share hits={row.precision.hits} of={row.precision.of} />
      </span>
      <span role="gridcell" className={`signal-change signal-${row.change}`}>
        <span title={row.change === 'same' ? undefined : `${row.change} by the draft`}>
          {SIGNS[row.change]}
        </span>
      </span>
      <span role="gridcell" className="quiet num truncate" title={dayOf(row.editedAt)}>
        {row.editedAt === null ? '–' : ago(row.editedAt, now)}
      </span>
    </div>
  )
})
