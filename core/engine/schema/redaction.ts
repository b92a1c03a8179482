import { z } from 'zod'
import { Span } from './trace.ts'

/** [R1] Kinds of values that can be redacted before a transcript leaves the machine. */
export const RedactionKind = z.enum([
  'key',
  'token',
  'email',
  'home',
  'phone',
  'card',
  'iban',
  'ip',
])
export type RedactionKind = z.infer<typeof RedactionKind>

/**
 * [F35] Kinds redacted by default. The others are left out: groups of four numbers are often not IP addresses, and long
 * numbers often not phone or card numbers.
 */
export const DEFAULT_KINDS: readonly RedactionKind[] = ['key', 'token', 'email', 'home']

/** One value that would be replaced by `[REDACTED:kind]`, wherever it occurs. */
export const RedactionFinding = z.object({
  /** Stable for the same kind and value, so that a choice survives another look. */
  id: z.string(),
  kind: RedactionKind,
  /** Name of the rule that recognised it. */
  rule: z.string(),
  value: z.string(),
  count: z.int().min(1),
  /** The first few places, with the text around them; `span` is the value in the excerpt. */
  places: z.array(z.object({ session: z.int(), seq: z.int(), excerpt: z.string(), span: Span })),
})
export type RedactionFinding = z.infer<typeof RedactionFinding>
