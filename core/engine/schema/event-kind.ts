import { z } from 'zod'

/**
 * What a record of a transcript is. `user` is what a person typed; everything a harness put under
 * the user's role has a kind of its own, because it must not be classified as the user's.
 */
export const EventKind = z.enum([
  'user',
  'agent',
  'reasoning',
  'tool_call',
  'tool_result',
  'injected',
  'command',
  'summary',
  'interruption',
  'subagent_prompt',
  'notification',
  'system',
  'meta',
  /** A step of a pipeline with its results; `text` is the JSON of a `StepRecord`. */
  'step',
])
export type EventKind = z.infer<typeof EventKind>
