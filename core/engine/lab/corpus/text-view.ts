import type { OptionsOf } from '../../belief/options.ts'
import { scoredText } from '../../belief/text.ts'
import { keptIn } from '../../maps.ts'
import { createTextFacts, formOf, type TextFacts } from '../../matcher/text-facts.ts'
import type { Corpus } from './corpus.ts'
import { oneByteText } from '../words/one-byte.ts'

/** The texts of a corpus as one pair of options cuts and strips them (L7, B16). */
export interface TextView {
  /** Turns whose text is not scored whole, ascending. */
  readonly altered: Uint32Array
  text(turn: number): string
  /** No character above U+007F. */
  ascii(turn: number): boolean
  /** The skeleton of a text that is not ASCII. Kept up to a size: making one is slow. */
  skeleton(turn: number): string
  facts(turn: number): TextFacts
  /** UTF-16 units of the scored text. */
  chars(turn: number): number
  /** Bytes of cached text data. */
  bytes(): number
}

/**
 * Skeletons are kept up to this size, one byte a character. Twice as much takes 4 ms from the 21 of an edit over 100,000
 * turns, and 150 bytes a turn.
 */
const KEPT_SKELETONS = 48 << 20

/** Facts about texts, found once, by turn: of the corpus' own texts, or of those that a view has cut. */
interface TextMemo {
  /** `text` is not called if the answer is cached, because it may have to decode the text. */
  readonly ascii: (turn: number, text: (turn: number) => string) => boolean
  readonly skeleton: (turn: number, text: (turn: number) => string) => string
  readonly bytes: () => number
}

function createTextMemo(turns: number, most: number): TextMemo {
  const known = new Uint8Array(turns)
  const skeletons = new Map<number, string>()
  let bytes = 0
  return {
    ascii: (turn, text) => {
      if (known[turn] === 0) known[turn] = createTextFacts(text(turn)).ascii ? 1 : 2
      return known[turn] === 1
    },
    skeleton: (turn, text) => {
      const kept = skeletons.get(turn)
      if (kept !== undefined) return kept
      const made = formOf(createTextFacts(text(turn)), 'skeleton')
      if (bytes + made.length > most) return made
      const compact = oneByteText(made.length, (at) => made.charCodeAt(at))
      skeletons.set(turn, compact)
      bytes += compact.length
      return compact
    },
    bytes: () => bytes,
  }
}

/** The unmodified texts, shared by all views of a corpus. */
const wholes = new WeakMap<Corpus, TextMemo>()

function wholeOf(corpus: Corpus): TextMemo {
  return keptIn(wholes, corpus, () => createTextMemo(corpus.turns, KEPT_SKELETONS))
}

/**
 * Reads every text once.
 * @param most maximum bytes of cached skeletons; 0 if no text is read twice
 */
export function createTextView(
  corpus: Corpus,
  options: OptionsOf<'text'>,
  most = KEPT_SKELETONS,
): TextView {
  const altered: number[] = []
  const chars = new Uint32Array(corpus.turns)
  for (let turn = 0; turn < corpus.turns; turn += 1) {
    const scored = scoredText(corpus.turn(turn).text, options)
    chars[turn] = scored.text.length
    if (scored.pieces !== null) altered.push(turn)
  }
  const cut = new Set(altered)
  const text = (turn: number): string => {
    const whole = corpus.turn(turn).text
    return cut.has(turn) ? scoredText(whole, options).text : whole
  }
  const whole = most === KEPT_SKELETONS ? wholeOf(corpus) : createTextMemo(corpus.turns, most)
  const own = createTextMemo(corpus.turns, most / 8)
  const memoOf = (turn: number): TextMemo => (cut.has(turn) ? own : whole)
  return {
    altered: Uint32Array.from(altered),
    text,
    ascii: (turn) => memoOf(turn).ascii(turn, text),
    skeleton: (turn) => memoOf(turn).skeleton(turn, text),
    facts: (turn) => createTextFacts(text(turn)),
    chars: (turn) => chars[turn] ?? 0,
    bytes: () => whole.bytes() + own.bytes(),
  }
}

const betweens = new WeakMap<TextView, WeakMap<TextView, Uint32Array>>()

/** Turns whose scored text differs between two views, ascending. Found once. */
export function turnsBetween(a: TextView, b: TextView): Uint32Array {
  const known = keptIn(betweens, a, () => new WeakMap<TextView, Uint32Array>())
  return keptIn(known, b, () => {
    const either = new Set([...a.altered, ...b.altered])
    return Uint32Array.from(either)
      .sort()
      .filter((turn) => a.text(turn) !== b.text(turn))
  })
}
