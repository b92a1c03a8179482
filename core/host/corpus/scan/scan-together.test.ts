import { MessageChannel } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { corpusOf, finish } from '../../../../fixtures/lab-corpus.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createScorer, type ScoredNow } from '../../../engine/lab/scoring/score-corpus.ts'
import { createPipeline, type Pipeline } from '../../../engine/pipeline.ts'
import { type ScanContract, scanContract } from '../../../wire/internal/scan.ts'
import { type Client, connect, type Handlers, serve } from '../../../wire/rpc.ts'
import { createCutOffBudget, sharedLosses } from '../../platform/guard/cut-off-budget.ts'
import { createTimeLimit } from '../../platform/guard/guard.ts'
import { portOfParent } from '../../platform/threads/ports.ts'
import { createScanHandlers } from './scan-thread.ts'
import { scanTogether } from './scan-together.ts'
import { watchLab } from '../watch.ts'

const WORDS = [
  'bug',
  'fix',
  'plan',
  'Grüße',
  'git',
  'ſtop',
  '42',
  '—',
  'roadmap',
  'a-b',
  'x',
  'log',
] as const
const FILL = 'nothing of this is looked for by anybody here and so it only takes its time '.repeat(
  12,
)
/** Enough text for several parts of each thread. */
const TEXTS = Array.from({ length: 50 }, (_, session) =>
  Array.from({ length: 60 }, (_, turn) => {
    const at = turn * turn + session
    // One text on which a pattern does not come back, and others behind it.
    const begin = at > 3000 && turn > 54 ? 'zebra ' : ''
    return `${WORDS[at % 12]} ${begin}${FILL}${WORDS[(at * 7) % 12]} ${WORDS[(at * 5 + turn) % 12]}`
  }),
)
const corpus = corpusOf(TEXTS)

const SIGNALS = [
  ...WORDS.map((word) => `\\b${word}\\b`),
  '^bug',
  'x$',
  String.raw`\d\W`,
  '(?-i:G)',
  { pattern: 'Bug', dialect: 'js', flags: '' },
  { pattern: 'LOG', dialect: 'keyword' },
  { pattern: '^PLAN', flags: 'm' },
  { pattern: 'src/*.ts', dialect: 'glob' },
]

function pipelineOf(signals: readonly unknown[]): Pipeline {
  const set = compileFixture([{ name: 'coding', signals }])
  return must(createPipeline(set, loadPreset('recommended'), null))
}

/** The result of one thread. */
function alone(pipeline: Pipeline): ScoredNow {
  const { guard } = watchLab(createTimeLimit())
  return finish(createScorer(corpus).score(pipeline, { guard }))
}

/** The result with a helper thread, here one that is called over a port anyway. */
async function together(pipeline: Pipeline, clients: ReadonlyArray<Client<ScanContract>>) {
  const scorer = createScorer(corpus)
  const lacking = scorer.lacking(pipeline)
  if (lacking === null) throw new Error('nothing to look for')
  const lost = sharedLosses()
  const budget = createCutOffBudget(lost)
  const watch = watchLab(createTimeLimit(), budget)
  const { signal } = new AbortController()
  const scanners = { from: 0, use: <T>(job: (of: typeof clients) => Promise<T>) => job(clients) }
  const found = await scanTogether(lacking, { scanners, watch, lost, signal })
  scorer.learn(lacking, found)
  const scored = finish(scorer.score(pipeline))
  expect(scored.scanned).toBe(0)
  return { scored, lostMs: budget.lostMs() }
}

function expectSame(scored: ScoredNow, expected: ScoredNow): void {
  for (const number of expected.pipeline.signals.keys())
    expect(scored.posting(number)).toEqual(expected.posting(number))
  expect(scored.cutOffs).toEqual(expected.cutOffs)
  expect(scored.primary).toEqual(expected.primary)
}

/** A thread's side with other answers, and how often it was asked to look. */
function clientOf(
  change: (own: Handlers<ScanContract>) => Partial<Handlers<ScanContract>> = () => ({}),
) {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const own = createScanHandlers()
  const asked = { texts: 0 }
  const counted: Handlers<ScanContract> = {
    ...own,
    'scan.texts': (input, context) => {
      asked.texts += 1
      return own['scan.texts'](input, context)
    },
  }
  serve(scanContract, { ...counted, ...change(counted) }, portOfParent(port2))
  return { client: connect<ScanContract>(portOfParent(port1)), asked }
}

it('[L107] two threads find what one finds, and each does a part', async () => {
  const pipeline = pipelineOf(SIGNALS)
  const { client, asked } = clientOf()
  const { scored } = await together(pipeline, [client])
  expectSame(scored, alone(pipeline))
  expect(asked.texts).toBeGreaterThan(0)
})

it('[L107] a thread that fails on its way costs nothing but its work', async () => {
  const pipeline = pipelineOf(SIGNALS)
  const { client, asked } = clientOf((own) => ({
    'scan.texts': (input, context) => {
      if (asked.texts > 0) throw new Error('it ended')
      return own['scan.texts'](input, context)
    },
  }))
  const broken = clientOf(() => ({
    'scan.begin': () => {
      throw new Error('it never began')
    },
  }))
  const { scored } = await together(pipeline, [client, broken.client])
  expectSame(scored, alone(pipeline))
  expect([asked.texts, broken.asked.texts]).toEqual([1, 0])
})

it('[L107] a thread that reads a signal otherwise is not asked', async () => {
  const pipeline = pipelineOf(SIGNALS)
  const { client, asked } = clientOf((own) => ({
    'scan.begin': async (input, context) => {
      const { identities } = await own['scan.begin'](input, context)
      return { identities: [...identities.slice(1), 'another'] }
    },
  }))
  const { scored } = await together(pipeline, [client])
  expectSame(scored, alone(pipeline))
  expect(asked.texts).toBe(0)
})

it('[L107] [T9] [T61] a pattern that never ends is off from the same turn on, and its time is counted', async () => {
  const slow = String.raw`zebra (?:\w+ ?)+!`
  const pipeline = pipelineOf([...SIGNALS, slow, 'zebra'])
  const { client } = clientOf()
  const { scored, lostMs } = await together(pipeline, [client])
  const expected = alone(pipeline)
  expect(expected.cutOffs.length).toBe(1)
  expectSame(scored, expected)
  expect(lostMs).toBeGreaterThan(0)
})

it('[L107] [T40] who does not wait any more is told so at once', async () => {
  const scorer = createScorer(corpus)
  const lacking = scorer.lacking(pipelineOf(SIGNALS))
  const ending = new AbortController()
  const { client } = clientOf((own) => ({
    'scan.texts': (input, context) => {
      ending.abort()
      return own['scan.texts'](input, context)
    },
  }))
  const watch = watchLab(createTimeLimit())
  const asked = scanTogether(lacking!, {
    scanners: { from: 0, use: (job) => job([client]) },
    watch,
    lost: sharedLosses(),
    signal: ending.signal,
  })
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
})
