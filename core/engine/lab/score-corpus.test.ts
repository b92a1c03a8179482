import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../fixtures/load.ts'
import { createPipeline, type Pipeline } from '../pipeline.ts'
import { replayTurns, type ReplayedTurn } from '../replay.ts'
import type { BeliefOptions } from '../schema/preset.ts'
import type { ModelProfile } from '../schema/profile.ts'
import type { Turn } from '../turns.ts'
import { createCorpus, type Corpus, type ScoredCorpus } from './corpus.ts'
import { diffCorpus } from './flips.ts'
import { createScorer, type ScoredNow, type Scorer } from './score-corpus.ts'
import { finish, labelsOf } from '../../../fixtures/lab-corpus.ts'
import { flipsByDefinition, replay } from '../../../fixtures/replays.ts'

const WORDS = [
  ...['debug', 'Debugging', 'bug', 'log', 'logs', 'catalog', 'pip install', 'pip', 'install_x'],
  ...[
    'ls',
    'git',
    '.env',
    'a-b',
    'über',
    'Grüße',
    '请debug这个',
    'ſtop',
    'stop',
    'KELVIN',
    'hello',
  ],
  ...['<think>bug git</think>', 'x'.repeat(70), `${'y'.repeat(60)}bug${'z'.repeat(30)}`, '42', '—'],
]
const PATTERNS = [
  ...[String.raw`\bdebug\b`, String.raw`\bbug\b`, 'bug', String.raw`\blogs?\b`, 'log', 'git|ls'],
  ...[String.raw`\bpip\s+install\b`, 'pip install', String.raw`\d+`, String.raw`\.env\b`, 'stop'],
  ...['über', 'grüße', String.raw`\w{5,}`, '(?=.*bug)(?=.*git)', '这个', 'k', 'kelvin', '^hello'],
  ...['a-b', 'install_x', String.raw`^\W*$`, 'zzz', 'p i', 'hello git', '—'],
]
const NAMES = ['investigation', 'coding', 'planning', 'file_ops', 'git_ops', 'conversation']

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '))
const sessions = fc.array(fc.array(text, { maxLength: 14 }), { minLength: 1, maxLength: 4 })

const signal = fc.oneof(
  fc.constantFrom(...PATTERNS),
  fc.record({ pattern: fc.constantFrom('bug', 'Git', 'ls|log'), dialect: fc.constant('js') }),
  fc.record({ pattern: fc.constantFrom('^bug', '^git.*$'), flags: fc.constant('m') }),
  // [K14] [K15] What counts otherwise, and what takes its domain out.
  fc.record(
    {
      pattern: fc.constantFrom(...PATTERNS),
      weight: fc.constantFrom(0, 0.5, 2),
      group: fc.constantFrom('one', 'two'),
      excludes: fc.boolean(),
    },
    { requiredKeys: ['pattern'] },
  ),
  fc.record({
    pattern: fc.constantFrom('bug', 'KELVIN', 'install_'),
    dialect: fc.constant('keyword'),
  }),
)
const domain = (name: string) =>
  fc.record(
    {
      name: fc.constant(name),
      signals: fc.array(signal, { maxLength: 4 }),
      priority: fc.integer({ min: 0, max: 4 }),
      minSignals: fc.integer({ min: 1, max: 2 }),
      breakMinSignals: fc.option(fc.integer({ min: 0, max: 3 })),
      minScore: fc.constantFrom(0.5, 2),
    },
    { requiredKeys: ['name', 'signals'] },
  )
const domains = fc
  .subarray(NAMES, { minLength: 1 })
  .chain((names) => fc.shuffledSubarray(names, { minLength: names.length }))
  .chain((names) => fc.tuple(...names.map(domain)))

const count = (max: number) => fc.option(fc.integer({ min: 1, max }))
const options: fc.Arbitrary<Partial<BeliefOptions>> = fc.record(
  {
    momentumThreshold: fc.integer({ min: 1, max: 4 }),
    secondaryMinSignals: fc.integer({ min: 0, max: 2 }),
    defaultDomain: fc.constantFrom('conversation', 'coding', 'nowhere'),
    breakMinSignals: fc.option(
      fc.dictionary(fc.constantFrom(...NAMES), fc.option(fc.integer({ min: 0, max: 3 }))),
    ),
    heldConfidenceFromScores: fc.boolean(),
    widenMinSignals: count(3),
    defaultDomainYields: fc.boolean(),
    keepPrimaryWhenResisting: fc.boolean(),
    primaryDisabledStopsSecondary: fc.boolean(),
    belowThresholdStopsSecondary: fc.boolean(),
    tolerant: fc.boolean(),
    stickyPrimary: fc.boolean(),
    maxResistedTurns: count(3),
    decayAfterTurns: count(3),
    challengerWinsTies: fc.boolean(),
    minSignals: fc.dictionary(fc.constantFrom(...NAMES), fc.integer({ min: 1, max: 2 })),
    antiSignals: fc.array(
      fc.record({
        pattern: fc.constantFrom('bug', 'log', String.raw`\bgit\b`),
        domains: fc.subarray(NAMES, { minLength: 1 }),
        factor: fc.constantFrom(0, 0.3, 0.5, 0.7, 1),
      }),
      { maxLength: 3 },
    ),
    maxChars: fc.option(fc.integer({ min: 2, max: 60 })),
    stripThinking: fc.boolean(),
    asciiBoundaries: fc.boolean(),
  },
  { requiredKeys: [] },
)
const profile: fc.Arbitrary<ModelProfile | null> = fc.option(
  fc.record({ disabled_domains: fc.subarray(NAMES) }).map((one) => one as ModelProfile),
)
const config = fc.record({ domains, options, profile })
type Config = typeof config extends fc.Arbitrary<infer T> ? T : never

