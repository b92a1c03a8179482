/** Longest phrase, in words. */
const MOST_WORDS = 3
/** A phrase in fewer labelled turns of the domain may be the habit of one writer. */
export const LEAST_OWN = 3
/** Weight of the prior, in turns. Without it rare phrases would have infinite odds. */
const PRIOR_TURNS = 10
/** A difference below this many standard errors is expected by chance among thousands of phrases. */
export const LEAST_Z = 1.96

/** A phrase with its evidence in the train part, in turns. */
export interface Phrase {
  readonly words: readonly string[]
  readonly logOdds: number
  /** Log-odds in standard errors: what phrases are ranked by. */
  readonly z: number
  readonly own: number
  readonly other: number
}

const WORD = /[\p{L}\p{N}_]+/gu

/** Runs of words with nothing but blanks between them, in lower case. */
function runsOf(text: string): readonly string[][] {
  const runs: string[][] = []
  let end = -1
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const gap = text.slice(Math.max(0, end), index)
    if (end < 0 || !/^\s+$/.test(gap)) runs.push([])
    runs.at(-1)?.push(word.toLowerCase())
    end = index + word.length
  }
  return runs
}

/** The different phrases of `size` words of one text, joined by blanks, that `wanted` lets through. */
function phrasesOf(
  runs: readonly string[][],
  size: number,
  wanted: (phrase: string, words: readonly string[]) => boolean,
): ReadonlySet<string> {
  const found = new Set<string>()
  for (const run of runs)
    for (let at = 0; at + size <= run.length; at += 1) {
      const words = run.slice(at, at + size)
      const phrase = words.join(' ')
      if (wanted(phrase, words)) found.add(phrase)
    }
  return found
}

function countTurns(sets: ReadonlyArray<ReadonlySet<string>>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const set of sets)
    for (const phrase of set) counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
  return counts
}

/** A word is meaningful if it is longer than one letter and not a number. */
function speaks(word: string): boolean {
  return word.length > 1 && !/^\p{N}+$/u.test(word)
}

/** Phrases in enough turns, by turns: longer ones are only looked for where both shorter parts are frequent. */
function frequent(texts: ReadonlyArray<readonly string[][]>): Map<string, number> {
  const all = new Map<string, number>()
  for (let size = 1; size <= MOST_WORDS; size += 1) {
    const wanted = (_: string, words: readonly string[]): boolean =>
      size === 1
        ? speaks(words[0] ?? '')
        : all.has(words.slice(0, -1).join(' ')) && all.has(words.slice(1).join(' '))
    const counts = countTurns(texts.map((runs) => phrasesOf(runs, size, wanted)))
    for (const [phrase, count] of counts) if (count >= LEAST_OWN) all.set(phrase, count)
  }
  return all
}

function countOthers(
  texts: ReadonlyArray<readonly string[][]>,
  known: ReadonlyMap<string, number>,
): Map<string, number> {
  const sizes = Array.from({ length: MOST_WORDS }, (_, index) => index + 1)
  const sets = texts.map(
    (runs) =>
      new Set(sizes.flatMap((size) => [...phrasesOf(runs, size, (phrase) => known.has(phrase))])),
  )
  return countTurns(sets)
}

/**
 * Log-odds ratio with an informative prior (Monroe, Colaresi and Quinn 2008, on turns instead of
 * words): the prior is the phrase's share of all turns with the weight of `PRIOR_TURNS` turns.
 */
export function weigh(
  own: number,
  ofOwn: number,
  other: number,
  ofOther: number,
): { readonly logOdds: number; readonly z: number } {
  const prior = (PRIOR_TURNS * (own + other)) / (ofOwn + ofOther)
  const odds = (hits: number, of: number): number =>
    Math.log((hits + prior) / (of + PRIOR_TURNS - hits - prior))
  const logOdds = odds(own, ofOwn) - odds(other, ofOther)
  return { logOdds, z: logOdds / Math.sqrt(1 / (own + prior) + 1 / (other + prior)) }
}

/** A longer phrase adds nothing if one of its parts occurs in equally few turns. */
function saysMore(phrase: string, own: number, counts: ReadonlyMap<string, number>): boolean {
  const words = phrase.split(' ')
  if (words.length === 1) return true
  const parts = [words.slice(0, -1), words.slice(1)].map((part) => part.join(' '))
  return parts.every((part) => counts.get(part) !== own)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * [T18] Phrases of one to three words that texts of a domain have more often than other texts, best
 * first. At least 3 texts of the domain must have one, more of
 * them than of other texts, and the difference be more than chance.
 */
export function tellingPhrases(
  ownTexts: readonly string[],
  otherTexts: readonly string[],
): readonly Phrase[] {
  const own = frequent(ownTexts.map(runsOf))
  const others = countOthers(otherTexts.map(runsOf), own)
  return [...own]
    .filter(([phrase, count]) => saysMore(phrase, count, own))
    .map(([phrase, count]) => {
      const other = others.get(phrase) ?? 0
      const weight = weigh(count, ownTexts.length, other, otherTexts.length)
      return { words: phrase.split(' '), own: count, other, ...weight }
    })
    .filter((phrase) => phrase.z >= LEAST_Z && phrase.own > phrase.other)
    .sort((a, b) => b.z - a.z || compare(a.words.join(' '), b.words.join(' ')))
}
