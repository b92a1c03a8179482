import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline, initialBeliefState } from '../../pipeline.ts'
import type { Preset } from '../../schema/preset.ts'
import type { BeliefState, WhyNot } from '../../schema/trace.ts'
import { traceTurn } from '../../trace.ts'

const set = compileFixture([
  { name: 'investigation', signals: ['inv1', 'inv2', 'inv3'] },
  { name: 'coding', signals: ['cod1', 'cod2'] },
  { name: 'planning', signals: ['pla1', 'pla2'] },
  { name: 'file_ops', signals: ['ls1'] },
  { name: 'conversation', signals: ['hello'] },
])
const strong: BeliefState = {
  signature: 'coding+investigation',
  momentum: 5,
  primary: 'investigation',
  resistedRun: 2,
  unsupportedRun: 2,
}

function whyNot(domain: string, text: string, state = initialBeliefState, preset?: Preset): WhyNot {
  const pipeline = must(createPipeline(set, preset ?? loadPreset('recommended'), null))
  const trace = traceTurn(pipeline, { turn: 0, seq: 0, kind: 'user', text, state })
  return trace.whyNot.find((item) => item.domain === domain)!
}

function changes(item: WhyNot): readonly string[] {
  return item.changes.map(({ what, from, to }) => `${what}: ${from} → ${to}`)
}

describe('why not, and the nearest flip', () => {
  it('lists every domain but the primary', () => {
    const pipeline = must(createPipeline(set, loadPreset('recommended'), null))
    const trace = traceTurn(pipeline, {
      turn: 0,
      seq: 0,
      kind: 'user',
      text: 'inv1',
      state: initialBeliefState,
    })
    expect(trace.whyNot.map(({ domain }) => domain)).toEqual([
      'coding',
      'planning',
      'file_ops',
      'conversation',
    ])
  })

  it('[C1] counts the missing signals', () => {
    expect(whyNot('planning', 'inv1 inv2 pla1')).toMatchObject({
      score: 1,
      reason: 'It scored 1, investigation 2.',
      signalsNeeded: 2,
      changes: [],
    })
    expect(whyNot('coding', 'inv1')).toMatchObject({
      reason: 'None of its signals matched.',
      signalsNeeded: 2,
    })
  })

  it('[C2] offers a better priority for a tie', () => {
    const item = whyNot('coding', 'inv1 cod1')
    expect(item.reason).toBe('It tied with investigation at 1, and priority decided.')
    expect(changes(item)).toEqual(['priority.coding: 4 → 0'])
  })

  it('[B1] offers what would let a resisted domain break', () => {
    const item = whyNot('file_ops', 'ls1', strong)
    expect(item.reason).toBe('It scored first, but momentum kept coding+investigation (B1).')
    expect(item.signalsNeeded).toBeNull()
    expect(changes(item)).toEqual([
      'momentum before the turn: 5 → 2',
      'momentumThreshold: 3 → 6',
      'breakMinSignals.file_ops: never → 1',
      'maxResistedTurns: none → 2',
      'decayAfterTurns: none → 2',
    ])
  })

  it('[B6] offers the other primary in force', () =>
    expect(changes(whyNot('coding', 'ls1', strong))).toContain(
      'primary before the turn: investigation → coding',
    ))

  it('[B5] [L4] [L5] says which option decided', () => {
    const yields = whyNot('conversation', 'hello pla1')
    expect(yields.reason).toBe('The default domain yields to any other match (B5).')
    expect(changes(whyNot('planning', 'inv1 inv2 pla1 pla2', strong))).toContain(
      'challengerWinsTies: false → true',
    )
    const field = whyNot('planning', 'pla1', initialBeliefState, loadPreset('field'))
    expect(field.reason).toBe('It needs 2 signals to be primary (L5).')
    expect(changes(field)).toEqual(['minSignals.planning: 2 → 1'])
    expect(field.signalsNeeded).toBe(1)
  })
})