/** From one configuration to the next: mostly one thing is edited, now and then all of it. */
const edit: fc.Arbitrary<(before: Config) => Config> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat(), fc.option(signal)).map(([of, at, entry]) => (before: Config) => {
    const edited = before.domains.map((one, index) => {
      if (index !== of % before.domains.length) return one
      const place = at % (one.signals.length + 1)
      return {
        ...one,
        signals: one.signals.toSpliced(place, 1, ...(entry === null ? [] : [entry])),
      }
    })
    return { ...before, domains: edited }
  }),
  fc.tuple(fc.nat(), fc.nat(4)).map(([of, priority]) => (before: Config) => ({
    ...before,
    domains: before.domains.map((one, index) =>
      index === of % before.domains.length ? { ...one, priority } : one,
    ),
  })),
  options.map((changed) => (before: Config) => {
    return { ...before, options: { ...before.options, ...changed } }
  }),
  fc.constant((before: Config) => ({ ...before, domains: before.domains.toReversed() })),
  profile.map((other) => (before: Config) => ({ ...before, profile: other })),
  config.map((other) => () => other),
)

function compile({ domains: entries, options: given, profile: model }: Config): Pipeline {
  const preset = loadPreset('recommended')
  const belief = { ...preset.belief, ...given }
  const set = compileFixture(entries, belief.asciiBoundaries)
  return must(createPipeline(set, { ...preset, belief }, model))
}

function turnsOf(texts: readonly string[]): readonly Turn[] {
  return texts.map((one, at) => ({ seq: at * 2, kind: 'user', text: one }))
}

function fromScratch(corpus: Corpus, pipeline: Pipeline): readonly ReplayedTurn[] {
  return corpus.sessions.flatMap(({ turns }) => [...replayTurns(pipeline, turns)])
}

function expectReplay(scored: ScoredCorpus, pipeline: Pipeline): void {
  const { corpus } = scored
  for (const [turn, { state, outcome }] of fromScratch(corpus, pipeline).entries()) {
    const { primary, secondary, plan } = outcome
    expect(scored.fired(turn)).toEqual(outcome.fired)
    expect(outcome).toMatchObject(scored.decided(turn))
    expect(scored.state(turn)).toEqual(state)
    expect(scored.after(turn)).toEqual(outcome.state)
    expect(scored.domains[scored.primary[turn]!]).toBe(primary.domain)
    expect(scored.domains[scored.secondary[turn]!]).toBe(secondary?.domain)
    const bits = (plan.primary_enrichment ? 1 : 0) + (plan.secondary_enrichment ? 2 : 0)
    expect(scored.enriched[turn]).toBe(bits)
  }
  for (const number of pipeline.signals.keys()) {
    const turns = Array.from({ length: corpus.turns }, (_, turn) => turn)
    const expected = turns.filter((turn) => scored.fired(turn).includes(number))
    expect([...scored.posting(number)]).toEqual(expected)
  }
}

function expectSameFlips(a: ScoredCorpus, b: ScoredCorpus): void {
  const named = { preset: '', domains: '', profile: null, classify: null }
  const expected = a.corpus.sessions.flatMap(({ turns }, session) =>
    flipsByDefinition(replay(a.pipeline, turns, named), replay(b.pipeline, turns, named)).map(
      // Both sides have the same turns: a corpus does not name the other's.
      ({ other: _other, ...flip }) => ({ ...flip, session }),
    ),
  )
  const diff = diffCorpus(a, b, new Map())
  expect(diff.flips).toMatchObject(expected)
  expect(diff.total).toBe(expected.length)
  expect(diff.direct).toBe(expected.filter(({ cause }) => cause === 'direct').length)
  expect(diff.momentum).toBe(expected.filter(({ cause }) => cause === 'momentum').length)
  expect(diff.primaries).toBe(expected.filter(({ fields }) => fields.includes('primary')).length)
  const counted = diff.bySession.reduce((sum, one) => sum + one.direct + one.momentum, 0)
  expect(counted).toBe(diff.total)
}

