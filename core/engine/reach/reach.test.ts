import { describe, expect, test } from 'vitest'
import { someCases } from '../../../fixtures/cases.ts'
import { finish } from '../../../fixtures/lab-corpus.ts'
import { compileFixture, loadPreset, must } from '../../../fixtures/load.ts'
import { defaultPipeline } from '../../../fixtures/workspace.ts'
import {
  createPipeline,
  initialBeliefState,
  stepTurn,
  type Pipeline,
  type TurnOutcome,
} from '../pipeline.ts'
import type { BeliefOptions } from '../schema/preset.ts'
import type { ModelProfile } from '../schema/profile.ts'
import type { Reach } from '../schema/reach.ts'
import { unguarded, type Guard } from '../matcher/scan.ts'
import { compileSignal } from '../matcher/signal.ts'
import { reachAll } from './reach.ts'
import { reachSignal } from './signal-reach.ts'

function pipelineOf(
  domains: readonly unknown[],
  options: Partial<BeliefOptions> = {},
  profile: ModelProfile | null = null,
): Pipeline {
  const preset = loadPreset('recommended')
  const belief = { ...preset.belief, ...options }
  return must(createPipeline(compileFixture(domains), { ...preset, belief }, profile))
}

const allOf = (pipeline: Pipeline) => finish(reachAll(pipeline))
const find = (all: readonly Reach[], kind: Reach['kind'], name: string) =>
  all.find((one) => one.kind === kind && one.name === name)

/** Returns the rule that decided a tie of the first two; null if there was no tie. */
function tieOf({ scored }: TurnOutcome): string | null {
  const [first, second] = scored.ranked
  if (first === undefined || first.score !== second?.score) return null
  return first.priority === second.priority ? 'order' : 'priority'
}

/**
 * Whether the last message of the witness shows the claimed behavior. Checked by a replay of the witness texts alone.
 */
function isTrue(pipeline: Pipeline, reach: Reach): boolean {
  let state = initialBeliefState
  let last = stepTurn(pipeline, state, reach.witness[0] ?? '')
  for (const text of reach.witness.slice(1)) {
    state = last.state
    last = stepTurn(pipeline, state, text)
  }
  switch (reach.kind) {
    case 'signal': {
      const domain = pipeline.belief.set.byName.get(reach.domain ?? '')
      return last.fired.includes((domain?.firstSignal ?? 0) + (reach.signal ?? 0))
    }
    case 'domain':
      return last.scored.primary.domain === reach.name
    case 'tie-break':
      return tieOf(last) === reach.name
    case 'gate':
      return !last.plan.primary_enrichment || !last.plan.secondary_enrichment
    case 'rule':
      return last.rule === reach.name
  }
}

test.each(someCases('reach: presets', ['literal', 'recommended', 'field']))(
  '[K21] of the shipped domains under %s every witness holds in a replay, and hardly a signal has none',
  async (preset) => {
    const pipeline = await defaultPipeline(preset)
    const all = allOf(pipeline)
    const reached = all.filter(({ status }) => status === 'reached')
    expect(reached.filter((one) => !isTrue(pipeline, one))).toEqual([])
    const signals = all.filter(({ kind }) => kind === 'signal')
    expect(signals).toHaveLength(pipeline.belief.set.signals.length)
    const without = signals.filter(({ status }) => status !== 'reached')
    expect(without.length).toBeLessThan(signals.length * 0.02)
    expect(all.filter(({ kind, status }) => kind === 'domain' && status !== 'reached')).toEqual([])
    // Only disabled rules are unreachable, and they are marked as off.
    expect(all.filter(({ status, off }) => status === 'never' && !off)).toEqual([])
    expect(all.filter(({ kind, status }) => kind === 'rule' && status === 'undecided')).toEqual([])
  },
)

test('[K21] options that are on have a witness: L2, L3, L4, B14', () => {
  const domains = [
    { name: 'coding', priority: 1, signals: ['cod1', 'cod2'] },
    { name: 'bugfix', priority: 2, signals: ['bug1', 'bug2'] },
    { name: 'file_ops', priority: 3, signals: ['ls1'] },
    { name: 'conversation', priority: 9, signals: ['hello'] },
  ]
  const pipeline = pipelineOf(domains, {
    maxResistedTurns: 4,
    decayAfterTurns: 6,
    challengerWinsTies: true,
    stickyPrimary: true,
  })
  for (const name of ['L2', 'L3', 'L4', 'B14']) {
    const reach = find(allOf(pipeline), 'rule', name)
    expect(reach).toMatchObject({ status: 'reached', off: false })
    expect(reach && isTrue(pipeline, reach)).toBe(true)
  }
})

