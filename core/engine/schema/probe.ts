import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { QueryClassification } from './query.ts'
import { Ratio } from './ratio.ts'
import { Span } from './trace.ts'
import { Address, Variable } from './trust.ts'

/** Rules by which phrases are found, in the order of the document's extraction strategy. */
export const PHRASE_RULES = [
  'capitalised',
  'quoted',
  'rare_word',
  'entity_pattern',
  'identifier',
  'unspaced',
  'full_input',
] as const

/** A phrase of a message that is worth probing. */
export const Phrase = z.object({
  text: z.string(),
  rule: z.enum(PHRASE_RULES),
  /** Every occurrence in the message. */
  spans: z.array(Span),
  /** 1, or less for the full-input fallback: similarities are multiplied with it when collections are ranked. */
  weight: z.number(),
})
export type Phrase = Immutable<z.infer<typeof Phrase>>

/** One chunk that a phrase hit. Both parts of the score are kept. */
export const ProbeHit = z.object({
  phrase: z.string(),
  collection: z.string(),
  chunk_text: z.string(),
  /** Cosine of the embeddings. */
  similarity: z.number(),
  /** Share of the phrase's words, weighted by rarity, that occur in the chunk; null if it was not computed. */
  lexical: z.number().nullable(),
  /** The number that the hit rule compared, and its limit. */
  score: z.number(),
  threshold: z.number(),
  filename: z.string(),
  chunk_idx: z.int().min(0),
  /** Lines of the document, from 1. */
  lines: z.tuple([z.int(), z.int()]).nullable(),
  from_cache: z.boolean(),
})
export type ProbeHit = Immutable<z.infer<typeof ProbeHit>>

/** [L26] */
export const Strength = z.enum(['none', 'weak', 'moderate', 'strong'])
export type Strength = z.infer<typeof Strength>

export const PersonaDecision = z.object({
  /** Persona in force after this turn; null = none. */
  persona: z.string().nullable(),
  collection: z.string().nullable(),
  source: z.enum(['probe', 'keywords', 'held', 'none']),
  /** The persona or collection that was refused, and the reason; null if nothing was refused. */
  refused: z
    .object({
      persona: z.string().nullable(),
      collection: z.string(),
      reason: z.enum(['weak', 'persona_momentum']),
    })
    .nullable(),
  /** Turns in a row that this persona has been in force. */
  heldFor: z.int().min(0),
})
export type PersonaDecision = Immutable<z.infer<typeof PersonaDecision>>

export const SKIP_REASONS = [
  'reflex_command',
  'too_short',
  'duplicate',
  'no_collections',
  'off',
] as const

/** All that the probe found for one message. */
export const ProbeResult = z.object({
  phrases: z.array(Phrase),
  phrases_tested: z.array(z.string()),
  hits: z.array(ProbeHit),
  /** Best scores below the threshold, for readers: at most one a phrase and collection. */
  near: z.array(ProbeHit),
  primary_collection: z.string().nullable(),
  supplemental_collections: z.array(z.string()),
  /** Sum of the hits' weighted scores by collection. */
  totals: z.array(z.object({ collection: z.string(), sum: z.number(), hits: z.int() })),
  strength: Strength,
  persona: PersonaDecision,
  from_cache: z.int().min(0),
  skipped: z.enum(SKIP_REASONS).nullable(),
  /** Milliseconds, as measured by the host; 0 for skipped steps. */
  probe_time_ms: z.number(),
  times: z.object({
    extract: z.number(),
    embed: z.number(),
    search: z.number(),
    total: z.number(),
  }),
  /** Text for the prompt; null if there was no hit. */
  prompt: z.string().nullable(),
  /** One sentence for query classification; null if there was no hit. */
  intent: z.string().nullable(),
  /** [L28] A collection or the embedder failed: what, where, what to do. */
  errors: z.array(
    z.object({ collection: z.string().nullable(), what: z.string(), do: z.string() }),
  ),
})
export type ProbeResult = Immutable<z.infer<typeof ProbeResult>>

export const HitRule = z.discriminatedUnion('kind', [
  /** cos >= threshold: the document's. */
  z.strictObject({ kind: z.literal('cosine') }),
  /** cos >= threshold, or (cos + lexicalWeight × lexical >= combined and cos >= floor). */
  z.strictObject({
    kind: z.literal('hybrid'),
    lexicalWeight: z.number().min(0).max(1),
    combined: z.number().min(0).max(2),
    floor: z.number().min(-1).max(1),
  }),
])
export type HitRule = Immutable<z.infer<typeof HitRule>>

