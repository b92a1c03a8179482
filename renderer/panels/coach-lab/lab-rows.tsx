import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import type { OutputType } from '../../../core/engine/schema/coach.ts'
import { VERDICT_WORDS } from '../../charts/coach-lane.ts'
import type { LabRow } from '../../state/coach-lab.ts'
import { openRow, placeOfRow } from '../../state/coach-lab.ts'
import { Chip } from '../../ui/bits.tsx'
import { SOURCE_WORDS } from '../coach-words.ts'

interface Props {
  readonly rows: readonly LabRow[]
  readonly empty: string
}

/** The chosen rows, before → after; a press shows the text and the coaching, or opens the session. */
export function LabRows({ rows, empty }: Props) {
  const [open, setOpen] = useState<string | null>(null)
  const scroll = useRef<HTMLDivElement>(null)
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer is not memoised
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 34,
    overscan: 12,
    getItemKey: (at) => keyOf(rows[at], at),
  })
  if (rows.length === 0) return <p className="lab-none quiet">{empty}</p>
  return (
    <div ref={scroll} className="lab-rows" role="region" aria-label="Rows of the lab" tabIndex={0}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index]
          if (!row) return null
          const name = String(key)
          return (
            <li
              key={name}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row
                row={row}
                open={open === name || rows.length === 1}
                onToggle={() => {
                  setOpen(open === name ? null : name)
                }}
              />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function keyOf(row: LabRow | undefined, at: number): string {
  return row ? `${row.from} ${row.id} ${row.seq ?? ''} ${at}` : String(at)
}

function Sign({ type }: { readonly type: OutputType }) {
  return (
    <span className="lab-sign" title={type}>
      <span className={`verdict-${type}`} aria-hidden>
        {VERDICT_WORDS[type].sign}
      </span>
      {type}
    </span>
  )
}

interface RowProps {
  readonly row: LabRow
  readonly open: boolean
  readonly onToggle: () => void
}

function Row({ row, open, onToggle }: RowProps) {
  const { before, after, label, preview } = row
  const changed = before !== null && before.type !== after.type
  return (
    <div className="lab-row">
      <button type="button" className="lab-row-head" aria-expanded={open} onClick={onToggle}>
        <span className="lab-verdicts">
          {changed && (
            <>
              <Sign type={before.type} />
              <span aria-label="becomes">→</span>
            </>
          )}
          <Sign type={after.type} />
        </span>
        {label !== null && (
          <Chip tone={label === after.type ? 'good' : 'warn'}>
            {label === after.type ? '✓' : '≠'} label {label}
          </Chip>
        )}
        <span className="truncate grow quiet">{preview.replace(/\s+/gu, ' ')}</span>
      </button>
      {open && <Details row={row} />}
    </div>
  )
}

function Details({ row }: { readonly row: LabRow }) {
  const place = placeOfRow(row)
  const where = row.from === 'shipped' ? 'A labelled output that comes along' : `Session ${row.id}`
  return (
    <div className="lab-details">
      <p className="quiet">
        {row.id === 'text' ? 'The selected output' : where} · {SOURCE_WORDS[row.after.source].words}
        , {row.after.confidence.toFixed(2)}
        {row.from === 'session' && row.id !== 'text' && (
          <>
            {' · '}
            {place ? (
              <button
                type="button"
                className="link"
                onClick={() => {
                  openRow(row)
                }}
              >
                Open it
              </button>
            ) : (
              'its transcript is not open'
            )}
          </>
        )}
      </p>
      <pre className="block" tabIndex={0} aria-label="Beginning of the output">
        {row.preview}
      </pre>
      {row.coaching !== null && (
        <p>
          <span className="quiet">Coaching:</span> {row.coaching}
        </p>
      )}
    </div>
  )
}
