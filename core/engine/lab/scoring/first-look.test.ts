import { expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { corpusOf, finish } from '../../../../fixtures/lab-corpus.ts'
import { createPipeline, type Pipeline } from '../../pipeline.ts'
import type { ScoredCorpus } from '../corpus/corpus.ts'
import { diffCorpus } from '../flips/flips.ts'
import { createFirstLook, createScorer } from './score-corpus.ts'

function pipelineOf(coding: readonly string[]): Pipeline {
  const domains = [
    { name: 'coding', signals: coding },
    { name: 'planning', signals: ['plan', 'roadmap'] },
    { name: 'git_ops', signals: ['git'] },
  ]
  return must(createPipeline(compileFixture(domains), loadPreset('recommended'), null))
}

const WORDS = ['bug', 'plan', 'git', '42', '--- 7', 'roadmap', 'no bug', 'hello'] as const
/** Session lengths that never coincide with the turn of a partial look. */
const TEXTS = Array.from({ length: 400 }, (_, session) =>
  Array.from(
    { length: 57 },
    (_, turn) => `${WORDS[(turn * 7 + session) % 8]} ${WORDS[(turn * turn + session * 3) % 8]}`,
  ),
)

it.each([
  ['while it is looked for', String.raw`\W{2,4}\d`],
  ['while turns are decided', String.raw`\b(?:plan|hello)\b`],
])('[L106] parts of an answer say of their turns what the whole says: %s', (_, pattern) => {
  const corpus = corpusOf(TEXTS)
  const scorer = createScorer(corpus)
  const base = finish(scorer.score(pipelineOf(['bug'])))
  const parts: Array<{ readonly until: number; readonly diff: ReturnType<typeof diffCorpus> }> = []
  const onPart = (part: ScoredCorpus, until: number): boolean => {
    parts.push({ until, diff: diffCorpus(base, part, new Map(), { most: Infinity, until }) })
    return false
  }
  const whole = finish(scorer.score(pipelineOf(['bug', pattern]), { previous: base, onPart }))
  const { flips } = diffCorpus(base, whole, new Map(), { most: Infinity })
  expect(parts.length).toBeGreaterThan(1)
  for (const { until, diff } of parts) {
    const before = flips.filter(({ session, turn }) => {
      const first = corpus.sessions[session]?.first ?? 0
      return first + turn < until
    })
    expect(diff.flips).toEqual(before)
    expect(diff.total).toBe(before.length)
  }
  expect(flips.length).toBeGreaterThan(100)
})

it('[L106] nobody looks again when what is there was enough; looks double', () => {
  const seen: number[] = []
  const look = createFirstLook<string>((_, until) => {
    seen.push(until)
    return until > 20_000
  })
  for (let until = 1000; until <= 100_000; until += 1000)
    if (look.due(until)) look.look('part', until)
  expect(seen).toEqual([5000, 10_000, 20_000, 40_000])
})
