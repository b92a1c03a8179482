import { z } from 'zod'
import type { Immutable } from '../engine/schema/immutable.ts'

/** [F154] Data that a receiver of traces and logs has accepted since it started to listen. */
export const ReceiverCounts = z.object({
  exports: z.int().min(0),
  sessions: z.int().min(0),
  spans: z.int().min(0),
  logs: z.int().min(0),
  /** Bytes that were added to records. */
  bytes: z.int().min(0),
  /** Why requests, or records in them, were not taken: how many, and when last (epoch milliseconds). */
  refused: z.array(z.object({ why: z.string(), count: z.int().min(1), at: z.number() })),
})
export type ReceiverCounts = Immutable<z.infer<typeof ReceiverCounts>>

/** [F154] The receiver of a host. */
export const ReceiverStatus = z.object({
  /** This host can listen. */
  can: z.boolean(),
  /** Its address, or null if it does not listen. */
  url: z.string().nullable(),
  /** Accepts data without a token. */
  isOpen: z.boolean(),
  /** Environment variables that a sender needs: lines `NAME=value`, by sender. */
  environment: z.array(z.object({ of: z.string(), lines: z.array(z.string()) })),
  counts: ReceiverCounts,
  /** Why it does not listen although it was told to. */
  problem: z.string().nullable(),
})
export type ReceiverStatus = Immutable<z.infer<typeof ReceiverStatus>>

export const NOTHING_RECEIVED: ReceiverCounts = {
  exports: 0,
  sessions: 0,
  spans: 0,
  logs: 0,
  bytes: 0,
  refused: [],
}
