import { z } from 'zod'
import { call, stream } from './method.ts'
import { FilePath, Key, steps, variant, nothing, session } from './shapes.ts'
import {
  ProbeCacheState,
  ProbeOptions,
  ProbeResult,
  QueryInContext,
  ThresholdPoint,
} from '../engine/schema/probe.ts'
import { EmbedderConfig } from '../engine/schema/probe-settings.ts'
import { HitRate, KeywordRow } from '../engine/schema/hit-rate.ts'
import { Column, ReplayConfig } from '../engine/schema/replay.ts'

const name = z.string().min(1).max(100)

export const EmbedderInfo = z.object({
  /** Name of the embedder in settings and choices. */
  name: z.string(),
  /** Model and weights: vectors of different ids are never mixed. Null until the model was asked. */
  id: z.string().nullable(),
  title: z.string(),
  kind: z.enum(['shipped', 'folder', 'download', 'ollama', 'openai']),
  dimensions: z.int().nullable(),
  /** Measured (bench/README.md); null = not measured, then the user's. */
  threshold: z.number().nullable(),
  /** Origin of the threshold, in one line; null if not measured. */
  measured: z.string().nullable(),
  state: z.enum(['ready', 'not_loaded', 'missing', 'failed', 'restricted']),
  problem: z.string().nullable(),
  /** Whether text leaves the machine. */
  remote: z.boolean(),
})
export type EmbedderInfo = z.infer<typeof EmbedderInfo>

export const CollectionInfo = z.object({
  name: z.string(),
  /** Ships with Turnscope: the first probe indexes it (D48). */
  sample: z.boolean(),
  title: z.string(),
  persona: z.string().nullable(),
  store: z.string(),
  documents: z.int(),
  chunks: z.int(),
  bytes: z.number(),
  embedder: z.string().nullable(),
  threshold: z.number().nullable(),
  calibrated: z.number().nullable(),
  indexedAt: z.number().nullable(),
  state: z.enum(['ready', 'empty', 'stale', 'other_embedder', 'damaged', 'failed', 'restricted']),
  problem: z.string().nullable(),
})
export type CollectionInfo = z.infer<typeof CollectionInfo>

/** Data for the timeline, one row per user message that was probed or skipped. */
export const ProbeColumns = z.object({
  collections: z.array(z.string()),
  personas: z.array(z.string()),
  seq: Column,
  /** Best score of the primary collection, 0 = no hit. */
  similarity: Column,
  /** Index into collections; -1 = none. */
  primary: Column,
  hits: Column,
  cached: Column,
  /** 0 none, 1 weak, 2 moderate, 3 strong. */
  strength: Column,
  /** Index into personas; -1 = none. */
  persona: Column,
  /** 1 = a switch was refused. */
  refused: Column,
  /** Index into SKIP_REASONS; -1 = probed. */
  skipped: Column,
  errors: Column,
})
export type ProbeColumns = Readonly<z.infer<typeof ProbeColumns>>

/** Best candidate of a phrase in a collection (D16); `reach` is the highest threshold at which it is a hit. */
const ScoreRow = z.object({
  phrase: z.string(),
  collection: z.string(),
  similarity: z.number(),
  lexical: z.number().nullable(),
  reach: z.number(),
})
export type ScoreRow = Readonly<z.infer<typeof ScoreRow>>

