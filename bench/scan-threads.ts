/**
 * `npm run bench -- threads`: the lab's first answer over a corpus, by one thread and with helpers (L107). What
 * they find is compared signal by signal, and every turn's domains.
 */
import { isDeepStrictEqual } from 'node:util'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { commandScanners } from '../core/cli/kit/scanners.ts'
import { createCorpus } from '../core/engine/lab/corpus/corpus.ts'
import type { ScoredNow } from '../core/engine/lab/scoring/score-corpus.ts'
import { compileDomains } from '../core/engine/matcher/domains.ts'
import { loadDomains } from '../core/engine/matcher/load-domains.ts'
import { createPipeline, type Pipeline } from '../core/engine/pipeline.ts'
import { createCorpusWork } from '../core/host/corpus/lab/corpus-work.ts'
import { helpersOf } from '../core/host/corpus/main/scan-helpers.ts'
import { useThreadAutomata } from '../core/host/threads/automata-thread.ts'
import { createTimeLimit } from '../core/host/platform/guard/guard.ts'
import { HOME } from '../core/place.ts'
import { FULL_CORPUS, makeCorpus } from './corpus.ts'
import { formatRatio, median, type Section } from './measure.ts'
import { loadPresetFile } from './preset.ts'

const DOMAINS = new URL('../profiles/domains/default.yaml', import.meta.url)
const ROUNDS = 3

function defaultPipeline(): Pipeline {
  const file = loadDomains(parse(readFileSync(DOMAINS, 'utf8')), 'default')
  const preset = loadPresetFile('recommended')
  const set = file.ok ? compileDomains(file.value, preset.belief) : file
  const made = set.ok ? createPipeline(set.value, preset, null) : set
  if (!made.ok) throw new Error('the default domains do not compile')
  return made.value
}

interface Run {
  readonly clock: number
  readonly cpu: number
  readonly scored: ScoredNow
}

export async function benchThreads(): Promise<Section> {
  useThreadAutomata({ shipped: HOME, automata: null })
  const made = await makeCorpus(FULL_CORPUS)
  const flat = (text: string) => Buffer.from(text).toString()
  const corpus = createCorpus(
    made.sessions.map((turns, at) => ({
      id: `corpus-${at}`,
      turns: turns.map(({ kind, text }, seq) => ({ seq, kind, text: flat(text) })),
    })),
  )
  const pipeline = defaultPipeline()

  async function score(helpers: number): Promise<Run> {
    const scanners = commandScanners(helpers, 0)
    const work = createCorpusWork({ corpus }, createTimeLimit(), { scanners })
    const start = performance.now()
    const before = process.cpuUsage()
    const scored = await work.score(pipeline, { signal: new AbortController().signal })
    const { user, system } = process.cpuUsage(before)
    return { clock: (performance.now() - start) / 1000, cpu: (user + system) / 1e6, scored }
  }

  const counts = [0, ...(helpersOf() > 0 ? [helpersOf()] : [])]
  const runs = new Map<number, Run[]>(counts.map((count) => [count, []]))
  // In turns, so that what else the machine does weighs on all of them.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const count of counts) runs.get(count)?.push(await score(count))
  const first = runs.get(0)?.[0]?.scored
  const isSame = ({ scored }: Run): boolean =>
    first !== undefined &&
    isDeepStrictEqual(scored.primary, first.primary) &&
    isDeepStrictEqual(scored.secondary, first.secondary) &&
    pipeline.signals.every((_, at) => isDeepStrictEqual(scored.posting(at), first.posting(at)))
  const differ = [...runs.values()].flat().filter((run) => !isSame(run)).length
  const clockOf = (count: number) => median((runs.get(count) ?? []).map(({ clock }) => clock))
  const megabytes = made.bytes / 1e6
  return {
    title: `The lab’s first answer, ${corpus.turns} turns, ${megabytes.toFixed(0)} MB, ${pipeline.signals.length} signals`,
    head: ['threads', 'clock, s', 'MB/s', 'one thread’s clock = 1', 'processor time, s'],
    rows: [...runs].map(([count, list]) => [
      String(count + 1),
      clockOf(count).toFixed(1),
      (megabytes / clockOf(count)).toFixed(1),
      formatRatio(clockOf(count) / clockOf(0)),
      median(list.map(({ cpu }) => cpu)).toFixed(1),
    ]),
    notes: [
      made.origin,
      `median of ${ROUNDS} runs in turns, each with helpers started anew; ${differ} answers differ`,
      'aims: 20 MB/s by one thread, 40 by two',
    ],
    failed: differ > 0,
  }
}
