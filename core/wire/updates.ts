import { z } from 'zod'
import type { Immutable } from '../engine/schema/immutable.ts'
import { call, stream } from './method.ts'
import { nothing, steps, variant } from './shapes.ts'

/** [F182] An update as the publisher describes it. */
export const FoundUpdate = z.object({
  version: z.string(),
  /** Plain text: markup is not interpreted. */
  notes: z.string(),
  date: z.string().nullable(),
  /** The file for this system. */
  file: z.string(),
  bytes: z.int().min(0).nullable(),
  /** Hexadecimal, as `sha512sum` prints it. */
  sha512: z.string(),
})
export type FoundUpdate = Readonly<z.infer<typeof FoundUpdate>>

export const UpdateState = z.object({
  /** Version that runs. */
  current: z.string(),
  /** Why this program does not update itself, as the end of a sentence; null: it can. */
  off: z.string().nullable(),
  /** Address that is checked for updates. */
  address: z.string().nullable(),
  /** False until the first check for updates. */
  looked: z.boolean(),
  /** Newer than what runs; null: none was found. */
  found: FoundUpdate.nullable(),
  /** It is on this machine, and its hash was checked. */
  isHere: z.boolean(),
})
export type UpdateState = Immutable<z.infer<typeof UpdateState>>

/** [U211] Updates of the desktop application. The operator starts each step. */
export const updatesContract = {
  'updates.state': call('main', nothing, UpdateState),
  /** Asks the publisher's address. Nothing is downloaded. */
  'updates.look': call('main', nothing, UpdateState),
  'updates.download': stream('main', nothing, steps(variant('downloaded', { state: UpdateState }))),
  /** Ends the application and starts the new one. */
  'updates.install': call('main', nothing, nothing),
} as const
