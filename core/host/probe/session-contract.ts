import { z } from 'zod'
import { Key } from '../../wire/shapes.ts'
import { QueryClassification } from '../../engine/schema/query.ts'
import type { Contract } from '../../wire/rpc.ts'

/** A message of a person. */
export const PersonMessage = z.object({ seq: z.int().min(0), text: z.string() })

/** Texts that the prompts of a message, of the one before and under a second configuration receive. */
export const ProbeBlocks = z.object({
  message: z.string().nullable(),
  previous: z.string().nullable(),
  compare: z.string().nullable(),
})
export type ProbeBlocks = Readonly<z.infer<typeof ProbeBlocks>>

/** What the probe asks of the thread that owns a session. */
export const probeSessionContract = {
  /** Messages of persons up to event `to`, or all; long ones are cut at 200,000 UTF-16 units. */
  'probe.messages': {
    kind: 'stream',
    in: z.object({ key: Key, session: z.int().min(0), to: z.int().nullable() }),
    out: z.object({ messages: z.array(PersonMessage) }),
  },
  /** How a message of a person is classified without the probe. */
  'probe.query': {
    kind: 'call',
    in: z.object({
      key: Key,
      session: z.int().min(0),
      seq: z.int().min(0),
      preset: z.string(),
    }),
    out: z.object({ classification: QueryClassification }),
  },
} as const satisfies Contract
