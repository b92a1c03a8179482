import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../../../../../../fixtures/probe/store-conformance.ts'
import { cosine, lengthOf } from '../../candidates.ts'
import { quantiseQuery, quantiseRow } from './quantise.ts'
import { Segment, emptyShortlist, paddedOf, strideOf } from './segment.ts'

/** A segment with these rows. */
function segmentOf(rows: readonly Float32Array[]): Segment {
  const dimensions = rows[0]?.length ?? 1
  const segment = new Segment(dimensions, rows.length)
  for (const row of rows) quantiseRow(row, segment.extend(1))
  return segment
}

const float = fc.oneof(
  fc.float({ min: -1, max: 1, noNaN: true }),
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, -1, 1e-30, -3e38),
)

describe('scan kernel', () => {
  it('[D31] scale times codes is off by no more than the error that the row carries', () =>
    fc.assert(
      fc.property(fc.array(float, { minLength: 1, maxLength: 70 }), (values) => {
        const vector = Float32Array.from(values)
        const bytes = new Uint8Array(strideOf(vector.length))
        quantiseRow(vector, bytes)
        const view = new DataView(bytes.buffer)
        const padded = paddedOf(vector.length)
        const length = lengthOf(vector)
        const off = Array.from(vector, (value, index) => {
          const unit = length === 0 ? 0 : value / length
          return unit - view.getFloat32(padded, true) * view.getInt8(index)
        })
        expect(view.getFloat32(padded + 4, true)).toBeGreaterThanOrEqual(Math.hypot(...off))
      }),
    ))

  it('[D31] no row that is among the k nearest is missing from the list, whatever the vectors', () => {
    const cases = fc.integer({ min: 1, max: 40 }).chain((dimensions) => {
      const vector = fc.array(float, { minLength: dimensions, maxLength: dimensions })
      return fc.record({
        rows: fc.array(vector, { minLength: 1, maxLength: 40 }),
        queries: fc.array(vector, { minLength: 1, maxLength: 8 }),
        k: fc.integer({ min: 1, max: 5 }),
      })
    })
    fc.assert(
      fc.property(cases, ({ rows, queries, k }) => {
        const vectors = rows.map((row) => Float32Array.from(row))
        const asked = queries.map((query) => Float32Array.from(query))
        const lists = asked.map(() => emptyShortlist(k))
        segmentOf(vectors).scan(asked.map(quantiseQuery), lists, 0, null)
        asked.forEach((query, index) => {
          const exact = vectors.map((vector) => cosine(query, vector))
          const least = exact.toSorted((a, b) => b - a)[k - 1] ?? -1
          const list = lists[index]
          exact.forEach((similarity, slot) => {
            const at = list?.slots.indexOf(slot) ?? -1
            if (similarity >= least) expect(at).toBeGreaterThanOrEqual(0)
            if (at >= 0) expect(list?.uppers[at]).toBeGreaterThanOrEqual(similarity)
          })
        })
      }),
    )
  })

  it.each([384, 1024, 4096])(
    '[D31] sums of %i products fit 32 bits at their largest',
    (dimensions) => {
      const ones = new Float32Array(dimensions).fill(1)
      const list = emptyShortlist(1)
      segmentOf([ones]).scan([quantiseQuery(ones)], [list], 0, null)
      expect(list.lows[0]).toBeCloseTo(1, 3)
      expect(list.uppers[0]).toBeCloseTo(1, 3)
    },
  )

  it('[D31] bounds leave few rows of many: at most 1 in 100 of random ones', () => {
    const random = randomFrom(3)
    const rows = Array.from({ length: 20_000 }, () => randomVector(384, random))
    const list = emptyShortlist(5)
    segmentOf(rows).scan([quantiseQuery(randomVector(384, random))], [list], 0, null)
    const least = list.lows.at(-1) ?? 0
    expect(list.uppers.filter((upper) => upper >= least).length).toBeLessThan(200)
  })

  it('[D31] rows that were dropped, and rows not asked for, are not found', () => {
    const random = randomFrom(5)
    const rows = Array.from({ length: 300 }, () => randomVector(20, random))
    const segment = segmentOf(rows)
    segment.drop(7)
    const query = rows[7] ?? new Float32Array(20)
    const all = emptyShortlist(300)
    segment.scan([quantiseQuery(query)], [all], 1000, null)
    expect(all.slots.toSorted((a, b) => a - b)).toEqual(
      rows.map((_, index) => 1000 + index).filter((slot) => slot !== 1007),
    )
    const some = emptyShortlist(3)
    segment.scan([quantiseQuery(query)], [some], 0, Uint32Array.of(3, 7, 9))
    expect(some.slots).toEqual([3, 9])
  })

  it('[D31] more rows with the same cosine than a list holds are all found', () => {
    const row = Float32Array.from({ length: 16 }, (_, index) => index - 3)
    const rows = Array.from({ length: 3000 }, () => row)
    const list = emptyShortlist(2)
    segmentOf(rows).scan([quantiseQuery(row)], [list], 0, null)
    expect(list.slots).toEqual(rows.map((_, index) => index))
  })
})
