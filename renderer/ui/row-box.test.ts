import { expect, it } from 'vitest'
import { type Range, RowBox } from './row-box.ts'

const ROW_PX = 52

/** The parts of three elements that a box of rows uses; without a page nothing is laid out. */
function boxOn() {
  const parts = [0, 1, 2].map(() => ({ scrollTop: 0, style: { height: '', paddingTop: '' } }))
  const [scroller, sizer, rows] = parts
  if (!scroller || !sizer || !rows) throw new Error('three parts')
  const box = new RowBox()
  // The code under test uses only the members listed above.
  box.scroller(scroller as unknown as HTMLElement)
  box.sizer(sizer as unknown as HTMLElement)
  box.rows(rows as unknown as HTMLElement)
  let range: Range = { from: 0, to: 0 }
  box.listen({
    range: (next) => {
      range = next
    },
    top: () => undefined,
    end: () => undefined,
  })
  const source = (count: number) => {
    box.setSource({ count, keyAt: (at) => at, estimate: () => ROW_PX })
    box.place()
  }
  /** Pixels from the top of the visible area to the top of a row. */
  const seenAt = (row: number) =>
    Number.parseFloat(rows.style.paddingTop) + (row - range.from) * ROW_PX - scroller.scrollTop
  return { box, source, seenAt, range: () => range, sizer }
}

const far = 550_000

it('[U11] a list higher than a browser can lay out shows the row that is jumped to', () => {
  const { box, source, seenAt, range, sizer } = boxOn()
  source(1_400_000)
  box.scrollTo(far)
  box.place()
  expect(sizer.style.height).toBe('30000000px')
  expect(range().from).toBeLessThanOrEqual(far)
  expect(range().to).toBeGreaterThan(far)
  expect(Math.abs(seenAt(far))).toBeLessThan(2 * ROW_PX)
  box.scrollTo(1_399_999)
  box.place()
  expect(Math.abs(seenAt(1_399_999))).toBeLessThan(2 * ROW_PX)
})

it('[U2] [U11] what is in view stays there when such a list grows', () => {
  const { box, source, seenAt } = boxOn()
  source(600_000)
  box.scrollTo(far)
  box.place()
  const before = seenAt(far)
  for (const count of [700_000, 900_000, 1_400_000]) {
    source(count)
    expect([count, Math.abs(seenAt(far) - before) < 1]).toEqual([count, true])
  }
})
