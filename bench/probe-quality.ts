import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chunkDocument, indexedText } from '../core/engine/probe/chunk.ts'
import { recommendedProbe } from '../core/engine/probe/options.ts'
import { initialProbeState, probeMessage } from '../core/engine/probe/run.ts'
import { type ProbeOptions, ProbeQuery } from '../core/engine/schema/probe.ts'
import type { ProbeService } from '../core/host/probe/service.ts'
import { loadPreset } from '../fixtures/load.ts'
import {
  bestThreshold,
  createBm25,
  lexicalAnswer,
  qualityOf,
  type LexicalChunk,
  type Quality,
} from './probe-bm25.ts'
import { must, ROOT, SETTINGS } from './probe-service.ts'

const FOLDER = join(ROOT, 'fixtures/collections')
const COLLECTIONS = ['dnd_campaign', 'system', 'code_docs']

function queriesOf(set: string): readonly ProbeQuery[] {
  const lines = readFileSync(join(FOLDER, `queries.${set}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => ProbeQuery.parse(JSON.parse(line)))
}

function chunksOf(collection: string): readonly LexicalChunk[] {
  return readdirSync(join(FOLDER, collection)).flatMap((file) =>
    chunkDocument(file, readFileSync(join(FOLDER, collection, file), 'utf8')).map((chunk) => ({
      collection,
      text: indexedText(chunk),
    })),
  )
}

/** A ratio with its counts. */
function share([hits, of]: readonly [number, number]): string {
  return `${(hits / of).toFixed(3)} (${hits}/${of})`
}

function rowOf(
  name: string,
  threshold: string,
  { primary, falseHits }: Quality,
): readonly string[] {
  return [name, threshold, share(primary), share(falseHits)]
}

/**
 * Right primary collection and false hits over the queries kept out of tuning. Nothing is chosen on
 * them: thresholds are the ones that ship; BM25's is the best on `tune`.
 */
export async function probeQuality(
  service: ProbeService,
): Promise<ReadonlyArray<readonly string[]>> {
  const held = queriesOf('held')
  const { signal } = new AbortController()
  const asked = must(await service.asked(SETTINGS, null, { signal, report: () => undefined }))
  const ours = async (options: ProbeOptions): Promise<Quality> => {
    const primaries = new Map<string, string | null>()
    for (const { id, text } of held) {
      const ports = asked.ports(signal)
      const { result } = await probeMessage(text, initialProbeState, options, ports)
      if (result.errors.length > 0) throw new Error(JSON.stringify(result.errors))
      primaries.set(id, result.primary_collection)
    }
    return qualityOf(held, ({ id }) => primaries.get(id) ?? null)
  }
  const rank = createBm25(COLLECTIONS.flatMap(chunksOf))
  const threshold = bestThreshold(queriesOf('tune'), rank)
  return [
    rowOf('recommended (hybrid)', 'shipped', await ours(recommendedProbe)),
    rowOf('literal (cosine alone)', '0.40', await ours(loadPreset('literal').probe!)),
    rowOf(
      'BM25 of the message',
      `${threshold.toFixed(2)}, chosen on tune`,
      qualityOf(held, ({ text }) => lexicalAnswer(rank(text), threshold)),
    ),
    rowOf(
      'BM25, any match',
      'none',
      qualityOf(held, ({ text }) => lexicalAnswer(rank(text), 0)),
    ),
  ]
}
