import { z } from 'zod'
import { DomainName } from './domain.ts'
import type { Immutable } from './immutable.ts'
import { MomentumEvent } from './trace.ts'

/** [U130] Places of the screen that a stop can point at. A tour names places, never elements of the page. */
export const TOUR_PLACES = [
  'timeline',
  'list',
  'turn',
  'header',
  'tab',
  'verdict',
  'scores',
  'signals',
  'text',
  'injected',
  'panel',
  'flips',
  'editor',
] as const
export const TourPlace = z.enum(TOUR_PLACES)
export type TourPlace = z.infer<typeof TourPlace>

const MOST_SAY = 600
const MOST_STOPS = 40
/** Bytes that a file of a tour may have. */
export const MOST_TOUR_BYTES = 64_000

/**
 * Rejects control characters, zero-width characters and characters that change the text direction. They do not belong
 * in a sentence of a tour.
 */
const PLAIN = /^[^\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]*$/u
const plain = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(PLAIN, 'one line of plain text: no line breaks and no control characters')
const Name = z.string().min(1).max(200)
const Part = z.string().regex(/^[a-z][a-z-]{0,39}$/u, 'the name of a tab or panel: small letters')

/** The name of a tour's file, without its ending. */
export const TourId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,59}$/u, 'small letters, digits and "-", at most 60')

/** [U132] Claims of a stop's sentence about the turn. `turnscope tour check` compares them with a replay. */
const TourExpects = z.strictObject({
  primary: DomainName.optional(),
  /** Matched signals of the primary, as the turn counts them. */
  score: z.number().min(0).optional(),
  secondary: DomainName.nullable().optional(),
  /** The domain by the text alone. */
  alone: DomainName.optional(),
  momentum: z.int().min(0).optional(),
  event: MomentumEvent.optional(),
  /** Ids of signals that matched, of any domain. */
  fired: z.array(Name).max(20).readonly().optional(),
  /** The quotation from the message in the sentence. */
  text: Name.optional(),
  /** Turns that the edit of this stop flips. */
  flips: z.int().min(0).optional(),
})
export type TourExpects = Immutable<z.infer<typeof TourExpects>>

/** [U134] A change of one signal that a stop shows. Only the operator applies it. */
const TourEdit = z.strictObject({
  domain: DomainName,
  /** Id of the signal. */
  signal: Name,
  /** The signal's new pattern. Null removes the signal. If left out, the stop only shows the signal. */
  pattern: z.string().min(1).max(2000).nullable().optional(),
})
export type TourEdit = Immutable<z.infer<typeof TourEdit>>

const MOST_EVENTS = 10_000_000

const TourStopFields = z.strictObject({
  /** From 1, as people count. */
  turn: z.int().min(1).max(MOST_EVENTS).optional(),
  /** An event that is not a turn, used instead of a turn. Numbered from 0, as in a link. */
  event: z.int().min(0).max(MOST_EVENTS).optional(),
  say: plain(MOST_SAY),
  /** Tab of the inspector; left out, it stays. */
  tab: Part.optional(),
  /** Panel of the dock; left out, the dock is closed. */
  panel: Part.optional(),
  place: TourPlace.optional(),
  preset: Name.optional(),
  /** Preset of the other side. */
  compare: Name.optional(),
  edit: TourEdit.optional(),
  expects: TourExpects.optional(),
})
const TourStop = TourStopFields.refine(
  ({ turn, event }) => (turn === undefined) !== (event === undefined),
  'a stop names a turn or an event, one of the two',
)
export type TourStop = Immutable<z.infer<typeof TourStop>>

/** Session of a tour that fits any. */
export const ANY_SESSION = 'any'

/** [U130] A file of `tours/`: stops on a walk through one session. */
export const Tour = z.strictObject({
  $schema: z.string().max(400).optional(),
  title: plain(120),
  about: plain(400).optional(),
  /** Id of a sample, or the name of a file without its ending; `any` fits every session. */
  session: plain(200),
  stops: z.array(TourStop).min(1).max(MOST_STOPS).readonly(),
})
export type Tour = Immutable<z.infer<typeof Tour>>

/** [U131] Whether a tour is one of this session. `name` is the name of the opened file or the id of a sample. */
export function isTourOf({ session }: Pick<Tour, 'session'>, name: string): boolean {
  return session === ANY_SESSION || session === name || session === stem(name)
}

/** `folder/st-003.turnscope.jsonl` → `st-003`. */
function stem(name: string): string {
  const base = name.split(/[\\/]/u).at(-1) ?? name
  return base.replace(/(?:\.turnscope)?\.[A-Za-z0-9]{1,8}$/u, '')
}
