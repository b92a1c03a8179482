import { z } from 'zod'
import { call } from './method.ts'
import { Grown, Key, ScratchId, session } from './shapes.ts'
import { PromptTrace, QueryTrace, SelfSignalTrace } from '../engine/schema/answer-trace.ts'
import { Verdict } from '../engine/schema/coach.ts'
import { EventKind } from '../engine/schema/event-kind.ts'
import { TurnLabel } from '../engine/schema/label.ts'
import { ProbeResult } from '../engine/schema/probe.ts'
import { ReplayConfig } from '../engine/schema/replay.ts'
import { ScratchKind, ScratchText } from '../engine/schema/scratch.ts'
import { TurnTrace } from '../engine/schema/trace.ts'

/** UTF-16 units of one written text. */
const MOST_CHARS = 200_000
const MOST_WRITTEN = 1000

const Written = ScratchText.extend({ text: z.string().max(MOST_CHARS) })
const written = z.array(Written).max(MOST_WRITTEN)

/** Contents of a scratch session, and their place. */
export const Scratch = z.object({
  id: ScratchId,
  title: z.string(),
  /** [U162] Null: begun empty. */
  from: z
    .object({
      /** `seq` of the recorded event that the written events replace. */
      seq: z.int().min(0),
      /** 1-based, as shown; null if the event is no turn. */
      turn: z.int().min(1).nullable(),
      kind: ScratchKind,
      text: z.string(),
      /** Events of the recorded session behind it. */
      rest: z.int().min(0),
    })
    .nullable(),
  written,
  /** Taken back, the last one at the end. */
  undone: written,
  /** Whether the events after the replaced one are kept. */
  rest: z.boolean(),
})
export type Scratch = z.infer<typeof Scratch>

/** [U160] Results of every stage for a text at its place in a session. */
export const Tried = z.object({
  seq: z.int().min(0),
  kind: EventKind,
  /** Null: under this preset it is no turn. */
  trace: TurnTrace.nullable(),
  /** Of a user message. */
  query: QueryTrace.nullable(),
  prompt: PromptTrace.nullable(),
  /** Of an agent's output: by its rules; no model is asked. */
  selfSignal: SelfSignalTrace.nullable(),
  verdict: Verdict.nullable(),
})
export type Tried = z.infer<typeof Tried>

/** A text at its place: behind `at` events. */
const place = { ...session, at: z.int().min(0), config: ReplayConfig }

export const scratchContract = {
  /** [U161] Begins a scratch session: empty, or as the branch of a recorded one at an event. */
  'scratch.begin': call(
    'main',
    {
      from: z
        .object({
          key: Key,
          session: z.int().min(0),
          seq: z.int().min(0),
          turn: z.int().nullable(),
        })
        .nullable(),
    },
    { id: ScratchId },
  ),
  'scratch.read': call('main', { id: ScratchId }, Scratch),
  /** Writes the new contents. The opened session grows, or is replaced. */
  'scratch.write': call(
    'main',
    { id: ScratchId, key: Key, written, undone: written, rest: z.boolean() },
    Grown,
  ),
  /** [U160] Changes nothing. */
  'scratch.try': call('session', { ...place, ...Written.shape }, Tried),
  /** [U160] The probe's hits for a message at that place; requested automatically. */
  'scratch.probe': call('main', { ...place, text: z.string().max(MOST_CHARS) }, ProbeResult),
  /** [U163] Later turns that a branch decides differently, if the rest was kept. */
  'scratch.after': call(
    'session',
    { key: Key, from: z.int().min(0), written: z.int().min(0), config: ReplayConfig },
    {
      /** Turns of the rest. */
      turns: z.int().min(0),
      changed: z.int().min(0),
      /** The first of them; turns are 0-based and those of the branch. */
      rows: z.array(
        z.object({
          seq: z.int().min(0),
          turn: z.int().min(0),
          was: z.string(),
          is: z.string(),
        }),
      ),
    },
  ),
  /** [U164] Writes the session into the workspace, with a label of its last turn if one is given. */
  'scratch.keep': call(
    'main',
    {
      ...session,
      /** Of the file, without its ending. */
      name: z
        .string()
        .regex(/^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,79}$/u, 'letters, digits, blanks, - _ .'),
      label: TurnLabel.omit({ event: true, sha256: true, session: true }).nullable(),
      /** Event that the label is of. */
      seq: z.int().min(0),
    },
    { path: z.string(), labels: z.string().nullable() },
  ),
} as const
