import { z } from 'zod'
import { call, stream } from './method.ts'
import { Key, steps, variant, nothing, session } from './shapes.ts'
import { SessionOutcome, TextLabel, TurnLabel } from '../engine/schema/label.ts'
import { ListedSignal, Side } from '../engine/schema/lab.ts'
import { Reach } from '../engine/schema/reach.ts'
import { ReplayConfig } from '../engine/schema/replay.ts'

const corpus = { corpus: Key }

/** A commit that changed a file; `at` in epoch milliseconds. */
export const Revision = z.object({
  revision: z.string(),
  at: z.number(),
  author: z.string(),
  subject: z.string(),
})
export type Revision = Readonly<z.infer<typeof Revision>>

/** Calls for the operator's work in the lab: drafts of domain files, and labels of turns. */
export const draftContract = {
  /** The text of the domain file as saved, with its fingerprint (what `draft.save` must still find). */
  'draft.load': call(
    'workspace',
    { config: ReplayConfig },
    {
      text: z.string(),
      file: z.string(),
      fingerprint: z.string(),
      /** False if the file ships with the program. Saving then writes a copy into the workspace. */
      writable: z.boolean(),
      /** The draft that was left unsaved here, if any. */
      draft: z.string().nullable(),
      /** Problem of the unsaved draft; null if it has none. */
      problem: z.string().nullable(),
    },
  ),
  /** Keeps the draft for another day; null discards it. A history of the last 50 is kept. */
  'draft.keep': call(
    'workspace',
    {
      config: ReplayConfig,
      text: z.string().max(5_000_000).nullable(),
      /** A name of the window: its next draft takes the place of its last one, never of another's. */
      window: z.string().max(100).default(''),
    },
    nothing,
  ),
  'draft.history': call(
    'workspace',
    { config: ReplayConfig },
    {
      drafts: z.array(
        z.object({
          id: z.string(),
          at: z.number(),
          saved: z.boolean(),
          added: z.int(),
          removed: z.int(),
        }),
      ),
    },
  ),
  'draft.at': call(
    'workspace',
    { config: ReplayConfig, id: z.string().max(100) },
    { text: z.string() },
  ),
  /** Refused if the file no longer has this fingerprint. Nothing is overwritten. */
  'draft.save': call(
    'workspace',
    { config: ReplayConfig, text: z.string().max(5_000_000), fingerprint: z.string() },
    { file: z.string(), fingerprint: z.string(), changedLines: z.int() },
  ),
  /** Changes one value of a domain file and keeps everything else of the text, comments too. */
  'draft.edit': call(
    'workspace',
    {
      text: z.string().max(5_000_000),
      edit: z.discriminatedUnion('kind', [
        variant('pattern', { domain: z.string(), signal: z.int(), pattern: z.string() }),
        variant('add', {
          domain: z.string(),
          pattern: z.string(),
          id: z.string().nullable(),
          /** Why it is there; with an id only. */
          note: z.string().max(1000).optional(),
          /** [L101] Sources of labels that it was made from: they join `madeFrom` of the file. */
          madeFrom: z.array(z.string().max(400)).max(5000).optional(),
        }),
        variant('remove', { domain: z.string(), signal: z.int() }),
        variant('priority', { domain: z.string(), priority: z.int() }),
        variant('minSignals', { domain: z.string(), value: z.int().nullable() }),
        variant('breakMinSignals', { domain: z.string(), value: z.int().nullable() }),
      ]),
    },
    { text: z.string() },
  ),
  /** [L98] Writes what signals count, and what labels that was fitted on, into a domain file's text. */
  'draft.weights': call(
    'workspace',
    {
      text: z.string().max(5_000_000),
      weights: z
        .array(
          z.object({
            domain: z.string(),
            index: z.int().min(0),
            weight: z.number().min(0).max(1000),
          }),
        )
        .max(20_000),
      madeFrom: z.array(z.string().max(400)).max(5000),
    },
    { text: z.string() },
  ),
  /** [U110] The signals of a draft, without a corpus. Refused if the text cannot be read. */
  'draft.signals': call('workspace', { side: Side }, { rows: z.array(ListedSignal) }),
  /** [U184] Reachability in a draft, with messages: its signals, domains, ties, gates and momentum rules. */
  'draft.reach': stream(
    'workspace',
    { side: Side },
    steps(variant('reach', { all: z.array(Reach) })),
    { packed: true },
  ),
  /** [T78] A pattern that finds selected words; null if no usable word is left. */
  'draft.pattern': call(
    'workspace',
    { words: z.string().max(20_000) },
    { pattern: z.string().nullable() },
  ),
  /**
   * [T79] Line of a signal in a text, from 1. A moved signal is found by its pattern, else by its place. Null if it
   * does not exist.
   */
  'draft.line': call(
    'workspace',
    {
      text: z.string().max(5_000_000),
      domain: z.string(),
      signal: z.int().min(0),
      pattern: z.string().max(20_000),
    },
    { line: z.int().nullable(), signal: z.int().nullable() },
  ),
  /** Revisions of a domain file, newest first; empty if there is no repository. */
  'git.revisions': call(
    'workspace',
    { config: ReplayConfig },
    {
      revisions: z.array(Revision),
      problem: z.string().nullable(),
    },
  ),
  'labels.get': call(
    'session',
    // [L85] The current reader; null if no name was given.
    { ...session, by: z.string().max(100).nullable().default(null) },
    {
      /** Path of the labels file, which may not exist yet. */
      file: z.string(),
      labels: z.array(z.object({ seq: z.int(), label: TurnLabel })),
      outcome: SessionOutcome.nullable(),
      lost: z.array(z.object({ line: z.int(), what: z.string() })),
    },
  ),
  /** Sets the label of one event, or removes it if null. Written immediately and atomically. */
  'labels.set': call(
    'main',
    {
      ...session,
      seq: z.int().min(0),
      label: TurnLabel.omit({ event: true, sha256: true, session: true }).nullable(),
      /** Whose label is taken away (null = the one without a name); left out: all of them. */
      by: z.string().max(100).nullable().optional(),
    },
    { file: z.string() },
  ),
  'labels.outcome': call(
    'main',
    {
      ...session,
      outcome: SessionOutcome.omit({ session: true }).nullable(),
    },
    { file: z.string() },
  ),
  /** All labels of the corpus as text labels, for a file that needs no session. */
  'labels.export': call(
    'lab',
    corpus,
    { lines: z.array(TextLabel), text: z.string() },
    {
      packed: true,
    },
  ),
} as const
