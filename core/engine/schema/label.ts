import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { DomainName } from './domain.ts'
import { LABEL_LISTS } from './queue.ts'

/** A reader's judgement of one text: the answer, other right answers, and plainly wrong ones. */
const Judgement = {
  /** The best single reading. */
  primary: DomainName,
  /** Other primaries that are right too. */
  acceptable: z.array(DomainName).optional(),
  /** A second domain that is really present; null = none; absent = nothing is said. */
  secondary: DomainName.nullable().optional(),
  /** Domains that must not be the primary, nor the secondary. */
  forbidden: z.array(DomainName).optional(),
  note: z.string().optional(),
  /** [L85] The reader who labelled. `consensus` marks the label that readers agreed on. */
  by: z.string().max(100).optional(),
  /**
   * [L83] The list that the turn was labelled from, the how-many-th label of that list it was, and the
   * primary that was decided then.
   */
  via: z
    .strictObject({ list: z.enum(LABEL_LISTS), nth: z.int().min(1), said: z.string() })
    .optional(),
} as const

/** [T1] Label of a turn of a session, found by the event's number and the hash of its text. */
export const TurnLabel = z.strictObject({
  type: z.literal('turn').optional(),
  id: z.string().optional(),
  /** Id of the session inside the file; absent = its first. */
  session: z.string().optional(),
  /** `seq` of the event, from 0. */
  event: z.int().min(0),
  /** First 16 hex digits of the SHA-256 of the event's text: the label is lost when no text has it. */
  sha256: z.string().regex(/^[0-9a-f]{16,64}$/u),
  ...Judgement,
})
export type TurnLabel = Immutable<z.infer<typeof TurnLabel>>

/** [T2] Label of a text that is stored inline: a regression case without a session. */
export const TextLabel = z.strictObject({
  type: z.literal('text').optional(),
  id: z.string().optional(),
  text: z.string(),
  /** [L91] The source of the text. Labels are split by source, never individually. */
  source: z.string().max(400).optional(),
  ...Judgement,
})
export type TextLabel = Immutable<z.infer<typeof TextLabel>>

/** [L12] Outcome of a session, as reported by its user. */
export const SessionOutcome = z.strictObject({
  type: z.literal('outcome'),
  session: z.string().optional(),
  pass: z.boolean().optional(),
  /** Any scale, larger is better. */
  score: z.number().optional(),
  note: z.string().optional(),
})
export type SessionOutcome = Immutable<z.infer<typeof SessionOutcome>>

/** One line of a labels file (`<session>.labels.jsonl`). */
export const LabelLine = z.union([SessionOutcome, TurnLabel, TextLabel])
export type LabelLine = Immutable<z.infer<typeof LabelLine>>
