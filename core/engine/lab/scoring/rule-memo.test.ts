import fc from 'fast-check'
import { expect, it } from 'vitest'
import { atLeast, casesOf } from '../../../../fixtures/cases.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { buildPlan } from '../../belief/enrichment.ts'
import { applyMomentum } from '../../belief/momentum.ts'
import { scoreTurn } from '../../belief/step.ts'
import { identityOf } from '../../matcher/identity.ts'
import { createPipeline, type Pipeline } from '../../pipeline.ts'
import type { BeliefOptions } from '../../schema/preset.ts'
import { createColumns } from './changed-columns.ts'
import { createCounts, type CountColumns, type Counts, type Firing } from './count-columns.ts'
import { createFoldNames, INITIAL_STATE, shownOf, type FoldNames } from './fold-rules.ts'
import { createRuleMemo, type RuleMemo, type TurnRules } from './rule-memo.ts'
import { planSlots } from './score-class.ts'

const NAMES = ['coding', 'planning', 'git_ops', 'file_ops', 'conversation']
const EDITED = 2
const SIGNALS = ['a', 'b', 'c', { pattern: 'd', group: 'one' }, { pattern: 'e', weight: 0.5 }]
const MANY = [...SIGNALS, { pattern: 'f', group: 'one', weight: 2 }, 'g', 'h']
const EXCLUDING = [...SIGNALS, { pattern: 'f', excludes: true }]

const domain = (name: string) =>
  fc.record(
    {
      name: fc.constant(name),
      signals: fc.constantFrom(SIGNALS, MANY, EXCLUDING),
      priority: fc.integer({ min: 0, max: 2 }),
      minSignals: fc.integer({ min: 1, max: 2 }),
      breakMinSignals: fc.option(fc.constantFrom(0, 2)),
      minScore: fc.constantFrom(0.5, 2),
    },
    { requiredKeys: ['name', 'signals'] },
  )
const options: fc.Arbitrary<Partial<BeliefOptions>> = fc.record(
  {
    momentumThreshold: fc.integer({ min: 1, max: 3 }),
    secondaryMinSignals: fc.constantFrom(0, 1, 3),
    defaultDomain: fc.constantFrom('conversation', 'coding', 'nowhere'),
    defaultDomainYields: fc.boolean(),
    breakMinSignals: fc.constantFrom(null, {}, { git_ops: null }),
    heldConfidenceFromScores: fc.boolean(),
    keepPrimaryWhenResisting: fc.boolean(),
    primaryDisabledStopsSecondary: fc.boolean(),
    belowThresholdStopsSecondary: fc.boolean(),
    widenMinSignals: fc.constantFrom(null, 3, 4),
    stickyPrimary: fc.boolean(),
    maxResistedTurns: fc.option(fc.integer({ min: 1, max: 2 })),
    decayAfterTurns: fc.option(fc.integer({ min: 1, max: 2 })),
    challengerWinsTies: fc.boolean(),
    antiSignals: fc.constantFrom(
      [],
      [
        { pattern: 'x', domains: ['git_ops', 'coding'], factor: 0.3 },
        { pattern: 'y', domains: ['git_ops'], factor: 0 },
      ],
    ),
  },
  { requiredKeys: [] },
)
const pipeline = fc
  .record({
    domains: fc.tuple(...NAMES.map(domain)),
    options,
    off: fc.subarray(NAMES),
    together: fc.boolean(),
  })
  .map(({ domains, options: given, off, together }) => {
    const preset = loadPreset('recommended')
    const belief = { ...preset.belief, ...given }
    const profile = { model: 'any', disabled_domains: off }
    const set = compileFixture(domains)
    const kind = together ? 'skill-rules' : set.kind
    return must(createPipeline({ ...set, kind }, { ...preset, belief }, profile))
  })