/** Options of the probe in a preset. */
export const ProbeOptions = z.strictObject({
  enabled: z.boolean(),
  maxPhrases: z.int().min(1).max(64),
  minChars: z.int().min(1),
  minWords: z.int().min(0),
  reflexCommands: z.array(z.string()),
  /** null = the embedder's own default (L29), raised by calibration of the collection. */
  threshold: z.number().min(-1).max(1).nullable(),
  rule: HitRule,
  /** Hits kept a phrase and collection. */
  topK: z.int().min(1).max(50),
  maxCollections: z.int().min(1).nullable(),
  /** Turns after which a cached phrase is probed again. */
  cacheMaxAge: z.int().min(0),
  fullInputWeight: z.number().min(0).max(1),
  /** [L26] null = any hit switches, as the document says. */
  personaMinStrength: z.enum(['weak', 'moderate', 'strong']).nullable(),
  /** [L26] turns a persona must have been held before a moderate hit cannot leave it; null = no momentum. */
  personaMomentum: z.int().min(1).nullable(),
})
export type ProbeOptions = Immutable<z.infer<typeof ProbeOptions>>

/** [D73] Field names of an index that another program created. It is searched, and never written. */
export const ExistingIndex = z.strictObject({
  /** Field of the text, nested ones with dots (`metadata.text`). */
  text: z.string().min(1).max(200),
  /** Field, column or named vector; in Qdrant the one vector without a name when it is left out. */
  vector: z.string().min(1).max(200).optional(),
  /** Field that names the document; left out: the record's own id. */
  file: z.string().min(1).max(200).optional(),
  dimensions: z.int().min(1).max(65_536),
  /** Id of the embedder that its vectors were made with. */
  embedder: z.string().min(1).max(200),
})
export type ExistingIndex = Immutable<z.infer<typeof ExistingIndex>>
const existing = ExistingIndex.optional()

/** `profiles/collections.yaml`. */
export const CollectionEntry = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[a-z0-9][a-z0-9_-]*$/u),
  title: z.string().optional(),
  /** Folders and files of documents, relative to the workspace. */
  paths: z.array(z.string().min(1)),
  persona: z.string().nullable().optional(),
  keywords: z.array(z.string()).optional(),
  /** By embedder id; overrides the embedder's default and the calibration. */
  thresholds: z.record(z.string(), z.number().min(-1).max(1)).optional(),
  /** Location of the vectors: our own store, or an adapter. */
  store: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('local') }),
      /** JSON lines of `{text, vector}`. */
      z.strictObject({
        kind: z.literal('file'),
        path: z.string().min(1).max(2000),
        existing: ExistingIndex,
      }),
      z.strictObject({ kind: z.literal('lancedb'), uri: Address, table: z.string(), existing }),
      z.strictObject({
        kind: z.literal('qdrant'),
        url: z.url().max(2000),
        collection: z.string(),
        keyEnv: Variable.optional(),
        existing,
      }),
      z.strictObject({
        kind: z.literal('pgvector'),
        urlEnv: Variable,
        table: z.string(),
        existing,
      }),
    ])
    .optional(),
})
export type CollectionEntry = Immutable<z.infer<typeof CollectionEntry>>
export const CollectionsFile = z.strictObject({
  $schema: z.string().optional(),
  embedder: z.string().optional(),
  collections: z.array(CollectionEntry),
})
export type CollectionsFile = Immutable<z.infer<typeof CollectionsFile>>

/** `profiles/personas/*.json`. */
export const Persona = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().min(1),
  title: z.string().optional(),
  instructions: z.string().optional(),
})
export type Persona = Immutable<z.infer<typeof Persona>>

/** One row of a labelled query: what should be found. `collection: null` = nothing. */
export const ProbeQuery = z.strictObject({
  id: z.string(),
  text: z.string(),
  collection: z.string().nullable(),
  supplemental: z.array(z.string()).optional(),
  /** Files of the collection that answer it. */
  files: z.array(z.string()).optional(),
})
export type ProbeQuery = Immutable<z.infer<typeof ProbeQuery>>

/** Precision and recall of hits at one threshold, over labelled queries. */
export const ThresholdPoint = z.object({
  threshold: z.number(),
  /** Right primary among queries that have one. */
  primary: Ratio,
  precision: Ratio,
  recall: Ratio,
  /** Queries of no collection that hit something. */
  falseHits: Ratio,
})
export type ThresholdPoint = Immutable<z.infer<typeof ThresholdPoint>>

/** [D17] Contents of the session's cache before a message. */
export const ProbeCacheState = z.object({
  /** Turns of the session before this one, probed or skipped. */
  turn: z.int().min(0),
  /** Phrases in the cache; `entries` has the oldest of them. */
  size: z.int().min(0),
  entries: z.array(
    z.object({
      phrase: z.string(),
      /** Turns since it was asked, and turns for which its answer still counts. */
      age: z.int().min(0),
      left: z.int().min(0),
    }),
  ),
})
export type ProbeCacheState = Immutable<z.infer<typeof ProbeCacheState>>

/** [D15] Query classification without and with the probe's results. */
export const QueryInContext = z.object({
  /** The sentence that the classification receives; null if there was no hit. */
  context: z.string().nullable(),
  before: QueryClassification,
  after: QueryClassification,
  /** One sentence a field that the context changed, or why it changed none. */
  why: z.string(),
})
export type QueryInContext = Immutable<z.infer<typeof QueryInContext>>
