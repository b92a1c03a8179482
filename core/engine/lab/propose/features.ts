import { isFunctionWord } from '../../probe/words.ts'
import type { ProposalKind } from '../../schema/proposal.ts'

/** Something a text has that a signal can look for: its kind, and the words it is made of. */
export interface Feature {
  readonly kind: ProposalKind
  readonly words: readonly string[]
}

/** Words read from a text. The request comes early, and pasted output must not outweigh it. */
const MOST_WORDS = 60
const LONGEST_PHRASE = 3
/** Words between verb and object, at most. */
const GAP = 3
/** A text of so many words is a candidate as a whole. */
const WHOLE = 6

const WORD = /[\p{L}\p{N}_]+(?:['’]\p{L}+)*/gu
const NEGATION = /^(?:not|no|never|cannot|without|\p{L}+n['’]t)$/u

/** Words with nothing but blanks between them, in lower case, up to `MOST_WORDS` of them. */
function runsOf(text: string): readonly string[][] {
  const runs: string[][] = []
  let end = -1
  let words = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (words === MOST_WORDS) break
    words += 1
    if (end < 0 || /\S/u.test(text.slice(end, index))) runs.push([])
    runs.at(-1)?.push(word.toLowerCase().replaceAll('’', "'"))
    end = index + word.length
  }
  return runs
}

/** Function words for a search that still express a wish or a state. */
const TELLING: ReadonlySet<string> = new Set(
  `make made makes use using want wanted need needs should could would can let let's go going get try tell
  why how what which who where when whose still again instead also done already yet now not nothing cannot
  can't doesn't didn't don't isn't won't wasn't aren't couldn't shouldn't yes no ok okay sure thanks thank
  hello please really keep both another`
    .split(/\s+/u)
    .filter((word) => word !== ''),
)

/**
 * A word is meaningful if it is longer than one letter, not a number, and not only a function word. "the" and "of"
 * separate long texts from short ones, which characterises an author, not a domain.
 */
function speaks(word: string): boolean {
  if (word.length < 2 || /^\p{N}+$/u.test(word)) return false
  return TELLING.has(word) || !isFunctionWord(word)
}

function* phrases(run: readonly string[]): Generator<Feature> {
  for (let size = 1; size <= LONGEST_PHRASE; size += 1)
    for (let at = 0; at + size <= run.length; at += 1) {
      const words = run.slice(at, at + size)
      if (words.some(speaks)) yield { kind: 'phrase', words }
    }
}

/** Verb and object: two words with one to three others between them. */
function* pairs(run: readonly string[]): Generator<Feature> {
  for (const [at, first] of run.entries())
    for (let gap = 1; gap <= GAP; gap += 1) {
      const second = run[at + gap + 1]
      if (second === undefined || !speaks(first) || !speaks(second)) continue
      yield { kind: 'pair', words: [first, second] }
    }
}

function* negations(run: readonly string[]): Generator<Feature> {
  for (const [at, word] of run.entries()) {
    const next = run[at + 1]
    if (next !== undefined && NEGATION.test(word) && speaks(next))
      yield { kind: 'negation', words: [next] }
  }
}

/** Whether the text begins with its first word: behind a bullet or a quotation mark nothing is said of its start. */
function* starts(text: string, runs: readonly string[][]): Generator<Feature> {
  const [first = []] = runs
  if (!/^\s*[\p{L}\p{N}_]/u.test(text)) return
  for (let size = 1; size <= Math.min(LONGEST_PHRASE, first.length); size += 1)
    yield { kind: 'start', words: first.slice(0, size) }
  if (runs.length === 1 && first.length <= WHOLE && /^[^\n]*$/u.test(text.trim()))
    yield { kind: 'whole', words: first }
}

const key = ({ kind, words }: Feature): string => `${kind} ${words.join(' ')}`

/** [L90] The different features of one text, by their key. */
export function featuresOf(text: string): ReadonlyMap<string, Feature> {
  const runs = runsOf(text)
  const found = new Map<string, Feature>()
  const put = (features: Iterable<Feature>) => {
    for (const feature of features) found.set(key(feature), feature)
  }
  for (const run of runs) {
    put(phrases(run))
    put(pairs(run))
    put(negations(run))
  }
  put(starts(text, runs))
  return found
}

/** A word as a pattern: an apostrophe of either form. */
function wordPattern(word: string): string {
  return word.replaceAll("'", "['’]")
}

const PATTERNS: Readonly<Record<ProposalKind, (words: readonly string[]) => string>> = {
  phrase: (words) => `\\b${words.join('\\s+')}\\b`,
  pair: ([first = '', second = '']) => `\\b${first}\\s+(?:\\S+\\s+){1,${GAP}}${second}\\b`,
  start: (words) => `^\\s*${words.join('\\s+')}\\b`,
  whole: (words) => `^\\s*${words.join('\\s+')}\\W*$`,
  negation: ([word = '']) => `(?:\\b(?:not|no|never|cannot|without)|n['’]t)\\s+${word}\\b`,
}

/** [L90] The pattern of a feature, alike in both dialects. Words are letters, digits and "_": nothing needs escaping. */
export function patternOf({ kind, words }: Feature): string {
  return PATTERNS[kind](words.map(wordPattern))
}
