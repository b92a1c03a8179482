import { z } from 'zod'
import type { Immutable } from './immutable.ts'

const Count = z.int().min(0)

/** [D71] Hit rate of the probe over the messages of one or more sessions. */
export const HitRate = z.object({
  messages: Count,
  /** Not probed: commands, repetitions, texts of under three words, and so on (D2). */
  skipped: Count,
  /** Probed and answered only in part, or not at all: they count as probed. */
  failed: Count,
  /** With at least one hit; of messages - skipped. */
  hit: Count,
  /** Of those with a hit, by how much the hits say together (D8). */
  strength: z.object({ weak: Count, moderate: Count, strong: Count }),
  /** In the order of the collections; only those that were hit. */
  collections: z.array(z.object({ collection: z.string(), primary: Count, supplemental: Count })),
})
export type HitRate = Immutable<z.infer<typeof HitRate>>

/** [D72] A keyword of a persona, and whether the probe finds its collection without the keyword rule. */
export const KeywordRow = z.object({
  collection: z.string(),
  persona: z.string().nullable(),
  keyword: z.string(),
  /** The collection is hit by the keyword alone, and no other one is hit harder. */
  covered: z.boolean(),
  /** The collection that is hit hardest; null = none is hit. */
  hit: z.string().nullable(),
  /** The best chunk of the keyword's own collection, hit or not; null = it has none, or cannot answer. */
  best: z.object({ filename: z.string(), score: z.number(), threshold: z.number() }).nullable(),
})
export type KeywordRow = Immutable<z.infer<typeof KeywordRow>>
