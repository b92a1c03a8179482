import { z } from 'zod'
import { Key, Progress } from './contract-shapes.ts'
import { SessionOutcome, TextLabel, TurnLabel } from './engine/schema/label.ts'
import {
  AblationRow,
  Counterfactual,
  Draft,
  DraftProblem,
  EnrichmentEffect,
  FlipReport,
  LabMetrics,
  LintFinding,
  Matrix,
  Side,
  SignalRow,
  SLIDERS,
  Suggestion,
  WhatIf,
} from './engine/schema/lab.ts'
import { EventKind } from './engine/schema/event.ts'
import { ReplayConfig } from './engine/schema/replay.ts'
import { Span } from './engine/schema/trace.ts'

const corpus = z.object({ corpus: Key })
const nothing = z.object({})
const place = z.object({ session: z.int().min(0), turn: z.int().min(0) })

/** A session of the corpus. Labels are counted by what could be found. */
export const CorpusSession = z.object({
  /** File it came from, as people know it, and its index there. */
  path: z.string().nullable(),
  /** Key of the opened file where it is open now. */
  key: Key.nullable(),
  inFile: z.int(),
  id: z.string(),
  title: z.string(),
  turns: z.int(),
  labels: z.int(),
})

/** A turn as lists of the lab show it. */
export const CorpusTurn = z.object({
  session: z.int(),
  turn: z.int(),
  seq: z.int(),
  kind: EventKind,
  /** At most 400 characters, around the first span where there is one. */
  excerpt: z.string(),
  spans: z.array(Span),
  primary: z.string(),
  secondary: z.string().nullable(),
  label: TurnLabel.nullable(),
})