describe('[K22] proofs', () => {
  const signalOf = (pattern: string, dialect: 'python' | 'js' = 'python') =>
    reachSignal(
      must(compileSignal({ pattern, dialect }, 'x', { asciiBoundaries: false })),
      unguarded,
    )

  test.each([
    ['foo^bar', 'python'],
    [String.raw`a\bb`, 'python'],
    ['(?!foo)foo', 'python'],
    ['(?!foo)foo', 'js'],
    ['x(?!F)foo', 'python'],
    ['(?=a)b', 'js'],
    ['(?:(?!a)ab|(?=c)d)', 'python'],
    [String.raw`(?!\w)foo`, 'python'],
  ] as const)('%s in %s: no text', (pattern, dialect) => {
    expect(signalOf(pattern, dialect)).toMatchObject({ status: 'never' })
  })

  test.each([
    ['(?!foo)fo', 'python'],
    ['(?!bar)foo', 'js'],
    ['(?:(?!a)ab|c)', 'python'],
    [String.raw`(?=.*bug)(?=.*git)`, 'python'],
    [String.raw`(?<!\w)\.env\b`, 'python'],
    [String.raw`(?<a>x)\k<a>`, 'js'],
    ['请debug这个', 'python'],
    ['(?=foo)(?:foobar|x)', 'python'],
    ['(?!A)(?-i:a)', 'python'],
  ] as const)('%s in %s: a text, or nothing is said', (pattern, dialect) => {
    expect(signalOf(pattern, dialect).status).not.toBe('never')
  })

  test('a domain whose signals are too few, cannot match, or are all another’s', () => {
    const all = allOf(
      pipelineOf(
        [
          { name: 'wide', priority: 1, signals: ['one', 'two', 'three'] },
          { name: 'narrow', priority: 2, signals: ['two', 'one'] },
          { name: 'few', priority: 3, signals: ['alpha', 'beta'], minSignals: 3 },
          { name: 'dead', priority: 4, signals: ['x^y'] },
          { name: 'empty', priority: 5, signals: [] },
          { name: 'weak', priority: 6, minScore: 3, signals: [{ pattern: 'gamma', weight: 2 }] },
        ],
        { defaultDomain: 'other' },
      ),
    )
    const why = (name: string) => {
      const { status, why: said } = find(all, 'domain', name) ?? {}
      return [status, said]
    }
    expect(why('wide')[0]).toBe('reached')
    expect(why('narrow')).toEqual([
      'never',
      'wide has all of its signals and comes before it on every tie',
    ])
    expect(why('few')).toEqual([
      'never',
      'it needs 3 signals to be primary and has 2 that can match',
    ])
    expect(why('dead')).toEqual(['never', 'none of its signals can match'])
    expect(why('empty')).toEqual(['never', 'it has no signals'])
    expect(why('weak')).toEqual(['never', 'it needs a score of 3 and can have 2'])
  })

  test('a domain with the signals of one before it is reached where that one may not be primary', () => {
    const pipeline = pipelineOf(
      [
        { name: 'wide', priority: 1, signals: ['one', 'two', 'three'], minSignals: 3 },
        { name: 'narrow', priority: 2, signals: ['two', 'one'] },
      ],
      { defaultDomain: 'other' },
    )
    expect(find(allOf(pipeline), 'domain', 'narrow')).toMatchObject({ status: 'reached' })
  })

  test('a gate on a domain that nothing reaches, and one on a domain that is', () => {
    const profile = { disabled_domains: ['dead', 'coding'] } as unknown as ModelProfile
    const all = allOf(
      pipelineOf(
        [
          { name: 'coding', priority: 1, signals: ['cod1'] },
          { name: 'dead', priority: 2, signals: ['x^y'] },
        ],
        {},
        profile,
      ),
    )
    expect(find(all, 'gate', 'coding')).toMatchObject({ status: 'reached' })
    expect(find(all, 'gate', 'dead')).toMatchObject({ status: 'never' })
  })
})

test('[K23] where neither can be had, it is said: no text, or a pattern that the watchdog stops', () => {
  const compiled = must(
    compileSignal({ pattern: '(?!.*x)y*z*x', dialect: 'js' }, 'x', { asciiBoundaries: false }),
  )
  expect(reachSignal(compiled, unguarded)).toMatchObject({ status: 'undecided' })
  const stopped: Guard = () => false
  expect(reachSignal(compiled, stopped)).toEqual({
    status: 'undecided',
    why: 'the pattern ran out of time on a short text',
  })
})

test('[K21] candidates that run out of time together are tried one by one, with the same answer', () => {
  const signals = ['(?:fix|mend) the (?:parser|lexer)', '\\d+ of \\d+', 'a(?!a)', '(?=b)a'].map(
    (pattern) => must(compileSignal({ pattern }, 'd', { asciiBoundaries: false })),
  )
  for (const signal of signals) {
    const calls = { count: 0 }
    const cutOffAtFirst: Guard = (run) => {
      calls.count += 1
      if (calls.count > 1) return unguarded(run)
      return false
    }
    expect(reachSignal(signal, cutOffAtFirst)).toEqual(reachSignal(signal, unguarded))
    expect(calls.count).toBeGreaterThan(1)
  }
})
