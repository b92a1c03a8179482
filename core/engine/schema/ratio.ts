import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/** A part of a whole. A ratio always includes its counts. `value` is null if `of` is 0. */
export const Ratio = z.object({ hits: z.number(), of: z.number(), value: z.number().nullable() })
export type Ratio = Immutable<z.infer<typeof Ratio>>
