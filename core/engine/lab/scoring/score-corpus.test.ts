import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline, type Pipeline } from '../../pipeline.ts'
import { replayTurns, type ReplayedTurn } from '../../replay.ts'
import type { Turn } from '../../turns.ts'
import { createCorpus, type Corpus, type ScoredCorpus } from '../corpus/corpus.ts'
import { diffCorpus } from '../flips/flips.ts'
import { createScorer, type ScoredNow, type Scorer } from './score-corpus.ts'
import { finish, labelsOf } from '../../../../fixtures/lab-corpus.ts'
import { compile, config, edit, sessions } from '../../../../fixtures/random-configs.ts'
import { flipsByDefinition, replay } from '../../../../fixtures/replays.ts'

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
      casesOf('lab: score corpus'),
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
