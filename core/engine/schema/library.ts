import { z } from 'zod'

/** The error, its place, and the advice. */
export const ProblemText = z.object({ what: z.string(), where: z.string(), do: z.string() })

/** A folder of transcripts that the user added. */
export const LibraryFolder = z.object({
  path: z.string(),
  name: z.string(),
  /** Transcripts known of in it. */
  files: z.int().min(0),
  /** Epoch milliseconds; null = never scanned. */
  scannedAt: z.number().nullable(),
  missing: z.boolean(),
})
export type LibraryFolder = z.infer<typeof LibraryFolder>

/** Statistics from replaying all sessions of a file under one configuration. */
export const LibraryStats = z.object({
  turns: z.int().min(0),
  /** Turns by primary domain, most first. */
  domains: z.array(z.object({ name: z.string(), turns: z.int() })),
  /** Turns that the compared configuration decides differently; null without a comparison. */
  flips: z.int().nullable(),
  breaks: z.int(),
  held: z.int(),
  resisted: z.int(),
  /** Self-signals that the agent emitted. */
  signals: z.int(),
  /** Events marked as errors. */
  errors: z.int(),
})
export type LibraryStats = z.infer<typeof LibraryStats>

/** One file of a folder, as the cached index knows it. */
export const LibraryEntry = z.object({
  path: z.string(),
  name: z.string(),
  /** Folder of the file relative to the library folder; empty at its top. */
  inside: z.string(),
  bytes: z.number().min(0),
  modifiedAt: z.number(),
  /** `listed`: seen, not read yet; `read`; `failed`: `problem` says why. */
  state: z.enum(['listed', 'read', 'failed']),
  problem: ProblemText.nullable(),
  format: z.string().nullable(),
  formatLabel: z.string().nullable(),
  title: z.string().nullable(),
  startedAt: z.number().nullable(),
  sessions: z.int().min(0),
  events: z.int().min(0),
  problems: z.int().min(0),
  /** For the requested configuration; null until it was replayed. */
  stats: LibraryStats.nullable(),
})
export type LibraryEntry = z.infer<typeof LibraryEntry>

/** A folder in which a tool keeps its transcripts, found by a search that the operator started. */
export const DiscoveredPlace = z.object({
  tool: z.string(),
  path: z.string(),
  files: z.int().min(0),
  bytes: z.number().min(0),
  newest: z.number().nullable(),
})
export type DiscoveredPlace = z.infer<typeof DiscoveredPlace>
