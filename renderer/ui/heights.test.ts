import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHeights } from './heights.ts'

const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 70 })

it('[U11] a row stands where the heights above it add up to, also after rows were measured', () =>
  fc.assert(
    fc.property(
      sizes,
      fc.array(fc.tuple(fc.nat(69), fc.integer({ min: 1, max: 200 }))),
      (all, measured) => {
        const heights = createHeights(all.length, (at) => all[at] ?? 0)
        const plain = [...all]
        for (const [at, height] of measured) {
          if (at >= plain.length) continue
          expect(heights.set(at, height)).toBe(height - (plain[at] ?? 0))
          plain[at] = height
        }
        let top = 0
        plain.forEach((height, at) => {
          expect(heights.topOf(at)).toBe(top)
          expect(heights.rowAt(top)).toBe(at)
          expect(heights.rowAt(top + height - 0.5)).toBe(at)
          top += height
        })
        expect(heights.total).toBe(top)
        expect(heights.rowAt(top + 1000)).toBe(plain.length - 1)
      },
    ),
  ))

it('[U11] without rows there is no row at any offset', () => {
  const none = createHeights(0, () => 10)
  expect([none.total, none.rowAt(0), none.topOf(0), none.set(0, 4)]).toEqual([0, -1, 0, 0])
})
