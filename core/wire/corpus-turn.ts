import { z } from 'zod'
import { EventKind } from '../engine/schema/event-kind.ts'
import { TurnLabel } from '../engine/schema/label.ts'
import { Span } from '../engine/schema/trace.ts'

/** A turn as lists of the lab show it. */
export const CorpusTurn = z.object({
  session: z.int(),
  turn: z.int(),
  seq: z.int(),
  kind: EventKind,
  /** At most 400 characters, around the first span if one exists. */
  excerpt: z.string(),
  spans: z.array(Span),
  primary: z.string(),
  secondary: z.string().nullable(),
  /** [K12] The skills that fire; null: domains. */
  fires: z.array(z.string()).nullable(),
  label: TurnLabel.nullable(),
})
