import { tokensOf } from '../../../engine/probe/tokens.ts'
import { plainForm, unspacedRuns, withoutPossessive } from '../../../engine/probe/words.ts'

/** Longer runs of letters are not words that a query would contain. */
const LONGEST = 64
/** Words that need no look at their script. */
const LATIN = /^[a-z0-9]+$/u

/**
 * [D34] Distinct words of a text, as coverage compares them: small letters, one way of writing
 * apostrophes, no possessive ending, parts of hyphenated words, initials as one word ("R.S.S." is "rss"). Runs of script without spaces give
 * their pairs of characters, because nothing else there can be compared.
 */
export function lexicalWords(text: string): readonly string[] {
  const words = new Set<string>()
  for (const token of tokensOf(plainForm(text))) {
    const word = withoutPossessive(token.text.toLowerCase()).replaceAll(/['.&]/gu, '')
    for (const part of word.split('-')) {
      for (const piece of piecesOf(part)) words.add(piece.slice(0, LONGEST))
    }
  }
  return [...words]
}

function piecesOf(word: string): readonly string[] {
  if (LATIN.test(word)) return [word]
  const runs = unspacedRuns(word)
  if (runs.length === 0) return word === '' ? [] : [word]
  const pieces: string[] = []
  let end = 0
  for (const [from, to] of runs) {
    if (from > end) pieces.push(word.slice(end, from))
    pieces.push(...pairsOf(word.slice(from, to)))
    end = to
  }
  if (end < word.length) pieces.push(word.slice(end))
  return pieces
}

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run)
  if (characters.length === 1) return characters
  return characters.slice(1).map((each, index) => `${characters[index] ?? ''}${each}`)
}

/** [D34] Weight of a word that `having` of `all` chunks have: never 0, most for one that no chunk has. */
export function rarity(all: number, having: number): number {
  return Math.log((all + 1) / (having + 0.5))
}
