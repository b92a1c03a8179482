import { z } from 'zod'
import type { EventKind } from './event-kind.ts'

/** Events that can be written by hand: a user message, an agent's output, a tool's result. */
export const ScratchKind = z.enum(['user', 'agent', 'tool'])
export type ScratchKind = z.infer<typeof ScratchKind>

/** Kind of the event that it becomes. */
export const SCRATCH_EVENT = {
  user: 'user',
  agent: 'agent',
  tool: 'tool_result',
} as const satisfies Readonly<Record<ScratchKind, EventKind>>

/** [U160] A text written by hand. */
export const ScratchText = z.object({ kind: ScratchKind, text: z.string() })
export type ScratchText = Readonly<z.infer<typeof ScratchText>>
