import { useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Range, RowBox, type RowSource } from './row-box.ts'

interface Options {
  /** The first visible row changed. */
  readonly onTop?: (at: number) => void
  /** The reader left the end, or came back to it. */
  readonly onEnd?: (isAtEnd: boolean) => void
  /** Keep the last row in sight while rows are added. */
  readonly stick?: boolean
  /** Brought into view whenever it is another row; -1 = none. */
  readonly current?: number
}

type Attach = (element: HTMLElement | null) => void

export interface Rows extends Range {
  readonly box: RowBox
  readonly scroller: Attach
  readonly sizer: Attach
  readonly rows: Attach
  readonly row: RowBox['row']
}

const nothing = (): void => undefined

/** Rows of one height, known by their place. */
export function alike(count: number, height: number): RowSource {
  return { count, keyAt: (at) => at, estimate: () => height }
}

/**
 * A virtual list for `ListFrame`: it renders rows `from` to `to` (exclusive), each with `data-index`, and
 * with `ref={row}` where heights differ. `source` must be memoised.
 */
export function useRows(source: RowSource, options: Options = {}): Rows {
  const { onTop = nothing, onEnd = nothing, stick = false, current = -1 } = options
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
  useEffect(() => {
    if (current >= 0) box.scrollTo(current)
  }, [box, current])
  const to = Math.min(range.to, source.count)
  const { scroller, sizer, rows, row } = box
  return { box, scroller, sizer, rows, row, from: Math.min(range.from, to), to }
}
