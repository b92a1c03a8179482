import { z } from 'zod'

/**
 * The kind of a transcript record. `user` is text that the user typed. Text that a harness put under the user role has
 * separate kinds, because it must not be classified as the user's.
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
