import { z } from 'zod'
import type { Immutable } from './immutable.ts'

const domain = z.string().min(1).max(200)
/** Id of the signal, or its number in the domain, from 1. */
const signal = z.union([z.string().max(200), z.int().min(1)])
/** In the dialect of the file: Python, without regard to case. */
const pattern = z.string().min(1).max(2000)

/** [F160] One change of a domain file, as agents write it and as repairs are proposed. */
export const DomainEdit = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('add'),
    domain,
    pattern,
    id: z.string().min(1).max(100).optional().describe('Id of the new signal.'),
    note: z.string().max(1000).optional().describe('Why it is there; with an id only.'),
  }),
  z.strictObject({ kind: z.literal('pattern'), domain, signal, pattern }),
  z.strictObject({ kind: z.literal('remove'), domain, signal }),
  z.strictObject({
    kind: z.literal('weight'),
    domain,
    signal,
    weight: z.number().min(0).max(1000),
  }),
  z.strictObject({
    kind: z.literal('priority'),
    domain,
    priority: z.int().describe('Of equal scores the smaller priority wins.'),
  }),
  z.strictObject({
    kind: z.literal('minSignals'),
    domain,
    value: z
      .int()
      .min(1)
      .nullable()
      .describe('Least matched signals to be primary; null: the preset decides.'),
  }),
  z.strictObject({
    kind: z.literal('breakMinSignals'),
    domain,
    value: z
      .int()
      .min(0)
      .nullable()
      .describe('Least matched signals to break a strong momentum; null: never.'),
  }),
])
export type DomainEdit = Immutable<z.infer<typeof DomainEdit>>
