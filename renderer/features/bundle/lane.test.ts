import { describe, expect, test } from 'vitest'
import type { StepBar } from '../../../core/engine/schema/bundle-wire.ts'
import { turnBefore } from '../../timeline/placed.ts'
import { barAt, markOf, reallyOver, shareOf, spokenAt, tokenLane } from './lane.ts'

function step(seq: number, more: Partial<StepBar> = {}): StepBar {
  return {
    seq,
    stepId: 3,
    label: '3',
    runId: 'r',
    estimator: 'larger',
    context: 1000,
    reserve: 200,
    tiers: { tier0: 100, tier1: 50, history: 0, telemetry: 20 },
    framing: 2,
    headroom: 628,
    fitsAtContext: 372,
    cut: [],
    tier0OverContext: false,
    measures: [],
    recordedSame: null,
    diagnostics: 0,
    problem: null,
    ...more,
  }
}

const measure = (estimator: string, over: StepBar['measures'][number]['over']) => ({
  estimator,
  total: 1,
  tiers: [],
  over,
  overContext: false,
})
/** Prompts of turns 0 and 2. */
const prompts = { tokens: Int32Array.of(400, -1, 900, -1), budget: 800 }

describe('places of steps', () => {
  test('an event that is no turn stands at the turn before it, at the first where none is', () =>
    expect([0, 1, 3, 4, 99].map((seq) => turnBefore([1, 4, 11], seq))).toEqual([0, 0, 0, 1, 2]))

  test('prompt and steps of one turn share its column in the order of their events', () => {
    const lane = tokenLane([1, 4, 11, 13], [step(0), step(2), step(12)], prompts)!
    expect(lane.bars.map(({ seq, position }) => [seq, Math.round(position * 100) / 100])).toEqual([
      [0, 0.17],
      [-1, 0.5],
      [2, 0.83],
      [-1, 2.25],
      [12, 2.75],
    ])
    expect(barAt(lane, 0.8, 0)?.seq).toBe(2)
    expect(barAt(lane, 1.5, 0.1)).toBeNull()
  })

  test('stacks add up to the prompt; limits far above the bars do not flatten them', () => {
    const far = tokenLane([1], [step(2, { context: 32_768, headroom: 32_396 })], null)!
    expect(far.bars[0]).toMatchObject({ stack: [100, 50, 0, 20, 2], used: 172, reserve: 200 })
    expect(far.top).toBe(372)
    expect(tokenLane([1], [step(2, { context: 400 })], null)!.top).toBe(400)
    const one = { tokens: Int32Array.of(9), budget: 8000 }
    expect(tokenLane([1], [], one)!.top).toBe(8000)
    expect(shareOf(100, 400)).toBe(0.5)
    expect(tokenLane([], [step(2)], prompts)).toBeNull()
  })
})

describe('marks', () => {
  test('the worst wins: no bundle, tier 0 over, cut, really over, another prompt sent', () => {
    const measures = [measure('larger', []), measure('o200k_base', ['tier1'])]
    const worse = [{ recordedSame: false }, { measures }, { cut: ['tier1'] as const }]
    const marks = [...worse, { headroom: -1 }, { problem: 'x' }].map((_, at, all) =>
      markOf(
        step(
          1,
          Object.fromEntries(all.slice(0, at + 1).flatMap(Object.entries)) as Partial<StepBar>,
        ),
      ),
    )
    expect(marks).toEqual(['differs', 'real', 'cut', 'over', 'problem'])
    expect(markOf(step(1))).toBe('none')
  })

  test('[A10] a tier that its own estimator calls over is not "really" over', () => {
    const measures = [measure('larger', ['tier0']), measure('o200k_base', ['tier0', 'tier1'])]
    expect(reallyOver(step(1, { measures }))).toEqual(['tier1'])
  })

  test('screen readers hear the steps of a turn', () => {
    const lane = tokenLane([1, 4], [step(2, { cut: ['tier1'] }), step(5, { problem: 'x' })], null)!
    expect(spokenAt(lane, 0)).toBe('step 3: 172 of 800 tokens, tier 1 cut')
    expect(spokenAt(lane, 1)).toBe('step 3: no bundle')
    expect(spokenAt(tokenLane([1], [], prompts)!, 0)).toBe('')
  })
})