/** Tune, flips, compare, label, lab: all over one corpus held by one worker. */
export const labContract = {
  /**
   * Gathers turns: of opened files, of the library's folders, of the shipped samples, of texts in
   * label files. Answers as sessions are read; `ready` when all are scored under the configuration.
   */
  'lab.open': {
    kind: 'stream',
    in: z.object({
      keys: z.array(Key),
      folders: z.array(z.string().max(4096)),
      samples: z.boolean(),
      config: ReplayConfig,
    }),
    out: z.discriminatedUnion('kind', [
      Progress,
      z.object({
        kind: z.literal('ready'),
        corpus: Key,
        sessions: z.array(CorpusSession),
        turns: z.int(),
        chars: z.number(),
        /** Labels whose turn could not be found, with the reason. */
        lost: z.array(z.object({ file: z.string(), line: z.int(), what: z.string() })),
        metrics: LabMetrics.nullable(),
        /** Files that could not be read, with the reason. */
        problems: z.array(z.object({ path: z.string(), what: z.string() })),
      }),
    ]),
  },
  'lab.close': { kind: 'call', in: corpus, out: nothing },
  /** The text of the domain file as saved, with its fingerprint (what `draft.save` must still find). */
  'draft.load': {
    kind: 'call',
    in: z.object({ config: ReplayConfig }),
    out: z.object({
      text: z.string(),
      file: z.string(),
      fingerprint: z.string(),
      /** False where it ships with the program: saving writes a copy into the workspace. */
      writable: z.boolean(),
      /** The draft that was left unsaved here, if any. */
      draft: z.string().nullable(),
    }),
  },
  /** What the draft changes over the corpus. A newer call of the same corpus ends an older one. */
  'lab.flips': {
    kind: 'stream',
    in: corpus.extend({ base: Side, side: Side }),
    out: z.discriminatedUnion('kind', [
      Progress,
      z.object({
        kind: z.literal('flips'),
        report: FlipReport.nullable(),
        problems: z.array(DraftProblem),
      }),
    ]),
  },
  'lab.signals': {
    kind: 'call',
    in: corpus.extend({ side: Side, key: Key.nullable(), inFile: z.int().min(0) }),
    out: z.object({ rows: z.array(SignalRow), problems: z.array(DraftProblem) }),
  },
  /** Where one pattern, saved or not, matches in texts of the corpus and of an opened session. */
  'lab.matches': {
    kind: 'call',
    in: corpus.extend({
      pattern: z.string().max(20_000),
      dialect: z.enum(['python', 'js']),
      flags: z.string().max(10).nullable(),
      most: z.int().min(1).max(500),
    }),
    out: z.object({
      total: z.int(),
      turns: z.array(CorpusTurn),
      problem: z.string().nullable(),
      cutOff: z.int(),
    }),
  },
  /** Matches of a draft's signals in rows of an opened session: what the list marks while typing. */
  'lab.marks': {
    kind: 'call',
    in: z.object({
      key: Key,
      session: z.int().min(0),
      from: z.int().min(0),
      to: z.int().min(0),
      draft: Draft,
    }),
    out: z.object({
      rows: z.array(
        z.object({
          seq: z.int(),
          marks: z.array(z.object({ span: Span, domain: z.string(), signal: z.int() })),
        }),
      ),
    }),
  },
  'lab.turns': {
    kind: 'call',
    in: corpus.extend({ side: Side, places: z.array(place).max(500) }),
    out: z.object({ turns: z.array(CorpusTurn) }),
  },
  'lab.lint': {
    kind: 'stream',
    in: corpus.extend({ side: Side }),
    out: z.discriminatedUnion('kind', [
      Progress,
      z.object({ kind: z.literal('lint'), findings: z.array(LintFinding) }),
    ]),
  },
  'lab.matrix': {
    kind: 'call',
    in: corpus.extend({
      side: Side,
      by: z.enum(['signals', 'domains']),
      domain: z.string().nullable(),
    }),
    out: Matrix,
  },
  /** Turns behind a cell of the matrix, of the confusion matrix, or of a signal. */
  'lab.cell': {
    kind: 'call',
    in: corpus.extend({
      side: Side,
      cell: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('signals'), row: z.string(), column: z.string() }),
        z.object({ kind: z.literal('domains'), row: z.string(), column: z.string() }),
        z.object({ kind: z.literal('conflict'), row: z.string(), column: z.string() }),
        z.object({ kind: z.literal('confusion'), expected: z.string(), predicted: z.string() }),
        z.object({ kind: z.literal('uncovered') }),
      ]),
      most: z.int().min(1).max(500),
    }),
    out: z.object({ total: z.int(), turns: z.array(CorpusTurn) }),
  },
  /** Turns without any match, turns by number of matching signals, turns by domain. */
  'lab.coverage': {
    kind: 'call',
    in: corpus.extend({ side: Side }),
    out: z.object({
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
    }),
  },
  'lab.ablation': {
    kind: 'stream',
    in: corpus.extend({ side: Side }),
    out: z.discriminatedUnion('kind', [
      Progress,
      z.object({ kind: z.literal('ablation'), rows: z.array(AblationRow) }),
    ]),
  },
  'lab.whatIf': {
    kind: 'stream',
    in: corpus.extend({
      side: Side,
      option: z.enum(SLIDERS),
      values: z.array(z.number().nullable()).min(1).max(40),
    }),
    out: z.discriminatedUnion('kind', [
      Progress,
      z.object({
        kind: z.literal('whatIf'),
        points: z.array(WhatIf),
        current: z.number().nullable(),
      }),
    ]),
  },
  'lab.suggest': {
    kind: 'stream',
    in: corpus.extend({ side: Side, domain: z.string().nullable() }),
    out: z.discriminatedUnion('kind', [
      Progress,
      z.object({
        kind: z.literal('suggest'),
        suggestions: z.array(Suggestion),
        train: z.int(),
        held: z.int(),
      }),
    ]),
  },
  /** What would have made other domains the primary of this turn, and what else that would flip. */
  'lab.explain': {
    kind: 'call',
    in: corpus.extend({ side: Side }).extend(place.shape).extend({ domain: z.string().nullable() }),
    out: z.object({ counterfactuals: z.array(Counterfactual) }),
  },
  /** Keeps the draft for another day; null discards it. A history of the last 50 is kept. */
  'draft.keep': {
    kind: 'call',
    in: z.object({ config: ReplayConfig, text: z.string().max(5_000_000).nullable() }),
    out: nothing,
  },
  'draft.history': {
    kind: 'call',
    in: z.object({ config: ReplayConfig }),
    out: z.object({
      drafts: z.array(
        z.object({
          id: z.string(),
          at: z.number(),
          saved: z.boolean(),
          added: z.int(),
          removed: z.int(),
        }),
      ),
    }),
  },
  'draft.at': {
    kind: 'call',
    in: z.object({ config: ReplayConfig, id: z.string().max(100) }),
    out: z.object({ text: z.string() }),
  },
  /** Refused where the file is not the one with this fingerprint any more: nothing is overwritten. */
  'draft.save': {
    kind: 'call',
    in: z.object({
      config: ReplayConfig,
      text: z.string().max(5_000_000),
      fingerprint: z.string(),
    }),
    out: z.object({ file: z.string(), fingerprint: z.string(), changedLines: z.int() }),
  },
  /** Changes one value of a domain file and keeps everything else of the text, comments too. */
  'draft.edit': {
    kind: 'call',
    in: z.object({
      text: z.string().max(5_000_000),
      edit: z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('pattern'),
          domain: z.string(),
          signal: z.int(),
          pattern: z.string(),
        }),
        z.object({
          kind: z.literal('add'),
          domain: z.string(),
          pattern: z.string(),
          id: z.string().nullable(),
        }),
        z.object({ kind: z.literal('remove'), domain: z.string(), signal: z.int() }),
        z.object({ kind: z.literal('priority'), domain: z.string(), priority: z.int() }),
        z.object({ kind: z.literal('minSignals'), domain: z.string(), value: z.int().nullable() }),
        z.object({
          kind: z.literal('breakMinSignals'),
          domain: z.string(),
          value: z.int().nullable(),
        }),
      ]),
    }),
    out: z.object({ text: z.string() }),
  },
  /** Revisions of a domain file, newest first; empty where there is no repository. */
  'git.revisions': {
    kind: 'call',
    in: z.object({ config: ReplayConfig }),
    out: z.object({
      revisions: z.array(
        z.object({ revision: z.string(), at: z.number(), author: z.string(), subject: z.string() }),
      ),
      problem: z.string().nullable(),
    }),
  },
  'labels.get': {
    kind: 'call',
    in: z.object({ key: Key, session: z.int().min(0) }),
    out: z.object({
      /** Where they are, or would be, written. */
      file: z.string(),
      labels: z.array(z.object({ seq: z.int(), label: TurnLabel })),
      outcome: SessionOutcome.nullable(),
      lost: z.array(z.object({ line: z.int(), what: z.string() })),
    }),
  },
  /** Sets or (null) takes away the label of one event. Written at once, atomically. */
  'labels.set': {
    kind: 'call',
    in: z.object({
      key: Key,
      session: z.int().min(0),
      seq: z.int().min(0),
      label: TurnLabel.omit({ event: true, sha256: true, session: true }).nullable(),
    }),
    out: z.object({ file: z.string() }),
  },
  'labels.outcome': {
    kind: 'call',
    in: z.object({
      key: Key,
      session: z.int().min(0),
      outcome: SessionOutcome.omit({ session: true }).nullable(),
    }),
    out: z.object({ file: z.string() }),
  },
  /** All labels of the corpus as text labels, for a file that needs no session. */
  'labels.export': {
    kind: 'call',
    in: corpus,
    out: z.object({ lines: z.array(TextLabel), text: z.string() }),
  },
} as const