/** Domains by name with their signals. */
function pipelineOf(entries: Record<string, readonly unknown[]>): Pipeline {
  const listed = Object.entries(entries).map(([name, signals]) => ({ name, signals }))
  return must(createPipeline(compileFixture(listed), loadPreset('recommended'), null))
}

function small(): Corpus {
  return createCorpus([
    { id: 'a', turns: turnsOf(['debug log', 'git', 'hello']) },
    { id: 'b', turns: turnsOf(['nothing', 'bug git log', 'bug log']) },
  ])
}

function score(scorer: Scorer, pipeline: Pipeline, previous?: ScoredCorpus): ScoredNow {
  return finish(scorer.score(pipeline, { previous }))
}

describe('a scored corpus', () => {
  it('[T5] [T8] equals replays from scratch after any edits, and so do the flips', () =>
    fc.assert(
      fc.property(sessions, config, fc.array(edit, { maxLength: 5 }), (texts, start, edits) => {
        const corpus = createCorpus(texts.map((one, at) => ({ id: `s${at}`, turns: turnsOf(one) })))
        const scorer = createScorer(corpus)
        let before = start
        let previous = score(scorer, compile(before))
        expectReplay(previous, previous.pipeline)
        for (const change of edits) {
          before = change(before)
          const next = score(scorer, compile(before), previous)
          expectReplay(next, next.pipeline)
          expectSameFlips(previous, next)
          previous = next
        }
      }),
      { numRuns: 80 },
    ))

  it('[T5] carries a change on through a session of any length', () => {
    const texts = Array.from({ length: 9000 }, (_, turn) => (turn % 7 === 0 ? 'git' : ''))
    const corpus = createCorpus([
      { id: 's', turns: turnsOf(['bug', 'bug', 'bug', 'bug', ...texts]) },
    ])
    const scorer = createScorer(corpus)
    const before = score(scorer, pipelineOf({ coding: ['bug'], planning: ['xyz'] }))
    const after = score(scorer, pipelineOf({ coding: ['nothing'], planning: ['bug'] }), before)
    const expected = fromScratch(corpus, after.pipeline).map(({ outcome }) => outcome.state)
    expect(expected.map((_, turn) => after.after(turn))).toEqual(expected)
    expect(expected.at(-1)).toMatchObject({ primary: 'planning', momentum: 9004 })
  })

  it('[T6] a signal is looked for once, wherever it moves', () => {
    const corpus = small()
    const scorer = createScorer(corpus)
    const first = score(scorer, pipelineOf({ coding: ['bug', 'log'], planning: ['git'] }))
    expect(first.scanned).toBe(3)
    const moved = pipelineOf({ planning: ['log', 'git'], analysis: [{ id: 'b', pattern: 'bug' }] })
    expect(score(scorer, moved, first).scanned).toBe(0)
    const edited = pipelineOf({ coding: ['bugs?', 'log'], planning: ['git'] })
    expect(score(scorer, edited, first).scanned).toBe(1)
  })

  it('[T5] [K15] a least score that comes or goes is heeded at once', () => {
    const corpus = small()
    const scorer = createScorer(corpus)
    const withLeast = (minScore: number | undefined): Pipeline => {
      const coding = { name: 'coding', signals: ['bug', 'log'], ...(minScore && { minScore }) }
      const entries = [coding, { name: 'planning', signals: ['git'] }]
      return must(createPipeline(compileFixture(entries), loadPreset('recommended'), null))
    }
    let previous = score(scorer, withLeast(undefined))
    for (const least of [2, undefined, 3, 1]) {
      previous = score(scorer, withLeast(least), previous)
      expectReplay(previous, previous.pipeline)
    }
  })

  it('[T8] names what was gained and lost, and nothing that only moved', () => {
    const scorer = createScorer(small())
    const before = score(scorer, pipelineOf({ coding: ['debug', 'bug'], planning: ['git'] }))
    const after = score(scorer, pipelineOf({ coding: ['bug'], planning: ['log', 'git', 'git l'] }))
    const { flips } = diffCorpus(before, after, labelsOf({ 0: 'coding', 4: 'planning' }))
    expect(flips).toMatchObject([
      { session: 0, turn: 0, lost: ['coding/1'], gained: ['planning/1'], verdict: 'still_right' },
      { session: 1, turn: 1, lost: [], gained: ['planning/1', 'planning/3'], verdict: 'fixed' },
      { session: 1, turn: 2, lost: [], gained: ['planning/1'], verdict: null },
    ])
    const twice = score(scorer, pipelineOf({ coding: ['bug', 'bug'], planning: ['git', 'log'] }))
    const once = score(scorer, pipelineOf({ coding: ['bug'], planning: ['git', 'log'] }))
    const lost = diffCorpus(twice, once, new Map()).flips.map((flip) => flip.lost)
    expect(lost.length).toBeGreaterThan(0)
    expect(new Set(lost.flat())).toEqual(new Set(['coding/2']))
  })
})
