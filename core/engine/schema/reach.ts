import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/** [K21] [K22] [K23] Can a thing of a configuration ever do something, and what shows it? */
export const Reach = z.object({
  kind: z.enum(['signal', 'domain', 'tie-break', 'gate', 'rule']),
  /** `coding/build-a` or `coding/3`, `coding`, `priority`, `coding`, `B1`. */
  name: z.string(),
  domain: z.string().nullable(),
  /** Index into the domain's signals. */
  signal: z.int().nullable(),
  status: z.enum(['reached', 'never', 'undecided']),
  /** Messages, in order, of which the last one reaches it; empty unless `reached`. */
  witness: z.array(z.string()),
  /** The proof that nothing reaches it, or why nothing is known. */
  why: z.string(),
  /** Disabled by the operator's choice, so it is not a mistake. */
  off: z.boolean(),
})
export type Reach = Immutable<z.infer<typeof Reach>>
