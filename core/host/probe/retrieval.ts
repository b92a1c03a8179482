import type { ChunkRecord } from '../../engine/probe/ports.ts'
import { type Retrieved, mergeRetrieved, planRetrieval } from '../../engine/probe/retrieve.ts'
import { hitsOf } from '../../engine/probe/hits.ts'
import { keywordCoverage } from '../../engine/probe/keyword-coverage.ts'
import { initialProbeState, probeMessage } from '../../engine/probe/run.ts'
import { plainForm } from '../../engine/probe/words.ts'
import { type Result, err, ok } from '../../engine/result.ts'
import type { KeywordRow } from '../../engine/schema/hit-rate.ts'
import type { ProbeOptions, ProbeResult } from '../../engine/schema/probe.ts'
import type { ProbeSettings } from '../../engine/schema/probe-settings.ts'
import type { Asked } from './ask.ts'
import type { AskWork, ProbeService, ProbeWork, Question } from './service.ts'

/** Probes one text as if it were the first message of a session. */
export async function probeText(
  service: ProbeService,
  settings: ProbeSettings,
  { text, preset, embedder, ...question }: Question<'probe.text'>,
  work: ProbeWork,
): Promise<Result<ProbeResult>> {
  const options = await service.options(preset, question.options)
  if (!options.ok) return options
  const asked = await service.asked(settings, embedder, {
    ...work,
    isProbed: options.value.enabled,
  })
  if (!asked.ok) return asked
  const ports = asked.value.ports(work.signal)
  const { result } = await probeMessage(text, initialProbeState, options.value, ports)
  work.signal.throwIfAborted()
  return ok(result)
}

/** A chunk with its neighbours, and the path of its document; null if that is not on this machine. */
export async function readChunks(
  service: ProbeService,
  { collection, filename, chunk_idx, around }: Question<'probe.chunk'>,
): Promise<Result<{ readonly path: string | null; readonly chunks: readonly ChunkRecord[] }>> {
  const stored = await service.get(collection)
  if (!stored.ok) return stored
  const store = await stored.value.store()
  if (!store.ok) return store
  const from = Math.max(0, chunk_idx - around)
  const chunks = await store.value.chunks(filename, from, chunk_idx + around + 1)
  if (!chunks.ok) return chunks
  if (!chunks.value.some((chunk) => chunk.chunk_idx === chunk_idx)) {
    const where = `${filename}, chunk ${chunk_idx}`
    return err({ what: 'there is no such chunk', where, do: `Index ${collection} again` })
  }
  const manifest = await stored.value.manifest()
  const documents = manifest === null || manifest === 'damaged' ? [] : manifest.documents
  const path = documents.find((document) => document.name === filename)?.path ?? null
  return ok({ path, chunks: chunks.value })
}

/** [D72] Keywords of personas that the probe covers without them. */
export async function readKeywords(
  service: ProbeService,
  settings: ProbeSettings,
  preset: string,
  work: AskWork,
): Promise<Result<readonly KeywordRow[]>> {
  const options = await service.options(preset, {})
  if (!options.ok) return options
  const asked = await service.asked(settings, null, work)
  if (!asked.ok) return asked
  return await keywordCoverage(options.value, asked.value.ports(work.signal))
}

/**
 * [D13] Retrieval after the probe: its hits, their neighbouring chunks, and the hits of the whole message in
 * collections that the probe did not hit.
 */
export async function retrieve(
  service: ProbeService,
  settings: ProbeSettings,
  { preset, ...question }: Question<'probe.retrieve'>,
  work: ProbeWork,
): Promise<Result<Merged>> {
  const options = await service.options(preset, {})
  if (!options.ok) return options
  const { samples = true, ...wanted } = question
  const asking = { ...work, samples }
  return await retrieveWith(service, settings, { ...wanted, options: options.value }, asking)
}

/** Documents in their merged order, and the collections that were not asked again. */
interface Merged {
  readonly skipped: readonly string[]
  readonly documents: readonly Retrieved[]
}

interface Retrieving extends Omit<Question<'probe.retrieve'>, 'preset'> {
  readonly options: ProbeOptions
  /** Null or left out = the one in use. */
  readonly embedder?: string | null
}

/** [D13] The same with the options themselves. */
export async function retrieveWith(
  service: ProbeService,
  settings: ProbeSettings,
  { text, most, options, embedder = null }: Retrieving,
  work: AskWork,
): Promise<Result<Merged>> {
  const asked = await service.asked(settings, embedder, work)
  if (!asked.ok) return asked
  const ports = asked.value.ports(work.signal)
  const { result } = await probeMessage(text, initialProbeState, options, ports)
  work.signal.throwIfAborted()
  const names = asked.value.collections.map((each) => each.name)
  const plan = planRetrieval(result.hits, names)
  const adjacent: Retrieved[] = []
  for (const place of plan.neighbours) {
    const middle = { ...place, chunk_idx: place.to - 1, around: 1 }
    const found = await readChunks(service, middle)
    // The hit is in the result anyway; it is then shown without neighbours.
    if (!found.ok) continue
    for (const chunk of found.value.chunks) {
      const { filename, chunk_idx } = chunk
      const { collection } = place
      const beside = { collection, filename, chunk_idx, text: chunk.text, score: null }
      adjacent.push({ ...beside, origin: 'adjacent' })
    }
  }
  const retrieved =
    text.trim() === ''
      ? ok([])
      : await askOthers({ ...asked.value, ask: plan.ask }, options, { text, most }, work)
  if (!retrieved.ok) return retrieved
  const documents = mergeRetrieved(result.hits, adjacent, retrieved.value, most)
  return ok({ skipped: plan.skipped, documents })
}

async function askOthers(
  { embedder, collections, ask }: Asked & { readonly ask: readonly string[] },
  options: ProbeOptions,
  { text, most }: Pick<Question<'probe.retrieve'>, 'text' | 'most'>,
  { signal }: ProbeWork,
): Promise<Result<readonly Retrieved[]>> {
  const others = collections.filter(
    (each) => ask.includes(each.name) && each.embedder === embedder.id,
  )
  if (others.length === 0) return ok([])
  const query = plainForm(text)
  const vectors = await embedder.embed([query], signal)
  if (!vectors.ok) return vectors
  const [vector] = vectors.value
  if (vector === undefined) return ok([])
  const retrieved: Retrieved[] = []
  for (const collection of others) {
    const found = await collection.search([{ text: query, vector }], most, signal)
    if (!found.ok) return found
    const threshold = options.threshold ?? collection.threshold ?? 0
    const judged = { threshold, rule: options.rule }
    for (const hit of hitsOf(text, collection.name, found.value[0] ?? [], judged)) {
      if (hit.score < hit.threshold) continue
      const { filename, chunk_idx, chunk_text, score } = hit
      const place = { collection: collection.name, filename, chunk_idx, text: chunk_text, score }
      retrieved.push({ ...place, origin: 'retrieval' })
    }
  }
  return ok(retrieved)
}
