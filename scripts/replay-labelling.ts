import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  createCorpus,
  type CorpusLabels,
  type ScoredCorpus,
} from '../core/engine/lab/corpus/corpus.ts'
import { isRight } from '../core/engine/lab/metrics/label.ts'
import { adviserOf, type TurnVectors } from '../core/engine/lab/opinion/opinion.ts'
import { patchPipeline } from '../core/engine/lab/why/patch.ts'
import { proposeSignals } from '../core/engine/lab/propose/propose.ts'
import { measured } from '../core/engine/lab/queue/precision.ts'
import { labelQueue } from '../core/engine/lab/queue/queue.ts'
import { measuredWords } from '../core/engine/lab/queue/words.ts'
import type { Rescore, Work } from '../core/engine/lab/scoring/rescore.ts'
import { createScorer, type Scorer } from '../core/engine/lab/scoring/score-corpus.ts'
import { compileSignal } from '../core/engine/matcher/signal.ts'
import type { Pipeline } from '../core/engine/pipeline.ts'
import type { TurnLabel } from '../core/engine/schema/label.ts'
import { openLocal } from '../core/host/probe/embed/local.ts'
import { runtimeFolder, shippedModelFolder } from '../core/host/probe/embed/shipped-model.ts'
import { defaultPipeline } from '../fixtures/workspace.ts'

/**
 * `node scripts/replay-labelling.ts [--rules-only] [--batch 200] [--rounds 6] [--folds 0,1]`: measures the queue and
 * the proposals by replaying the work with a simulated reader who answers from labeled messages. Aggregates only.
 * Everything is deterministic: the draw depends on the texts, and the head starts from zero.
 */
const ROOT = join(import.meta.dirname, '..')
const FILE = join(ROOT, '../shared/labels/users.jsonl')
const FIRST = 50
/** Labels given before the list is rebuilt, as in the window. */
const ASKED = 50

interface Row {
  readonly text: string
  readonly primary: string
  readonly acceptable: readonly string[]
  readonly fold: number
  readonly source_repo: string
}

function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Texts as sessions of one turn, with the simulated reader's answers. */
interface Pool {
  readonly rows: readonly Row[]
  readonly truth: CorpusLabels
  readonly vectors: TurnVectors
  readonly scorer: Scorer
  score(pipeline: Pipeline): ScoredCorpus
  readonly rescore: Rescore
}

function poolOf(rows: readonly Row[], vectorOf: ReadonlyMap<Row, Float32Array>): Pool {
  const corpus = createCorpus(
    rows.map(({ text }, at) => ({
      id: String(at),
      turns: [{ seq: 0, kind: 'user' as const, text }],
    })),
  )
  const scorer = createScorer(corpus)
  const label = ({ primary, acceptable }: Row): TurnLabel => ({
    event: 0,
    sha256: '0'.repeat(16),
    primary,
    acceptable,
  })
  const vectors = new Map<number, Float32Array>()
  for (const [at, row] of rows.entries()) {
    const vector = vectorOf.get(row)
    if (vector !== undefined) vectors.set(at, vector)
  }
  return {
    rows,
    vectors,
    scorer,
    truth: new Map(rows.map((row, at) => [at, label(row)])),
    score: (pipeline) => finish(scorer.score(pipeline)),
    rescore: (changed, previous) => scorer.score(changed, { previous }),
  }
}

const primaryOf = (scored: ScoredCorpus, turn: number): string =>
  scored.domains[scored.primary[turn] ?? -1] ?? ''

/** Wrong decisions among turns: against the label alone, and with its alternatives. */
function wrongOf({ truth }: Pool, scored: ScoredCorpus, turns: readonly number[]) {
  const wrong = (isGood: (label: TurnLabel, primary: string) => boolean) =>
    turns.filter((turn) => {
      const label = truth.get(turn)
      return label !== undefined && !isGood(label, primaryOf(scored, turn))
    }).length
  return {
    strict: wrong((label, primary) => label.primary === primary),
    lenient: wrong(isRight),
  }
}

type List = 'queue' | 'random'

interface Listing {
  readonly labels: CorpusLabels
  readonly list: List
  readonly most: number
}

/** Turns of a list, by number. */
function listed({ vectors }: Pool, scored: ScoredCorpus, listing: Listing): readonly number[] {
  const { items } = finish(labelQueue({ scored, vectors, ...listing }))
  return items.map(({ turn }) => turn)
}

