import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import type { Scored } from '../../belief/score.ts'
import { scoreTurn } from '../../belief/step.ts'
import { createPipeline, type Pipeline } from '../../pipeline.ts'
import { createClassScores } from './class-scores.ts'
import { createScoreClasses, planSlots } from './score-class.ts'

const NAMES = ['coding', 'planning', 'git_ops', 'conversation']

const signal = fc.record(
  {
    pattern: fc.constantFrom('bug', 'log', 'git', 'plan', 'file'),
    weight: fc.constantFrom(0, 0.5, 2),
    group: fc.constantFrom('one', 'two'),
    excludes: fc.boolean(),
  },
  { requiredKeys: ['pattern'] },
)
const domain = (name: string) =>
  fc.record(
    {
      name: fc.constant(name),
      signals: fc.array(signal, { minLength: 1, maxLength: 5 }),
      priority: fc.integer({ min: 0, max: 2 }),
      minSignals: fc.integer({ min: 1, max: 2 }),
      minScore: fc.constantFrom(0.5, 2),
    },
    { requiredKeys: ['name', 'signals'] },
  )
const antiSignals = fc.array(
  fc.record({
    pattern: fc.constantFrom('not', 'never'),
    domains: fc.subarray(NAMES, { minLength: 1 }),
    factor: fc.constantFrom(0, 0.3, 0.7, 1),
  }),
  { maxLength: 3 },
)
const pipeline = fc.tuple(fc.tuple(...NAMES.map(domain)), antiSignals).map(([domains, antis]) => {
  const preset = loadPreset('recommended')
  const belief = { ...preset.belief, antiSignals: antis, secondaryMinSignals: 1 }
  return must(createPipeline(compileFixture(domains), { ...preset, belief }, null))
})
/** Turns by the signals that fire on them: shares of the number of signals, which is not known yet. */
const turns = fc.array(
  fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 12 }),
  {
    minLength: 1,
    maxLength: 20,
  },
)

const firedOf = ({ signals }: Pipeline, shares: readonly number[]): readonly number[] =>
  [...new Set(shares.map((share) => Math.floor(share * signals.length)))].sort((a, b) => a - b)

/** Everything except the fired signals, of which a class knows only the number. */
function withoutSignals(scored: Scored): unknown {
  return JSON.parse(
    JSON.stringify(scored, (key, value: unknown) => (key === 'signals' ? undefined : value)),
  )
}

describe('scores of classes', () => {
  it('[L103] are those of every turn of the class, with weights, groups and anti-signals', () =>
    fc.assert(
      fc.property(pipeline, turns, (made, texts) => {
        const classes = createScoreClasses()
        const plan = planSlots(made, classes)
        const ofClass = createClassScores(made, plan, classes)
        for (const shares of texts) {
          const fired = firedOf(made, shares)
          const slots = fired.map((number) => plan.slots[number]!)
          const one = classes.classOf(slots, 0, slots.length)
          const expected = scoreTurn(made.belief, classes.sample(one, plan))
          expect(ofClass.scored(one)).toEqual(expected)
          expect(withoutSignals(ofClass.scored(one))).toEqual(
            withoutSignals(scoreTurn(made.belief, fired)),
          )
        }
      }),
      casesOf('lab: class scores'),
    ))

  it('[L103] classes after one signal more or less are those of the turns themselves', () =>
    fc.assert(
      fc.property(
        fc.array(fc.nat(6), { maxLength: 12 }),
        fc.array(fc.nat(6), { maxLength: 12 }),
        (gone, come) => {
          const classes = createScoreClasses()
          let one = classes.classOf(gone, 0, gone.length)
          for (const slot of come) one = classes.shifted(one, slot, 1)
          for (const slot of gone) one = classes.shifted(one, slot, -1)
          expect(one).toBe(classes.classOf(come, 0, come.length))
        },
      ),
    ))

  it('a signal that did not fire cannot be taken away', () => {
    const classes = createScoreClasses()
    expect(() => classes.shifted(0, 3, -1)).toThrow(RangeError)
  })
})
