import { useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Range, type RowSource, RowBox } from './row-box.ts'

interface Options {
  /** The first visible row changed. */
  readonly onTop?: (at: number) => void
  /** The reader left the end, or came back to it. */
  readonly onEnd?: (isAtEnd: boolean) => void
  /** Keep the last row in sight while rows are added. */
  readonly stick?: boolean
}

type Attach = (element: HTMLElement | null) => void

interface Rows extends Range {
  readonly box: RowBox
  readonly scroller: Attach
  readonly sizer: Attach
  readonly rows: Attach
  readonly row: RowBox['row']
}

const nothing = (): void => undefined

/**
 * A virtual list: render rows `from` to `to` (exclusive) into an element with `ref={rows}`, inside
 * `sizer`, inside `scroller`, each with `data-index`, and with `ref={row}` where heights differ. `source` must be memoised.
 */
export function useRows(source: RowSource, options: Options = {}): Rows {
  const { onTop = nothing, onEnd = nothing, stick = false } = options
  const [range, setRange] = useState<Range>({ from: 0, to: 0 })
  const [box] = useState(() => new RowBox())
  useLayoutEffect(() =>
    box.listen({
      range: (next, now) => {
        if (now) flushSync(() => setRange(next))
        else setRange(next)
      },
      top: onTop,
      end: onEnd,
    }),
  )
  useLayoutEffect(() => box.start(), [box])
  useLayoutEffect(() => box.setSource(source), [box, source])
  useLayoutEffect(() => box.setStick(stick), [box, stick])
  useLayoutEffect(() => box.place(), [box, range])
  const to = Math.min(range.to, source.count)
  const { scroller, sizer, rows, row } = box
  return { box, scroller, sizer, rows, row, from: Math.min(range.from, to), to }
}
