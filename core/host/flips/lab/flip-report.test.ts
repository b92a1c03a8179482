import { expect, it } from 'vitest'
import { corpusOf } from '../../../../fixtures/lab-corpus.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline } from '../../../engine/pipeline.ts'
import type { FlipReport } from '../../../engine/schema/lab.ts'
import { createTimeLimit } from '../../platform/guard/guard.ts'
import { createCorpusWork } from '../../corpus/lab/corpus-work.ts'
import { flipReport } from './flip-report.ts'

const preset = loadPreset('recommended')
const CLASSIFY = { user: true, agent: false, tool: true }

function compiledOf(coding: readonly string[]) {
  const domains = [
    { name: 'coding', signals: coding },
    { name: 'planning', signals: ['plan'] },
  ]
  const pipeline = must(createPipeline(compileFixture(domains), preset, null))
  return { compiled: { pipeline, classify: CLASSIFY } }
}

const WORDS = ['bug', 'plan', 'hello', '- 7', 'nothing', 'plan bug'] as const
const corpus = corpusOf(
  Array.from({ length: 90 }, (_, session) =>
    Array.from({ length: 67 }, (_, turn) => WORDS[(turn * turn + session) % WORDS.length] ?? ''),
  ),
)
const read = { corpus, hasNotices: false, origins: [], labels: new Map(), readings: new Map() }
const sides = { base: compiledOf(['bug']), side: compiledOf(['bug', String.raw`\W\d`]) }
const waiting = { signal: new AbortController().signal }

const compare = (onFirst?: (report: FlipReport) => void): Promise<FlipReport> => {
  const work = createCorpusWork({ corpus }, createTimeLimit())
  const comparison = { work, read, classify: CLASSIFY, compileMs: 0, earlyMs: 0 }
  return flipReport(comparison, sides, { ...waiting, ...(onFirst && { onFirst }) })
}

it('[L106] the first flips are told once, say of how many turns, and begin the whole list', async () => {
  const told: FlipReport[] = []
  const whole = await compare((report) => told.push(report))
  expect(told).toHaveLength(1)
  const [first] = told
  expect(first?.soFar).toBeGreaterThanOrEqual(4096)
  expect(first?.soFar).toBeLessThan(corpus.turns)
  expect(first?.total).toBeGreaterThan(0)
  expect(first?.total).toBeLessThan(whole.total)
  expect(whole.flips.slice(0, first?.flips.length)).toEqual(first?.flips)
  expect(whole.soFar).toBeNull()
  expect(whole).toEqual({ ...(await compare()), elapsed: whole.elapsed })
})

it('[L106] [T40] a question that was given up tells nothing more', async () => {
  const ending = new AbortController()
  const work = createCorpusWork({ corpus }, createTimeLimit())
  const comparison = { work, read, classify: CLASSIFY, compileMs: 0, earlyMs: 0 }
  const told: FlipReport[] = []
  const asked = flipReport(comparison, sides, {
    signal: ending.signal,
    onFirst: (report) => {
      told.push(report)
      ending.abort()
    },
  })
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  expect(told).toHaveLength(1)
  // Results up to the cancellation are kept, and the next answer is complete.
  expect((await flipReport(comparison, sides, waiting)).soFar).toBeNull()
})