/** Share of errors in the first 50 of the queue and of the random list: one fold is without labels, the others have theirs. */
function measureQueue(
  rows: readonly Row[],
  pool: Pool,
  pipeline: Pipeline,
  folds: readonly number[],
) {
  const scored = pool.score(pipeline)
  const ways: ReadonlyArray<readonly [string, List, number]> = [
    ['random list', 'random', Infinity],
    ['queue, no labels', 'queue', 0],
    ['queue, 100 labels', 'queue', 100],
    ['queue, other folds', 'queue', Infinity],
  ]
  for (const [name, list, most] of ways) {
    const sums = { strict: 0, lenient: 0, of: 0 }
    const byFold = folds.map((fold) => {
      const open = new Set(rows.flatMap((row, at) => (row.fold === fold ? [at] : [])))
      const others = [...pool.truth].filter(([turn]) => !open.has(turn))
      const step = Math.max(1, others.length / most)
      const given = others.filter(
        (_, at) => most > 0 && Math.floor(at / step) !== Math.floor((at - 1) / step),
      )
      // Turns of other folds without a label here would be asked about too: they are out of the pool.
      const own = subPool(pool, [...open, ...given.map(([turn]) => turn)])
      const labels = new Map([...own.pool.truth].filter(([turn]) => !open.has(own.from(turn))))
      const turns = listed(own.pool, own.pool.score(pipeline), { labels, list, most: FIRST })
      const wrong = wrongOf(pool, scored, turns.map(own.from))
      sums.strict += wrong.strict
      sums.lenient += wrong.lenient
      sums.of += turns.length
      return `${wrong.strict}/${wrong.lenient}`
    })
    const strict = measured(sums.strict, sums.of)
    const lenient = measured(sums.lenient, sums.of)
    console.log(`${name.padEnd(20)} by fold ${byFold.join('  ')}`)
    console.log(
      `${''.padEnd(20)} strict ${measuredWords(strict)}; with alternatives ${measuredWords(lenient)}`,
    )
  }
}

/** Some turns of a pool as a separate pool. */
function subPool(pool: Pool, turns: readonly number[]) {
  const ordered = turns.toSorted((a, b) => a - b)
  const rows = ordered.flatMap((turn) => pool.rows[turn] ?? [])
  const vectors = new Map<Row, Float32Array>()
  for (const turn of ordered) {
    const row = pool.rows[turn]
    const vector = pool.vectors.get(turn)
    if (row !== undefined && vector !== undefined) vectors.set(row, vector)
  }
  return { pool: poolOf(rows, vectors), from: (turn: number) => ordered[turn] ?? -1 }
}

/** Correct decisions on turns that were not labeled here. */
function rightOf(held: Pool, pipeline: Pipeline) {
  const scored = held.score(pipeline)
  const all = [...held.truth.keys()]
  const wrong = wrongOf(held, scored, all)
  return { strict: all.length - wrong.strict, lenient: all.length - wrong.lenient, of: all.length }
}

/** The user accepts from the top until nothing is proposed; one key each. */
function acceptAll(work: Pool, start: Pipeline, labels: CorpusLabels) {
  const adviser = finish(adviserOf(labels, work.vectors))
  let pipeline = start
  let keys = 0
  for (;;) {
    const scored = work.score(pipeline)
    const asked = { scored, labels, adviser, domain: null, most: 1 }
    const sourceOf = (turn: number): string => work.rows[turn]?.source_repo ?? ''
    const [first] = finish(proposeSignals({ ...asked, sourceOf }, work.rescore)).proposals
    // A proposal must gain at least LEAST_GAIN labelled turns to be worth a signal to this user.
    if (first === undefined || first.fixes - first.breaks < LEAST_GAIN) return { pipeline, keys }
    const signal = compileSignal(first.pattern, 'proposal', pipeline.belief.set.options)
    if (!signal.ok) return { pipeline, keys }
    pipeline = patchPipeline(pipeline, { add: [{ domain: first.domain, signal: signal.value }] })
    keys += 1
  }
}
const LEAST_GAIN = 1

interface Point {
  labels: number
  keys: number
  signals: number
  strict: number
  lenient: number
  of: number
}

interface Replayed {
  readonly fold: number
  readonly list: List
  readonly rounds: number
  readonly batch: number
}

