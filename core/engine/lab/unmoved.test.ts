import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../fixtures/load.ts'
import { createPipeline, type Pipeline } from '../pipeline.ts'
import type { BeliefOptions } from '../schema/preset.ts'
import { createClassScores } from './class-scores.ts'
import { createFolding, createFoldNames, INITIAL_STATE } from './fold-rules.ts'
import { createScoreClasses, planSlots } from './score-class.ts'
import { createUnmoved } from './unmoved.ts'

const NAMES = ['coding', 'planning', 'git_ops', 'file_ops', 'conversation']
const EDITED = 2

/** Domains of which each has as many signals as turns fire of it. */
const domain = (name: string) =>
  fc.record(
    {
      name: fc.constant(name),
      signals: fc.constant(['a', 'b', 'c', 'd', { pattern: 'e', weight: 0.5 }]),
      priority: fc.integer({ min: 0, max: 2 }),
      minSignals: fc.integer({ min: 1, max: 2 }),
      breakMinSignals: fc.option(fc.integer({ min: 0, max: 3 })),
      minScore: fc.constantFrom(0.5, 2),
    },
    { requiredKeys: ['name', 'signals'] },
  )
const options: fc.Arbitrary<Partial<BeliefOptions>> = fc.record(
  {
    momentumThreshold: fc.integer({ min: 1, max: 3 }),
    secondaryMinSignals: fc.integer({ min: 0, max: 2 }),
    defaultDomain: fc.constantFrom('conversation', 'coding', 'nowhere'),
    defaultDomainYields: fc.boolean(),
    heldConfidenceFromScores: fc.boolean(),
    widenMinSignals: fc.option(fc.integer({ min: 1, max: 3 })),
    stickyPrimary: fc.boolean(),
    maxResistedTurns: fc.option(fc.integer({ min: 1, max: 2 })),
    decayAfterTurns: fc.option(fc.integer({ min: 1, max: 2 })),
    challengerWinsTies: fc.boolean(),
  },
  { requiredKeys: [] },
)
const pipeline = fc
  .record({ domains: fc.tuple(...NAMES.map(domain)), options, off: fc.subarray(NAMES) })
  .map(({ domains, options: given, off }) => {
    const preset = loadPreset('recommended')
    const belief = { ...preset.belief, antiSignals: [], ...given }
    const profile = { ...PROFILE, disabled_domains: off }
    return must(createPipeline(compileFixture(domains), { ...preset, belief }, profile))
  })
const PROFILE = { model: 'any', disabled_domains: [] as readonly string[] }

/** How many signals of each domain fire on a turn, and how many of the edited one after the edit. */
const turns = fc.array(
  fc.record({
    counts: fc.tuple(...NAMES.map(() => fc.nat({ max: 5 }))),
    edited: fc.nat({ max: 5 }),
  }),
  { minLength: 1, maxLength: 12 },
)

const firedOf = ({ belief }: Pipeline, counts: readonly number[]): readonly number[] =>
  belief.set.domains.flatMap(({ firstSignal }, place) =>
    Array.from({ length: counts[place] ?? 0 }, (_, index) => firstSignal + index),
  )

it('[L105] an outcome that is said to stay is what the rules decide anew', () => {
  let stayed = 0
  fc.assert(
    fc.property(pipeline, turns, (made, all) => {
      const classes = createScoreClasses()
      const names = createFoldNames()
      const folding = createFolding(names)
      const plan = planSlots(made, classes)
      const { scored, scoreIn } = createClassScores(made, plan, classes)
      const outcomes = folding.outcomes(made.belief, scored)
      const unmoved = createUnmoved({ pipeline: made, names, folding, places: [EDITED], scoreIn })
      const classOf = (counts: readonly number[]): number => {
        const slots = firedOf(made, counts).map((number) => plan.slots[number]!)
        return classes.classOf(slots, 0, slots.length)
      }
      let state = INITIAL_STATE
      for (const { counts, edited } of all) {
        const before = outcomes(classOf(counts), state)
        const one = classOf(counts.with(EDITED, edited))
        if (unmoved?.(before, one, state) === true) {
          stayed += 1
          const anew = outcomes(one, state)
          expect(folding.after(before)).toBe(folding.after(anew))
          expect(folding.shown(before)).toBe(folding.shown(anew))
          // A later edit starts from the old outcome: what it keeps of the text must hold too.
          expect(folding.text(before)).toBe(folding.text(anew))
          expect(folding.floor(before)).toBe(folding.floor(anew))
        }
        state = folding.after(before)
      }
    }),
    { numRuns: 300 },
  )
  expect(stayed).toBeGreaterThan(150)
})
