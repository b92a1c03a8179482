/**
 * The semantic probe, part by part, against the document's budget; search against the memory
 * bandwidth of the same run; and how right it is on the queries kept out of tuning.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractPhrases } from '../core/engine/probe/extract.ts'
import { recommendedProbe } from '../core/engine/probe/options.ts'
import type { ProbeCollection, ProbePorts, VectorStore } from '../core/engine/probe/ports.ts'
import { initialProbeState, probeMessage } from '../core/engine/probe/run.ts'
import type { OpenEmbedder } from '../core/host/probe/ports.ts'
import { median, p95, type Section } from './measure.ts'
import { must, ROOT, withService } from './probe-service.ts'
import { probeQuality } from './probe-quality.ts'
import { benchSearch, fillStore } from './probe-search.ts'

const ROUNDS = 40
const running = new AbortController().signal

/** Median and 95th percentile of repeated runs after two to warm up, in milliseconds on the clock. */
async function timed(rounds: number, run: (round: number) => unknown): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = -2; round < rounds; round += 1) {
    const start = performance.now()
    await run(round + 2)
    if (round >= 0) times.push(performance.now() - start)
  }
  return times
}

function row(name: string, times: readonly number[], aim: string): readonly string[] {
  return [name, median(times).toFixed(2), p95(times).toFixed(2), aim]
}

/** 2 KB of prose with names in it, from the sample campaign; another piece in every round. */
function messages(): readonly string[] {
  const file = join(ROOT, 'fixtures/collections/dnd_campaign/sessions_log.md')
  const text = readFileSync(file, 'utf8')
  return Array.from({ length: ROUNDS + 2 }, (_, at) => {
    const from = (at * 97) % Math.max(1, text.length - 2048)
    return text.slice(from, from + 2048)
  })
}

const NAMES = ['Rogue', 'Tower', 'Hollow', 'Jade', 'Silver', 'Ember', 'Raven', 'Iron']
const PLACES = ['Keep', 'Faction', 'Harbour', 'Archive', 'Garden', 'Bridge', 'Court', 'Mine']

/** Phrases that were never embedded before: nothing of them is remembered anywhere. */
function phrases(count: number, round: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => {
    const number = round * 11 + at * 3
    return `${NAMES[number % 8] ?? ''} ${PLACES[(number >> 3) % 8] ?? ''} ${round}`
  })
}

async function embedding(embedder: OpenEmbedder): Promise<ReadonlyArray<readonly string[]>> {
  const rows: Array<readonly string[]> = []
  for (const count of [1, 5, 8]) {
    const times = await timed(ROUNDS, async (round) =>
      must(await embedder.embed(phrases(count, round * 10 + count), running)),
    )
    rows.push(row(`embedding of ${count} phrases`, times, '50 ms'))
  }
  return rows
}

function collectionOf(name: string, store: VectorStore, embedder: string): ProbeCollection {
  return {
    name,
    embedder,
    version: '1',
    threshold: null,
    persona: null,
    keywords: [],
    search: (queries, k) => store.search(queries, { k }),
  }
}

/** Two collections of 10,000 chunks, a message of five names: the document's own example of its budget. */
async function wholeProbe(
  embedder: OpenEmbedder,
  folder: string,
): Promise<ReadonlyArray<readonly string[]>> {
  const stores = [
    await fillStore(join(folder, 'one'), 10_000, embedder.id),
    await fillStore(join(folder, 'two'), 10_000, embedder.id),
  ]
  const collections = stores.map((store, at) => collectionOf(`c${at}`, store, embedder.id))
  const ports: ProbePorts = { embedder, collections, signal: running, clock: () => 0 }
  const ask = async (text: string, state = initialProbeState) => {
    const done = await probeMessage(text, state, recommendedProbe, ports)
    const { errors, phrases_tested: tested } = done.result
    if (errors.length > 0 || tested.length !== 5) throw new Error(JSON.stringify([errors, tested]))
    return done
  }
  const message = (round: number): string =>
    `Did we meet ${phrases(5, round)
      .map((phrase) => `"${phrase}"`)
      .join(' and then ')} on the way?`
  const cold = await timed(ROUNDS, (round) => ask(message(round)))
  const { state } = await ask(message(1000))
  const again = `Tell me again. ${message(1000)}`
  const cached = await timed(ROUNDS, async () => {
    const { result } = await ask(again, state)
    if (result.from_cache !== 5) throw new Error('the cache was not used')
  })
  for (const store of stores) await store.close()
  return [
    row('whole probe, 2 × 10,000 chunks, 5 phrases, cold', cold, '100 ms; ours 25'),
    row('whole probe, the same phrases from the cache', cached, 'about 0'),
  ]
}

export function benchProbe(): Promise<Section> {
  return withService(async (service, embedder, folder) => {
    const texts = messages()
    const extracting = await timed(ROUNDS, (round) =>
      extractPhrases(texts[round % texts.length] ?? '', recommendedProbe),
    )
    const search = await benchSearch(folder)
    const quality = await probeQuality(service)
    return {
      title: 'Semantic probe, milliseconds on the clock',
      head: ['', 'median', 'p95', 'budget or limit'],
      rows: [
        row('extraction of phrases from 2 KB', extracting, '5 ms'),
        ...(await embedding(embedder)),
        ...search.rows,
        ...(await wholeProbe(embedder, folder)),
      ],
      notes: [
        ...search.notes,
        'Quality on the queries kept out of tuning, right primary and false hits: ' +
          quality
            .map(([name, threshold, right, hits]) => `${name} [${threshold}] ${right}, ${hits}`)
            .join('; '),
      ],
      failed: search.failed,
    }
  })
}
