import { z } from 'zod'
import { ContextSource, ModelCall } from '../engine/schema/context.ts'
import type { Immutable } from '../engine/schema/immutable.ts'
import { call } from './method.ts'
import { session } from './shapes.ts'

const tokens = z.int().min(0)
const reason = z.enum(['compacted', 'cleared', 'shrank'])

/** One text in the context of a call. */
export const ShownPart = z.object({
  /** Event of this session; null for one before the branch, and for parts without an event. */
  seq: z.int().min(0).nullable(),
  label: z.string(),
  tokens,
  /** It was not in the context of the call before. */
  added: z.boolean(),
  source: ContextSource.nullable(),
  /** The tool call that brought it in. `seq` is null for one before the branch. */
  cause: z.object({ seq: z.int().min(0).nullable(), name: z.string().nullable() }).nullable(),
})
export type ShownPart = Immutable<z.infer<typeof ShownPart>>

/** [X12] A model call with its context. */
export const ShownCall = z.object({
  /** From 0. */
  nth: z.int().min(0),
  /** Its first output. */
  seq: z.int().min(0),
  model: z.string().nullable(),
  /** Tokens in the context: as recorded, else the sum of the estimates. */
  tokens,
  recorded: ModelCall.nullable(),
  window: z.number().nullable(),
  cut: z
    .object({
      reason,
      events: z.int().min(0),
      before: tokens.nullable(),
    })
    .nullable(),
  /** In their order; of very many the largest. */
  parts: z.array(ShownPart),
  /** Parts that are left out of the list, and their tokens. */
  left: z.object({ parts: z.int().min(0), tokens }),
  /** Recorded tokens that no text of the file explains. */
  rest: tokens,
})
export type ShownCall = Immutable<z.infer<typeof ShownCall>>

/** [X14] All calls of a session as columns: one entry a call, `tokens` one row a call. */
export const ContextColumns = z.object({
  /** False if the file records no usage: all figures are estimates. */
  isRecorded: z.boolean(),
  tokenizer: z.string(),
  /** First output of each call, rising. */
  seq: z.array(z.int().min(0)),
  /** Context window of each call in tokens; 0 = unknown. */
  window: z.array(z.number().min(0)),
  /** Names of the layers from the bottom up; the first is the remainder that no text explains. */
  layers: z.array(z.string()),
  tokens: z.array(tokens),
  /** Cuts before calls, in order. */
  cuts: z.array(z.object({ call: z.int().min(0), reason, before: tokens.nullable() })),
})
export type ContextColumns = Immutable<z.infer<typeof ContextColumns>>

/** [X12] Calls that return the contents of the model's context. */
export const contextContract = {
  /** The call that answers an event: the one that made it, or the next one behind it. Null if there is no call. */
  'context.call': call(
    'session',
    { ...session, seq: z.int().min(0), profile: z.string().nullable() },
    {
      calls: z.int().min(0),
      isRecorded: z.boolean(),
      tokenizer: z.string(),
      call: ShownCall.nullable(),
    },
  ),
  /** [X14] The contexts of all calls, for the lane. */
  'context.calls': call('session', { ...session, profile: z.string().nullable() }, ContextColumns),
} as const
