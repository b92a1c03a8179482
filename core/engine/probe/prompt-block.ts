import type { ProbeHit, ProbeResult } from '../schema/probe.ts'
import { phraseKey } from './words.ts'

type Found = Pick<ProbeResult, 'hits' | 'primary_collection' | 'supplemental_collections'>

/**
 * The most similar hit of each phrase in one collection, in the order of the phrases. The number next to it is its
 * similarity.
 */
function linesOf(hits: readonly ProbeHit[], collection: string): readonly ProbeHit[] {
  const best = new Map<string, ProbeHit>()
  for (const hit of hits) {
    if (hit.collection !== collection) continue
    const key = phraseKey(hit.phrase)
    const known = best.get(key)
    if (known === undefined || hit.similarity > known.similarity) best.set(key, hit)
  }
  return [...best.values()]
}

/** A phrase in one line: a prompt's structure is not the message's to break. */
function quoted(phrase: string): string {
  const line = phrase.replaceAll(/\s+/gu, ' ').trim()
  return `"${line.length > 120 ? `${line.slice(0, 117)}...` : line}"`
}

function line(hit: ProbeHit, from: string): string {
  return `- ${quoted(hit.phrase)} (${hit.similarity.toFixed(2)}) — ${from}${hit.filename}`
}

/**
 * [D10] The block for the prompt, in the document's two formats: one collection alone, or a primary one with
 * supplemental ones. Null without hits.
 */
export function promptBlock(found: Found): string | null {
  const { hits, primary_collection: primary, supplemental_collections: supplemental } = found
  if (primary === null) return null
  if (supplemental.length === 0) {
    const lines = linesOf(hits, primary).map((hit) => line(hit, 'from '))
    return ['[SEMANTIC CONTEXT]', `Matched knowledge: ${primary}`, ...lines].join('\n')
  }
  const part = (title: string, collection: string): string =>
    [`[${title} — ${collection}]`, ...linesOf(hits, collection).map((hit) => line(hit, ''))].join(
      '\n',
    )
  const parts = supplemental.map((collection) => part('SUPPLEMENTAL', collection))
  return [part('PRIMARY CONTEXT', primary), ...parts].join('\n\n')
}

/** [D11] One sentence for the classification of the query; null if there was no hit. */
export function intentContext(found: Found): string | null {
  const { hits, primary_collection: primary, supplemental_collections: supplemental } = found
  if (primary === null) return null
  const named = (collection: string): string => {
    const phrases = linesOf(hits, collection).map((hit) => quoted(hit.phrase).slice(1, -1))
    return `the ${collection} knowledge base (matched entities: ${phrases.join(', ')})`
  }
  return `The user's message references content from ${[primary, ...supplemental].map(named).join(' and from ')}.`
}

/** [D12] The data field of a cognition packet, with the document's names. */
export function probeField(result: ProbeResult): {
  readonly key: string
  readonly value: unknown
  readonly type: 'json'
  readonly source: string
} {
  const hits = result.hits.map(
    ({ phrase, collection, chunk_text, similarity, filename, chunk_idx }) => ({
      phrase,
      collection,
      chunk_text,
      similarity,
      filename,
      chunk_idx,
    }),
  )
  const {
    primary_collection,
    supplemental_collections,
    probe_time_ms,
    phrases_tested,
    from_cache,
  } = result
  return {
    key: 'semantic_probe_result',
    value: {
      hits,
      primary_collection,
      supplemental_collections,
      probe_time_ms,
      phrases_tested,
      from_cache,
    },
    type: 'json',
    source: 'semantic_probe',
  }
}
