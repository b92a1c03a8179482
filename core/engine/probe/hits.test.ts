import fc from 'fast-check'
import { expect, it } from 'vitest'
import { casesOf } from '../../../fixtures/cases.ts'
import type { HitRule } from '../schema/probe.ts'
import { judge, highestThreshold } from './hits.ts'

const rule: fc.Arbitrary<HitRule> = fc.oneof(
  fc.constant({ kind: 'cosine' as const }),
  fc.record({
    kind: fc.constant('hybrid' as const),
    lexicalWeight: fc.double({ min: 0, max: 1, noNaN: true }),
    combined: fc.double({ min: 0, max: 2, noNaN: true }),
    floor: fc.double({ min: -1, max: 1, noNaN: true }),
  }),
)
const part = fc.double({ min: -1, max: 1, noNaN: true })

it('[D16] a candidate is a hit at a threshold exactly when its reach is not below it', () =>
  fc.assert(
    fc.property(
      rule,
      part,
      fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      part,
      (each, similarity, lexical, threshold) => {
        const candidate = { similarity, lexical }
        expect(highestThreshold(candidate, each) >= threshold).toBe(
          judge(candidate, threshold, each).isHit,
        )
      },
    ),
    casesOf('probe: hit'),
  ))
