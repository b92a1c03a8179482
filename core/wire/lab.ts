import { z } from 'zod'
import { call, stream } from './method.ts'
import { draftContract } from './drafts.ts'
import { CorpusTurn } from './corpus-turn.ts'
import { queueContract } from './queue.ts'
import { FilePath, Key, steps, variant, nothing, session } from './shapes.ts'
import {
  AblationRow,
  Counterfactual,
  Draft,
  DraftProblem,
  FlipReport,
  LintFinding,
  Matrix,
  Side,
  SignalRow,
  SLIDERS,
  Suggestion,
  WhatIf,
} from '../engine/schema/lab.ts'
import { EnrichmentEffect, LabMetrics } from '../engine/schema/metrics.ts'
import { Dialect } from '../engine/schema/domain.ts'
import { ReplayConfig } from '../engine/schema/replay.ts'
import { Span } from '../engine/schema/trace.ts'

const corpus = { corpus: Key }
/**
 * [U220] Key of the configuration that an answer was computed for: names and contents of its files, equal to the
 * `key` of a replay under it. Null if the saved files cannot be compiled, as under a draft that mends them.
 */
const configKey = z.string().nullable()
const place = z.object({ session: z.int().min(0), turn: z.int().min(0) })

export { CorpusTurn } from './corpus-turn.ts'

/** A session of the corpus. Labels are counted by what could be found. */
export const CorpusSession = z.object({
  /** File it came from, as people know it, and its index there. */
  path: z.string().nullable(),
  /** Key of the opened file if it is open now. */
  key: Key.nullable(),
  inFile: z.int(),
  id: z.string(),
  title: z.string(),
  turns: z.int(),
  labels: z.int(),
})

/** Tune, flips, compare, label, lab: all over one corpus held by one worker. */
export const labContract = {
  ...draftContract,
  ...queueContract,
  /**
   * Gathers turns: of opened files, of the library's folders, of the shipped samples, of texts in
   * label files. Answers as sessions are read; `ready` when all are scored under the configuration.
   */
  'lab.open': stream(
    'main',
    {
      keys: z.array(Key),
      folders: z.array(FilePath),
      samples: z.boolean(),
      config: ReplayConfig,
    },
    steps(
      variant('ready', {
        corpus: Key,
        configKey,
        sessions: z.array(CorpusSession),
        turns: z.int(),
        chars: z.number(),
        /** Labels whose turn could not be found, with the reason. */
        lost: z.array(z.object({ file: z.string(), line: z.int(), what: z.string() })),
        metrics: LabMetrics.nullable(),
        /** Files that could not be read, with the reason. */
        problems: z.array(z.object({ path: z.string(), what: z.string() })),
      }),
    ),
  ),
  'lab.close': call('main', corpus, nothing),
  /**
   * The draft's changes over the corpus. A newer call for the same corpus ends an older one, unless it runs `aside`. If
   * `early` is set and the answer takes time, a report of the first flips precedes it.
   */
  'lab.flips': stream(
    'lab',
    {
      ...corpus,
      base: Side,
      side: Side,
      aside: z.boolean().default(false),
      early: z.boolean().default(false),
    },
    steps(
      variant('flips', {
        configKey,
        report: FlipReport.nullable(),
        problems: z.array(DraftProblem),
      }),
    ),
    { packed: true },
  ),
  'lab.signals': call(
    'lab',
    { ...corpus, side: Side, key: Key.nullable(), inFile: z.int().min(0) },
    {
      configKey,
      rows: z.array(SignalRow),
      problems: z.array(DraftProblem),
      /** Why git was not asked when lines were edited: the workspace is not trusted with it. */
      restricted: z.string().nullable(),
    },
    { packed: true },
  ),
  /** Turns of the corpus on which one pattern, saved or not, matches, with what `side` decides for them. */
  'lab.matches': call(
    'lab',
    {
      ...corpus,
      side: Side,
      pattern: z.string().max(20_000),
      dialect: Dialect,
      flags: z.string().max(10).nullable(),
      most: z.int().min(1).max(500),
    },
    {
      total: z.int(),
      turns: z.array(CorpusTurn),
      problem: z.string().nullable(),
      cutOff: z.int(),
    },
  ),
  /** Matches of a draft's signals in rows of an opened session, for the list's marks during typing. */
  'lab.marks': call(
    'session',
    {
      ...session,
      from: z.int().min(0),
      to: z.int().min(0),
      draft: Draft,
    },
    {
      rows: z.array(
        z.object({
          seq: z.int(),
          marks: z.array(z.object({ span: Span, domain: z.string(), signal: z.int() })),
        }),
      ),
    },
  ),
  'lab.turns': call(
    'lab',
    { ...corpus, side: Side, places: z.array(place).max(500) },
    { turns: z.array(CorpusTurn) },
    { packed: true },
  ),
  'lab.lint': stream(
    'lab',
    { ...corpus, side: Side },
    steps(variant('lint', { findings: z.array(LintFinding) })),
    { packed: true },
  ),
  'lab.matrix': call(
    'lab',
    { ...corpus, side: Side, by: z.enum(['signals', 'domains']), domain: z.string().nullable() },
    Matrix,
    { packed: true },
  ),
  /** Turns behind a cell of the matrix, of the confusion matrix, or of a signal. */
  'lab.cell': call(
    'lab',
    {
      ...corpus,
      side: Side,
      cell: z.discriminatedUnion('kind', [
        variant('signals', { row: z.string(), column: z.string() }),
        variant('domains', { row: z.string(), column: z.string() }),
        variant('conflict', { row: z.string(), column: z.string() }),
        variant('confusion', { expected: z.string(), predicted: z.string() }),
        variant('uncovered', {}),
      ]),
      most: z.int().min(1).max(500),
    },
    { total: z.int(), turns: z.array(CorpusTurn) },
    { packed: true },
  ),
  /** Turns without any match, turns by number of matching signals, turns by domain. */
  'lab.coverage': call(
    'lab',
    { ...corpus, side: Side },
    {
      turns: z.int(),
      uncovered: z.int(),
      bySignals: z.array(z.object({ signals: z.int(), turns: z.int() })),
      domains: z.array(
        z.object({
          domain: z.string(),
          matched: z.int(),
          primary: z.int(),
          secondary: z.int(),
          alone: z.int(),
        }),
      ),
      enrichment: z.array(EnrichmentEffect),
    },
  ),
  'lab.ablation': stream(
    'lab',
    { ...corpus, side: Side },
    steps(variant('ablation', { rows: z.array(AblationRow) })),
    { packed: true },
  ),
  'lab.whatIf': stream(
    'lab',
    {
      ...corpus,
      side: Side,
      option: z.enum(SLIDERS),
      values: z.array(z.number().nullable()).min(1).max(40),
    },
    steps(variant('whatIf', { points: z.array(WhatIf), current: z.number().nullable() })),
  ),
  'lab.suggest': stream(
    'lab',
    { ...corpus, side: Side, domain: z.string().nullable() },
    steps(
      variant('suggest', {
        suggestions: z.array(Suggestion),
        train: z.int(),
        held: z.int(),
        /** [L102] Whole sources that are held out; null = all labels come from one source. */
        heldSources: z.int().nullable(),
      }),
    ),
  ),
  /** Edits that would have made other domains the primary of this turn, and the other turns each edit would flip. */
  'lab.explain': call(
    'lab',
    { ...corpus, ...place.shape, side: Side, domain: z.string().nullable() },
    { counterfactuals: z.array(Counterfactual) },
  ),
} as const