export const probeContract = {
  'probe.embedders': call('probe', nothing, {
    embedders: z.array(EmbedderInfo),
    /** Name of the one in use. */
    current: z.string(),
    /** Downloadable models, with the files already present. */
    downloads: z.array(
      z.object({
        model: z.string(),
        title: z.string(),
        source: z.string(),
        licence: z.string(),
        bytes: z.number(),
        have: z.number(),
      }),
    ),
  }),
  'probe.setEmbedder': call('main', { name }, nothing),
  'probe.addEmbedder': call('main', { config: EmbedderConfig }, { name: z.string() }),
  'probe.removeEmbedder': call('main', { name }, nothing),
  /** [L29] Threshold of an embedder over the shipped collections and their `tune` queries; kept in the settings. */
  'probe.measureEmbedder': stream(
    'main',
    { name },
    steps(
      variant('measured', {
        threshold: z.number(),
        queries: z.int(),
        points: z.array(ThresholdPoint),
      }),
    ),
  ),
  /**
   * Downloads a model that the operator requested. The download is resumable and verified. No other call downloads a
   * model.
   */
  'probe.download': stream(
    'main',
    { model: z.string().min(1).max(200) },
    steps(variant('downloaded', { name: z.string() })),
  ),
  'probe.collections': call('probe', nothing, { collections: z.array(CollectionInfo) }),
  /** Brings a collection up to date with its documents, by content hash. */
  'probe.index': stream(
    'probe',
    { collection: name, paths: z.array(FilePath), rebuild: z.boolean() },
    steps(
      variant('indexed', {
        documents: z.int(),
        added: z.int(),
        changed: z.int(),
        removed: z.int(),
        chunks: z.int(),
        skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
        calibrated: z.number().nullable(),
      }),
    ),
  ),
  'probe.remove': call('probe', { collection: name }, nothing),
  /** One text, as if it were the first message of a session. */
  'probe.text': call(
    'probe',
    {
      text: z.string().max(200_000),
      preset: z.string(),
      options: ProbeOptions.partial(),
      /** Name; null = the one in use. */
      embedder: z.string().nullable(),
    },
    ProbeResult,
  ),
  /** Probes the messages of a session in order, cache and persona carried along. */
  'probe.session': stream(
    'main',
    { ...session, config: ReplayConfig, options: ProbeOptions.partial() },
    steps(variant('probed', { columns: ProbeColumns, rate: HitRate, elapsedMs: z.number() })),
    { packed: true },
  ),
  /** [D71] The hit rate of the probe in the sessions of an open corpus, each session separately. */
  'probe.corpus': stream(
    'main',
    { corpus: Key, preset: z.string() },
    steps(
      variant('rates', {
        sessions: z.array(z.object({ name: z.string(), rate: HitRate })),
        total: HitRate,
      }),
    ),
  ),
  /** [D72] Keywords of personas, and whether the probe finds their collections without them. */
  'probe.keywords': call('probe', { preset: z.string() }, { keywords: z.array(KeywordRow) }),
  /** The probe of a user message. */
  'probe.turn': call(
    'main',
    {
      ...session,
      seq: z.int().min(0),
      config: ReplayConfig,
      options: ProbeOptions.partial(),
    },
    {
      text: z.string(),
      result: ProbeResult,
      cache: ProbeCacheState,
      query: QueryInContext,
      /** The data field of the cognition packet, `semantic_probe_result`. */
      field: z.unknown(),
    },
  ),
  /**
   * [D16] Best chunk of every phrase in every collection, hit or not, for a threshold that moves:
   * a hit at each threshold up to `reach`. One row a phrase and collection of a message.
   */
  'probe.scores': stream(
    'main',
    { ...session, config: ReplayConfig, options: ProbeOptions.partial() },
    steps(
      variant('scores', {
        collections: z.array(z.string()),
        phrases: z.array(z.string()),
        /** Threshold in force, by collection. */
        thresholds: z.array(z.number()),
        seq: Column,
        /** Indexes into phrases and collections. */
        phrase: Column,
        collection: Column,
        similarity: Column,
        /** -1 = not computed. */
        lexical: Column,
        reach: Column,
      }),
    ),
    { packed: true },
  ),
  /** A chunk with those beside it, in place in its document. */
  'probe.chunk': call(
    'probe',
    {
      collection: name,
      filename: z.string().max(4096),
      chunk_idx: z.int().min(0),
      around: z.int().min(0).max(20),
    },
    {
      path: z.string().nullable(),
      chunks: z.array(
        z.object({
          chunk_idx: z.int(),
          text: z.string(),
          lines: z.tuple([z.int(), z.int()]).nullable(),
          heading: z.string().nullable(),
        }),
      ),
    },
  ),
  /** Retrieval after the probe. The probe's hits are reused, neighbors are added, and all are merged. */
  'probe.retrieve': call(
    'probe',
    {
      text: z.string().max(200_000),
      preset: z.string(),
      most: z.int().min(1).max(50),
      /** [D70] False = the sample collections are not asked. */
      samples: z.boolean().optional(),
    },
    {
      skipped: z.array(z.string()),
      documents: z.array(
        z.object({
          collection: z.string(),
          filename: z.string(),
          chunk_idx: z.int(),
          text: z.string(),
          score: z.number().nullable(),
          origin: z.enum(['probe', 'adjacent', 'retrieval']),
        }),
      ),
    },
  ),
  /** Scores of labelled queries, so that any threshold can be drawn without asking again. */
  'probe.curve': stream(
    'probe',
    {
      queries: z.string().max(200),
      embedder: z.string().nullable(),
      collection: name.nullable(),
      preset: z.string(),
    },
    steps(
      variant('curve', {
        points: z.array(ThresholdPoint),
        queries: z.int(),
        rows: z.array(
          z.object({
            id: z.string(),
            text: z.string(),
            wanted: z.string().nullable(),
            best: z.array(ScoreRow),
          }),
        ),
      }),
    ),
    { packed: true },
  ),
  'probe.querySets': call('probe', nothing, {
    sets: z.array(z.object({ name: z.string(), queries: z.int() })),
  }),
} as const