/** One fold is held out. On the others the simulated reader labels in batches and accepts the proposals. */
function* replayWork(
  rows: readonly Row[],
  vectorOf: ReadonlyMap<Row, Float32Array>,
  pipeline: Pipeline,
  { fold, list, rounds, batch }: Replayed,
): Generator<Point> {
  const work = poolOf(
    rows.filter((row) => row.fold !== fold),
    vectorOf,
  )
  const held = poolOf(
    rows.filter((row) => row.fold === fold),
    new Map(),
  )
  const labels = new Map<number, TurnLabel>()
  let keys = 0
  let now = pipeline
  yield { labels: 0, keys: 0, signals: 0, ...rightOf(held, pipeline) }
  for (let round = 1; round <= rounds; round += 1) {
    const before = labels.size
    // A label changes the order of the rest.
    while (labels.size < before + batch) {
      const turns = listed(work, work.score(now), {
        labels,
        list,
        most: Math.min(ASKED, before + batch - labels.size),
      })
      if (turns.length === 0) break
      for (const turn of turns) {
        const label = work.truth.get(turn)
        if (label === undefined) continue
        labels.set(turn, label)
        // n goes to the turn, a digit labels it.
        keys += 2
      }
    }
    // Signals are chosen again from all labels so far. Signals that matched by chance with few labels are dropped.
    const accepted = acceptAll(work, pipeline, labels)
    now = accepted.pipeline
    keys += accepted.keys
    yield { labels: labels.size, keys, signals: accepted.keys, ...rightOf(held, now) }
  }
}

async function embed(rows: readonly Row[]): Promise<ReadonlyMap<Row, Float32Array>> {
  const folder = await shippedModelFolder({ shipped: ROOT, modelsDir: join(ROOT, 'dist') })
  if (!folder.ok) throw new Error(`${folder.error.what}. ${folder.error.do}`)
  const engine = await openLocal(folder.value, { runtime: runtimeFolder(ROOT, null), id: null })
  if (!engine.ok) throw new Error(engine.error.what)
  const vectors = new Map<Row, Float32Array>()
  for (let from = 0; from < rows.length; from += 32) {
    const part = rows.slice(from, from + 32)
    const texts = part.map(({ text }) => text.slice(0, 2000))
    const made = await engine.value.embed(texts, { aborted: false })
    if (!made.ok) throw new Error(made.error.what)
    for (const [at, vector] of made.value.entries()) {
      const row = part[at]
      if (row !== undefined) vectors.set(row, vector)
    }
  }
  await engine.value.close()
  return vectors
}

const share = (hits: number, of: number): string => (of === 0 ? '-' : (hits / of).toFixed(3))

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      labels: { type: 'string', default: FILE },
      folds: { type: 'string', default: '0,1,2,3,4' },
      rounds: { type: 'string', default: '6' },
      /** Labels between two rounds of proposals. */
      batch: { type: 'string', default: '200' },
      'rules-only': { type: 'boolean', default: false },
    },
  })
  if (!existsSync(values.labels)) {
    console.log(`skipped: the 1,684 labelled messages are not here (${values.labels})`)
    return
  }
  const lines = readFileSync(values.labels, 'utf8').trim().split('\n')
  // Rows of our own making, read by this script alone.
  const rows = lines.map((line) => JSON.parse(line) as Row)
  const folds = values.folds.split(',').map(Number)
  const pipeline = await defaultPipeline('recommended')
  const vectorOf = values['rules-only'] ? new Map<Row, Float32Array>() : await embed(rows)
  console.log(
    `${rows.length} labelled messages, folds by repository; sentence model ${vectorOf.size > 0 ? 'in use' : 'left out'}`,
  )
  console.log(`\nerrors among the first ${FIRST}, strict/with alternatives`)
  measureQueue(rows, poolOf(rows, vectorOf), pipeline, folds)
  for (const list of ['queue', 'random'] as const) {
    console.log(`\nwork from the ${list} list: on folds that were neither labelled nor mined`)
    const rounds = Number(values.rounds)
    const batch = Number(values.batch)
    const runs = folds.map((fold) => [
      ...replayWork(rows, vectorOf, pipeline, { fold, list, rounds, batch }),
    ])
    for (let at = 0; at <= rounds; at += 1) {
      const points = runs.flatMap((run) => run[at] ?? [])
      const sum = (of: (point: Point) => number): number =>
        points.reduce((all, one) => all + of(one), 0)
      const strict = sum((one) => one.strict)
      const lenient = sum((one) => one.lenient)
      const of = sum((one) => one.of)
      const mean = (field: (point: Point) => number): string =>
        (sum(field) / points.length).toFixed(0)
      const spread = points.map((one) => share(one.strict, one.of)).join(' ')
      console.log(
        `labels ${mean((one) => one.labels).padStart(4)}  keys ${mean((one) => one.keys).padStart(5)}  signals ${mean((one) => one.signals).padStart(3)}  strict ${measuredWords(measured(strict, of))}, with alternatives ${share(lenient, of)}; by fold ${spread}`,
      )
    }
  }
}

await main()