const bits = fc.bigInt({ min: 0n, max: (1n << 40n) - 1n })
/** Which signals fire on a turn: bits by number, few of them. On half of the turns no anti-signal does. */
const turns = fc.array(
  fc.record({
    bits: fc.tuple(bits, bits, bits).map(([one, other, third]) => one & other & third),
    anti: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
)
/** States that hold one domain or two, and have counted a while. */
const held = fc.array(
  fc
    .record({
      domains: fc.subarray(NAMES, { minLength: 1, maxLength: 2 }),
      momentum: fc.integer({ min: 0, max: 4 }),
      resistedRun: fc.nat(2),
      unsupportedRun: fc.nat(2),
    })
    .map(({ domains, ...rest }) => {
      return { ...rest, signature: domains.toSorted().join('+'), primary: domains[0] ?? null }
    }),
  { maxLength: 12 },
)
type Turns = typeof turns extends fc.Arbitrary<infer T> ? T : never

function firedOf({ belief, signals }: Pipeline, turn: Turns[number]): readonly number[] {
  const own = belief.set.signals.length
  return [...signals.keys()].filter((number) =>
    number < own
      ? (turn.bits >> BigInt(number)) & 1n
      : turn.anti && (turn.bits >> BigInt(number - own)) & 1n,
  )
}

function firingOf(made: Pipeline, all: Turns, counts: Counts): Firing {
  return firingBy(
    made,
    all.map((turn) => firedOf(made, turn)),
    counts,
  )
}

function firingBy(made: Pipeline, fired: ReadonlyArray<readonly number[]>, counts: Counts): Firing {
  return {
    plan: planSlots(made, counts.slots),
    identities: made.signals.map(identityOf),
    found: made.signals.map((_, number) => ({
      posting: Uint32Array.from([...fired.keys()].filter((turn) => fired[turn]?.includes(number))),
      cut: [],
    })),
  }
}

const cellsOf = (columns: CountColumns) =>
  [...columns].map(([counted, column]) => [counted, [...column]])

/** Other matches of the edited domain alone. */
function edited({ belief }: Pipeline, before: Turns, after: Turns): Turns {
  const { firstSignal, signals } = belief.set.domains[EDITED]!
  const own = ((1n << BigInt(signals.length)) - 1n) << BigInt(firstSignal)
  return before.map((one, turn) => {
    const other = after[turn % after.length]?.bits ?? 0n
    return { bits: (one.bits & ~own) | (other & own), anti: one.anti }
  })
}

interface Remembered {
  readonly names: FoldNames
  readonly memo: RuleMemo
  readonly rules: TurnRules
}

/** Expects the cached decision for a turn in a state to equal the decision of the rules. */
function expectDecided(
  { belief }: Pipeline,
  { turn, state, fired }: { turn: number; state: number; fired: readonly number[] },
  { names, memo, rules }: Remembered,
): void {
  const decision = applyMomentum(scoreTurn(belief, fired), names.state(state), belief.rules)
  const plan = buildPlan(decision, belief.disabled, belief.rules.options)
  const outcome = rules.outcome(turn, rules.text(turn), state)
  expect(names.state(memo.after(outcome))).toEqual(decision.state)
  expect(memo.shown(outcome)).toBe(shownOf(names, { ...decision, plan }))
}

/** All numbers of signals of three domains, up to five of two and two of the third. */
function gridOf({ belief }: Pipeline): ReadonlyArray<readonly number[]> {
  const upTo = (place: number, most: number) =>
    Array.from({ length: most + 1 }, (_, count) =>
      Array.from({ length: count }, (_each, at) => belief.set.domains[place]!.firstSignal + at),
    )
  return upTo(0, 5).flatMap((one) =>
    upTo(1, 5).flatMap((other) => upTo(2, 2).map((third) => [...one, ...other, ...third])),
  )
}

it.each<[string, Partial<BeliefOptions>, number | null]>([
  ['a limit of one that breaks', {}, 2],
  ['the usual limit', {}, null],
  ['a limit of one that joins', { widenMinSignals: 3 }, null],
  ['a limit of a second', { secondaryMinSignals: 2 }, null],
  ['silence and a challenger', { maxResistedTurns: 1, decayAfterTurns: 1 }, 3],
  ['ties', { challengerWinsTies: true }, 2],
])('[L113] scores are told apart where a rule does: %s', (_, given, breakMinSignals) => {
  const preset = loadPreset('recommended')
  const listed = ['coding', 'planning', 'analysis'].map((name, at) => ({
    name,
    signals: [{ pattern: 'h', weight: 0.5 }, 'a', 'b', 'c', 'd'],
    ...(at === 0 && breakMinSignals !== null && { breakMinSignals }),
  }))
  // No limit but those that the row is about.
  const belief = {
    ...preset.belief,
    breakMinSignals: {},
    secondaryMinSignals: 0,
    widenMinSignals: null,
    ...given,
  }
  const made = must(createPipeline(compileFixture(listed), { ...preset, belief }, null))
  const grid = gridOf(made)
  const counts = createCounts(grid.length)
  const names = createFoldNames()
  const firing = firingBy(made, grid, counts)
  const columns = createColumns(made, firing, { counts, near: null, until: grid.length })
  const memo = createRuleMemo(made, names)
  const rules = memo.on({ pipeline: made, plan: firing.plan, counts, columns })
  for (const signature of ['planning', 'analysis+planning', 'coding', 'conversation'])
    for (const momentum of [1, 3]) {
      const run = { resistedRun: momentum - 1, unsupportedRun: momentum }
      const primary = signature.split('+').at(-1) ?? null
      const state = names.stateOf({ signature, momentum, primary, ...run })
      for (const [turn, fired] of grid.entries())
        expectDecided(made, { turn, state, fired }, { names, memo, rules })
    }
})

it('[L112] [L113] what is remembered of a turn is what the rules decide of it', () => {
  fc.assert(
    fc.property(pipeline, turns, held, (made, all, more) => {
      const counts = createCounts(all.length)
      const names = createFoldNames()
      const firing = firingOf(made, all, counts)
      const columns = createColumns(made, firing, { counts, near: null, until: all.length })
      const memo = createRuleMemo(made, names)
      const rules = memo.on({ pipeline: made, plan: firing.plan, counts, columns })
      // Every turn in every state that a walk over the turns comes to, and in others.
      const walk = [INITIAL_STATE]
      for (const [turn, one] of all.entries()) {
        const scored = scoreTurn(made.belief, firedOf(made, one))
        const ranked = scored.scores.map(({ domain: name, score, barred }) => [name, score, barred])
        expect(
          rules.ranking(turn).map((score) => [score.domain, score.score, score.barred]),
        ).toEqual(ranked)
        const { state } = applyMomentum(scored, names.state(walk.at(-1)!), made.belief.rules)
        walk.push(names.stateOf(state))
      }
      for (const state of new Set([...walk, ...more.map(names.stateOf)]))
        for (const [turn, one] of all.entries())
          expectDecided(made, { turn, state, fired: firedOf(made, one) }, { names, memo, rules })
    }),
    casesOf('lab: rule memo, decisions'),
  )
})

it('[L105] a text that is said to stay is what the rules make of it anew', () => {
  let stayed = 0
  fc.assert(
    fc.property(pipeline, turns, turns, (made, before, other) => {
      const counts = createCounts(before.length)
      const memo = createRuleMemo(made, createFoldNames())
      const rulesOf = (all: Turns) => {
        const firing = firingOf(made, all, counts)
        const columns = createColumns(made, firing, { counts, near: null, until: all.length })
        return memo.on({ pipeline: made, plan: firing.plan, counts, columns })
      }
      const was = rulesOf(before)
      const is = rulesOf(edited(made, before, other))
      for (const turn of before.keys()) {
        const text = was.text(turn)
        if (!memo.staysWithout(is, turn, text, EDITED)) continue
        stayed += 1
        expect(is.text(turn)).toBe(text)
      }
    }),
    casesOf('lab: rule memo, texts'),
  )
  expect(stayed).toBeGreaterThan(atLeast('lab: rule memo, texts', 100))
})

it('[L112] columns that are shifted from an earlier answer are those that are made anew', () => {
  let shared = 0
  fc.assert(
    fc.property(pipeline, turns, turns, fc.boolean(), (made, before, other, all) => {
      const counts = createCounts(before.length)
      const until = before.length
      const first = firingOf(made, before, counts)
      const columns = createColumns(made, first, { counts, near: null, until })
      const next = all
        ? before.map((_, turn) => other[turn % other.length]!)
        : edited(made, before, other)
      const found = firingOf(made, next, counts).found.map((one, number) => {
        const known = first.found[number]!
        return String(known.posting) === String(one.posting) ? known : one
      })
      const firing = { ...first, found }
      const near = { ...first, columns, pipeline: made }
      const shifted = createColumns(made, firing, { counts, near, until })
      const anew = createColumns(made, firing, { counts, near: null, until })
      expect(cellsOf(shifted)).toEqual(cellsOf(anew))
      if (!all) shared += [...shifted].filter(([of, one]) => columns.get(of) === one).length
    }),
    casesOf('lab: rule memo, columns'),
  )
  expect(shared).toBeGreaterThan(atLeast('lab: rule memo, columns', 400))
})
