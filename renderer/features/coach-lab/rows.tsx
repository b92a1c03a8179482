import { useMemo, useState } from 'react'
import type { OutputType } from '../../../core/engine/schema/coach.ts'
import { Button, Pressable } from '../../ui/button.tsx'
import { ListFrame } from '../../ui/list-frame.tsx'
import { Block, Chip } from '../../ui/parts.tsx'
import { useRows } from '../../ui/use-rows.ts'
import { VerdictSign } from '../../views/coach/parts.tsx'
import { SOURCE_WORDS } from '../../views/coach/words.ts'
import { type LabRow, openRow, placeOfRow } from './state.ts'

/** A row with its number in the whole result, which stays the same under any filter. */
export type NumberedRow = LabRow & { readonly at: number }

interface Props {
  readonly rows: readonly NumberedRow[]
  readonly empty: string
}

const ROW_PX = 34

/** The chosen rows, before → after; a press shows the text and the coaching, or opens the session. */
export function LabRows({ rows, empty }: Props) {
  if (rows.length === 0) return <p className="lab-none line-above quiet">{empty}</p>
  return <List rows={rows} />
}

function List({ rows }: Pick<Props, 'rows'>) {
  const [open, setOpen] = useState<number | null>(null)
  const source = useMemo(
    () => ({
      count: rows.length,
      keyAt: (nth: number) => rows[nth]?.at ?? -1,
      estimate: () => ROW_PX,
    }),
    [rows],
  )
  const view = useRows(source)
  return (
    <ListFrame
      view={view}
      className="lab-rows scroll line-above"
      role="list"
      label="Rows of the lab"
    >
      {(nth) => {
        const row = rows[nth]
        return (
          row && (
            <div key={row.at} ref={view.row} data-index={nth} role="listitem">
              <Row
                row={row}
                open={open === row.at || rows.length === 1}
                onToggle={() => setOpen(open === row.at ? null : row.at)}
              />
            </div>
          )
        )
      }}
    </ListFrame>
  )
}

function Sign({ type }: { readonly type: OutputType }) {
  return (
    <span className="gap-5 medium baseline inline-flex" title={type}>
      <VerdictSign type={type} />
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
    <div className="line-below">
      <Pressable
        className="lab-row-head row text-s gap-12 full-width hoverable"
        aria-expanded={open}
        onClick={onToggle}
      >
        <span className="lab-verdicts inline-row no-shrink gap-6">
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
      </Pressable>
      {open && <Details row={row} />}
    </div>
  )
}

function Details({ row }: { readonly row: LabRow }) {
  const place = placeOfRow(row)
  const where = row.from === 'shipped' ? 'A labelled output that comes along' : `Session ${row.id}`
  return (
    <div className="lab-details stack text-s gap-6">
      <p className="quiet">
        {row.id === 'text' ? 'The selected output' : where} · {SOURCE_WORDS[row.after.source].words}
        , {row.after.confidence.toFixed(2)}
        {row.from === 'session' && row.id !== 'text' && (
          <>
            {' · '}
            {place ? (
              <Button kind="link" onClick={() => openRow(row)}>
                Open it
              </Button>
            ) : (
              'its transcript is not open'
            )}
          </>
        )}
      </p>
      <Block label="Beginning of the output">{row.preview}</Block>
      {row.coaching !== null && (
        <p>
          <span className="quiet">Coaching:</span> {row.coaching}
        </p>
      )}
    </div>
  )
}
