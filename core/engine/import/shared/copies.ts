import { fingerprint } from './fingerprint.ts'
/** At most this many texts wait for their second copy; older ones are assumed to have none. */
const WINDOW = 64

/** Origin of a copy: a wrapper event, or an item of the model's context. */
export type Side = 'event' | 'item'

/** When and where a text occurred: its record's time, and the number of events so far. */
export interface Moment {
  /** Milliseconds since 1970; null if the record has no time. */
  readonly at: number | null
  readonly events: number
}

/**
 * [I11] Pairs the two copies of a text that a harness writes twice, in either order. Two equal texts from one side are
 * never copies of each other. Keeps fingerprints. Keeps the words of a text only until another event follows it.
 */
export interface Copies<T> {
  /**
   * Removes and returns the waiting copy from the other side; undefined if this is the first copy. `moment` allows the
   * copy to differ in words that a publisher blanked out (I110).
   */
  take(side: Side, text: string, moment?: Moment): T | undefined
  /** Keeps a text until its other copy comes; `take` then returns `what`. */
  wait(side: Side, text: string, what: T, moment?: Moment): void
}

interface Waiting<T> {
  readonly print: string
  readonly what: T
  /** Absent where only an equal text is its copy. */
  readonly near: (Moment & { readonly words: Blanked }) | null
}

export function createCopies<T>(): Copies<T> {
  const waiting: Record<Side, Array<Waiting<T>>> = { event: [], item: [] }
  return {
    take(side, text, moment) {
      const others = waiting[side === 'event' ? 'item' : 'event']
      if (others.length === 0) return undefined
      const print = trimmedPrint(text)
      const equal = others.findIndex((one) => one.print === print)
      const at = equal < 0 && moment !== undefined ? nearCopy(others, text, moment) : equal
      return at < 0 ? undefined : others.splice(at, 1)[0]?.what
    },
    wait(side, text, what, moment) {
      const near = moment === undefined ? null : { ...moment, words: blanked(text) }
      const list = waiting[side]
      dropWords(list, moment)
      list.push({ print: trimmedPrint(text), what, near })
      if (list.length > WINDOW) list.shift()
    },
  }
}

/** Texts that another event has followed keep their fingerprint only. */
function dropWords<T>(list: Array<Waiting<T>>, moment: Moment | undefined): void {
  for (const [at, one] of list.entries()) {
    if (one.near !== null && one.near.events + list.length - at !== moment?.events)
      list[at] = { ...one, near: null }
  }
}

/**
 * [I110] The index of the waiting text directly before this one, with only other waiting texts in between. It was
 * written in the same moment and is equal except for blanked-out words. -1 if none exists.
 */
function nearCopy<T>(others: ReadonlyArray<Waiting<T>>, text: string, moment: Moment): number {
  return others.findIndex(({ near }, at) => {
    if (near === null || near.events + (others.length - 1 - at) !== moment.events) return false
    return inOneMoment(near.at, moment.at) && saysTheSame(near.words, blanked(text))
  })
}

/** Both copies of a text are written within milliseconds; clocks of publishers round to seconds. */
const ONE_MOMENT_MS = 2000

function inOneMoment(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b
  return Math.abs(a - b) <= ONE_MOMENT_MS
}

/** A text's words without those that a publisher blanked out. */
interface Blanked {
  readonly words: readonly string[]
  readonly blanks: boolean
}

/** `[NAME]`, `<EMAIL_1>`, `{{path}}`, `***`, `xxxx`, `████`. */
const BLANK = /\[[^[\]\n]{1,60}\]|<[^<>\n]{1,60}>|\{[^{}\n]{1,60}\}|([*xX_#█•])\1{2,}/g
const WORD = /[\p{L}\p{N}]+/gu
/** Enough to tell two texts apart. */
const MOST_CHARS = 20_000

function blanked(text: string): Blanked {
  const beginning = text.slice(0, MOST_CHARS)
  const rest = beginning.replace(BLANK, ' ')
  return { words: rest.toLowerCase().match(WORD) ?? [], blanks: rest !== beginning }
}

/** Of the words of both texts, this share has to be in both. */
const SAME_SHARE = 0.6

/** Whether two texts, of which one at least has blanks, are the same otherwise. */
function saysTheSame(a: Blanked, b: Blanked): boolean {
  if (!a.blanks && !b.blanks) return false
  const all = a.words.length + b.words.length
  return all === 0 || (2 * inBoth(a.words, b.words)) / all >= SAME_SHARE
}

function inBoth(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of b) {
    const count = left.get(word) ?? 0
    if (count > 0) shared += 1
    left.set(word, count - 1)
  }
  return shared
}

/** Print of a text without the blanks around it. */
export function trimmedPrint(text: string): string {
  return fingerprint(text.trim())
}
