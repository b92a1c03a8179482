import type { Problem } from '../result.ts'
import type { Phrase, ProbeHit, ProbeOptions, ProbeResult } from '../schema/probe.ts'
import { strengthOf, totalsOf } from './aggregate.ts'
import {
  cachedAnswer,
  emptyProbeCache,
  nextTurn,
  remember,
  type FreshAnswer,
  type SessionProbeCache,
} from './phrase-cache.ts'
import { extractPhrases } from './extract.ts'
import { hitsOf, rejudge, splitHits } from './hits.ts'
import { decidePersona, noPersona, type PersonaState } from './persona.ts'
import type { ProbeCollection, ProbePorts } from './ports.ts'
import { intentContext, promptBlock } from './prompt-block.ts'
import { countWords, plainForm } from './words.ts'

/** State that a session carries from turn to turn. */
export interface ProbeState {
  readonly cache: SessionProbeCache
  readonly persona: PersonaState
  readonly previous: string | null
}

export const initialProbeState: ProbeState = {
  cache: emptyProbeCache,
  persona: noPersona,
  previous: null,
}

/**
 * Default hit threshold (cosine) for an embedder without measurements, if the preset sets none. It is the document's
 * value.
 */
const UNMEASURED = 0.4
/** Candidates asked of a collection for one hit that is kept: a cached answer serves other thresholds too. */
const SPARE = 2

type Errors = Array<ProbeResult['errors'][number]>

/** State of a turn during its probe. */
interface Probing {
  readonly ports: ProbePorts
  readonly options: ProbeOptions
  readonly cache: SessionProbeCache
  readonly errors: Errors
  readonly times: { embed: number; search: number }
}

/** [L29] Least cosine of a hit in a collection. */
export function thresholdOf(
  { options, ports }: Pick<Probing, 'options' | 'ports'>,
  collection: ProbeCollection,
): number {
  return options.threshold ?? collection.threshold ?? ports.embedder.threshold ?? UNMEASURED
}

function errorOf(collection: string | null, { what, where, do: advice }: Problem): Errors[number] {
  return { collection, what: where === '' ? what : `${what} (${where})`, do: advice }
}

/** [L29] Collections that this embedder can be asked about; the others are named, not searched. */
function usable(probing: Probing): readonly ProbeCollection[] {
  const { ports, options, errors } = probing
  const chosen = ports.collections.slice(0, options.maxCollections ?? ports.collections.length)
  return chosen.filter(({ name, embedder }) => {
    if (embedder === null || embedder === ports.embedder.id) return embedder !== null
    const what = `its vectors were made with ${embedder}, the embedder in use is ${ports.embedder.id}`
    errors.push({ collection: name, what, do: `Index ${name} again, or choose its embedder` })
    return false
  })
}

/** Phrases that some collection has to be asked about. */
function unanswered(
  { cache }: Probing,
  phrases: readonly Phrase[],
  collections: readonly ProbeCollection[],
): readonly Phrase[] {
  return phrases.filter((phrase) =>
    collections.some((collection) => cachedAnswer(cache, phrase.text, collection) === undefined),
  )
}

async function embed(
  probing: Probing,
  phrases: readonly Phrase[],
): Promise<ReadonlyMap<string, Float32Array> | null> {
  if (phrases.length === 0) return new Map()
  const { ports, errors, times } = probing
  const start = ports.clock()
  const vectors = await ports.embedder.embed(
    phrases.map((phrase) => plainForm(phrase.text)),
    ports.signal,
  )
  times.embed += ports.clock() - start
  if (!vectors.ok) {
    errors.push(errorOf(null, vectors.error))
    return null
  }
  return new Map(
    phrases.flatMap(({ text }, index) => {
      const vector = vectors.value[index]
      return vector === undefined ? [] : [[text, vector] as const]
    }),
  )
}

async function ask(
  probing: Probing,
  collection: ProbeCollection,
  wanted: {
    readonly phrases: readonly Phrase[]
    readonly vectors: ReadonlyMap<string, Float32Array>
  },
): Promise<readonly FreshAnswer[]> {
  const { cache, ports, options, errors } = probing
  const missing = wanted.phrases.filter(
    ({ text }) => cachedAnswer(cache, text, collection) === undefined,
  )
  const queries = missing.flatMap(({ text }) => {
    const vector = wanted.vectors.get(text)
    return vector === undefined ? [] : [{ text: plainForm(text), phrase: text, vector }]
  })
  if (queries.length === 0) return []
  const found = await collection.search(queries, options.topK * SPARE, ports.signal)
  if (!found.ok) {
    errors.push(errorOf(collection.name, found.error))
    return []
  }
  const judged = { threshold: thresholdOf(probing, collection), rule: options.rule }
  return queries.map(({ phrase }, index) => ({
    phrase,
    collection: collection.name,
    version: collection.version,
    hits: hitsOf(phrase, collection.name, found.value[index] ?? [], judged),
  }))
}

