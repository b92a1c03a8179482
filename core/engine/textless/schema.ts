import { z } from 'zod'
import { own } from '../import/shared/guards.ts'
import type { Immutable } from '../schema/immutable.ts'
import { Span } from '../schema/trace.ts'

/** Field of a session without texts, and of its turns: in its head and in each event. */
export const TEXTLESS = 'textless'

/** One way in which the texts were looked at: under the options of one preset. */
const HeadLook = z.object({
  /** Options by which texts were cut and stripped. */
  text: z.string().max(4000),
  /** Every signal that was looked for, by `signalKey`. */
  signals: z.array(z.string().max(20_000)).max(20_000),
})

/** [U120] Describes how the texts of a session without texts were scanned while they existed. */
const TextlessHead = z.object({
  version: z.literal(1),
  looks: z.array(HeadLook).max(8),
})
export type TextlessHead = Immutable<z.infer<typeof TextlessHead>>

const TurnLook = z.object({
  /** The scored text, masked, if it was not the whole text. */
  scored: z
    .object({
      text: z.string(),
      cutChars: z.int().min(0),
      thinkingChars: z.int().min(0),
      ansiChars: z.int().min(0).default(0),
      quotedChars: z.int().min(0).default(0),
    })
    .optional(),
  /** Signals that matched, as places in the list of the head: how often, and where in the scored text. */
  fired: z.array(z.tuple([z.int().min(0), z.int().min(1), z.array(Span).max(50)])).max(20_000),
})
export type RecordedLook = Immutable<z.infer<typeof TurnLook>>

/** Scan results for the text of one turn, by the looks of the head. */
const TextlessTurn = z.object({
  looks: z.array(TurnLook).max(8),
  /** Places in the whole text under the first look, for the list of turns. */
  marks: z
    .array(z.object({ span: Span, domain: z.string().max(200), signal: z.int().min(0) }))
    .max(200),
})
export type TextlessTurn = Immutable<z.infer<typeof TextlessTurn>>

interface WithExtras {
  readonly extras?: Readonly<Record<string, unknown>>
}

/** The head of a session without texts; null for any other. A field that is not as it should be counts as none. */
export function textlessHead({ extras }: WithExtras): TextlessHead | null {
  const parsed = TextlessHead.safeParse(own(extras, TEXTLESS))
  return parsed.success ? parsed.data : null
}

/** The recorded data of a turn. Without a record, nothing was found. */
export function textlessTurn({ extras }: WithExtras): TextlessTurn {
  const parsed = TextlessTurn.safeParse(own(extras, TEXTLESS))
  return parsed.success ? parsed.data : NOTHING
}

const NOTHING: TextlessTurn = { looks: [], marks: [] }
