import type { Token } from './tokens.ts'
import { isCommonWord, withoutPossessive } from './words.ts'

/** A place that may be a phrase. */
export type Place = readonly [start: number, end: number]

/** Small words inside names: "Bank of England", "Vasco da Gama". */
const CONNECTORS = new Set(
  'of the de del la le les du des di da dos das von van der den zu zum al el bin ibn y e & und og'.split(
    ' ',
  ),
)
/** Words of a name at most. */
const LONGEST = 7
/** Abbreviated titles, after which a full stop ends nothing. */
const TITLE = /^(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Sgt|Lt|Gen|Col|Rev|Hon|Jr|Sr|Mt|Ft)$/u

/** A capital that the place in the sentence does not explain, or that no common word has. */
function isProper(token: Token): boolean {
  if (token.isFunction || /^\p{Lu}['’](?:m|d|ll|ve)$/u.test(token.text)) return false
  return token.isAcronym || !token.startsSentence || !isCommonWord(token.text)
}

function joins(text: string, before: Token, next: Token): boolean {
  if (next.followsClosely) return true
  if (!/^\.\s$/u.test(text.slice(before.end, next.start))) return false
  return TITLE.test(before.text) || isInitial(before, next)
}

/** [D64] "J. R. R. Tolkien": a single capital, and behind it another one or a word that only names have. */
function isInitial(before: Token, next: Token): boolean {
  if (!/^\p{Lu}$/u.test(before.text) || !next.isCapital) return false
  return /^\p{Lu}$/u.test(next.text) || !isCommonWord(next.text)
}

/** Number of tokens from `at` that make one capitalised sequence, connectors inside it included. */
function lengthAt(text: string, tokens: readonly Token[], at: number): number {
  let length = 1
  let open = 0
  while (length + open < LONGEST) {
    const before = tokens[at + length + open - 1]
    const next = tokens[at + length + open]
    if (before === undefined || next === undefined || !joins(text, before, next)) break
    if (next.isCapital) {
      length += open + 1
      open = 0
    } else if (open < 2 && connects(next.text, open)) open += 1
    else break
  }
  return length
}

/** "Lord of the Rings" is one name, "ask the Phoenix" is not: an article joins only after a preposition. */
function connects(word: string, open: number): boolean {
  return CONNECTORS.has(word) && (open > 0 || word !== 'the')
}

/** The end of a name without the possessive of its last word. */
function endOf(token: Token): number {
  return token.start + withoutPossessive(token.text).length
}

function placeOf(tokens: readonly Token[]): Place | null {
  const [first] = tokens
  const last = tokens.at(-1)
  return first === undefined || last === undefined ? null : [first.start, endOf(last)]
}

/** A sequence without what grammar put at its ends. */
function trimmed(tokens: readonly Token[]): readonly Token[] {
  const from = tokens.findIndex((token) => !token.isFunction)
  if (from < 0) return []
  const to = tokens.findLastIndex((token) => !token.isFunction)
  return tokens.slice(from, to + 1)
}

/**
 * At the start of a sentence a common word may be a verb ("Check Rupert") or part of the name ("Red
 * Keep"): then both readings are taken.
 */
function readingsOf(name: readonly Token[]): ReadonlyArray<readonly Token[]> {
  const [first] = name
  if (first === undefined || name.length === 1) return [name]
  const isDoubtful = first.startsSentence && !first.isAcronym && isCommonWord(first.text)
  return isDoubtful ? [name, trimmed(name.slice(1))] : [name]
}

/** [D3] [L25] Capitalised sequences, and single-word names. */
export function findNames(
  text: string,
  tokens: readonly Token[],
): { readonly sequences: readonly Place[]; readonly singles: readonly Place[] } {
  const sequences: Place[] = []
  const singles: Place[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]?.isCapital !== true) continue
    const length = lengthAt(text, tokens, at)
    const name = trimmed(tokens.slice(at, at + length))
    at += length - 1
    const places = readingsOf(name)
      .map(placeOf)
      .filter((place) => place !== null)
    if (name.length > 1) sequences.push(...places)
    else if (name.every(isProper)) singles.push(...places)
  }
  return { sequences, singles }
}