interface Gathered {
  readonly hits: readonly ProbeHit[]
  readonly near: readonly ProbeHit[]
  readonly fromCache: number
  readonly fresh: readonly FreshAnswer[]
}

/** [D5] Queries the phrases missing in the cache, then reads everything from the cache. */
async function gather(probing: Probing, phrases: readonly Phrase[]): Promise<Gathered> {
  const collections = usable(probing)
  const wanted = unanswered(probing, phrases, collections)
  const vectors = await embed(probing, wanted)
  const start = probing.ports.clock()
  const fresh: FreshAnswer[] = []
  if (vectors !== null) {
    for (const collection of collections) {
      fresh.push(...(await ask(probing, collection, { phrases: wanted, vectors })))
    }
  }
  probing.times.search += probing.ports.clock() - start
  const known = remember(probing.cache, fresh)
  const asked = new Set(fresh.map((answer) => `${answer.collection}\n${answer.phrase}`))
  const hits: ProbeHit[] = []
  const near: ProbeHit[] = []
  for (const phrase of phrases) {
    for (const collection of collections) {
      const answer = cachedAnswer(known, phrase.text, collection) ?? []
      const judged = rejudge(answer, thresholdOf(probing, collection), probing.options.rule)
      const from_cache = !asked.has(`${collection.name}\n${phrase.text}`)
      const mine = judged.map((hit) => ({ ...hit, phrase: phrase.text, from_cache }))
      const split = splitHits(mine, probing.options)
      hits.push(...split.hits)
      near.push(...split.near)
    }
  }
  const unknown = new Set(wanted.map((phrase) => phrase.text))
  const fromCache =
    collections.length === 0 ? 0 : phrases.filter(({ text }) => !unknown.has(text)).length
  return { hits, near, fromCache, fresh }
}

/**
 * Probes one message (semantic-probe.md; D2 to D12). Never throws for failures of a collection or the embedder:
 * `errors` names them (L28), and the rest is answered. Pass the returned state to the next turn.
 */
export async function probeMessage(
  text: string,
  state: ProbeState,
  options: ProbeOptions,
  ports: ProbePorts,
): Promise<{ readonly result: ProbeResult; readonly state: ProbeState }> {
  const start = ports.clock()
  const cache = nextTurn(state.cache, options.cacheMaxAge)
  const { previous } = state
  const skipped = skipReason({ text, previous, options, collections: ports.collections.length })
  const phrases = skipped === null ? extractPhrases(text, options) : []
  const extract = ports.clock() - start
  const probing: Probing = { ports, options, cache, errors: [], times: { embed: 0, search: 0 } }
  const { hits, near, fromCache, fresh } =
    phrases.length === 0
      ? { hits: [], near: [], fromCache: 0, fresh: [] }
      : await gather(probing, phrases)
  const names = ports.collections.map((collection) => collection.name)
  const totals = totalsOf(hits, phrases, names)
  const [primary = null, ...supplemental] = totals.map((total) => total.collection)
  const strength = strengthOf(hits, primary)
  const evidence = { text, collections: ports.collections, primary, strength }
  const persona = decidePersona(state.persona, evidence, options)
  const found = {
    hits: [...hits],
    primary_collection: primary,
    supplemental_collections: supplemental,
  }
  const total = ports.clock() - start
  return {
    result: {
      ...found,
      phrases: [...phrases],
      phrases_tested: phrases.map((phrase) => phrase.text),
      near: [...near],
      totals: [...totals],
      strength,
      persona,
      skipped,
      from_cache: fromCache,
      probe_time_ms: total,
      times: { extract, ...probing.times, total },
      prompt: promptBlock(found),
      intent: intentContext(found),
      errors: probing.errors,
    },
    state: { cache: remember(cache, fresh), persona, previous: text },
  }
}

type Reason = NonNullable<ProbeResult['skipped']>

/** Data by which a message is judged before extraction. */
interface Incoming {
  readonly text: string
  /** The message before it in the session; null = there was none. */
  readonly previous: string | null
  readonly options: ProbeOptions
  readonly collections: number
}

const REASONS: ReadonlyArray<readonly [Reason, (message: Incoming) => boolean]> = [
  ['off', ({ options }) => !options.enabled],
  ['reflex_command', ({ text, options }) => options.reflexCommands.includes(commandOf(text))],
  ['duplicate', ({ text, previous }) => previous !== null && text === previous],
  ['too_short', ({ text, options }) => countWords(text) < options.minWords],
  ['no_collections', ({ collections }) => collections === 0],
]

/** "/Help!" is the command `help`. */
function commandOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[/!:]/u, '')
    .replace(/[.!?]+$/u, '')
}

/** [D2] Why a message is not probed; null = it is. The first reason that holds. */
export function skipReason(message: Incoming): Reason | null {
  return REASONS.find(([, holds]) => holds(message))?.[0] ?? null
}
