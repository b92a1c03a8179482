import type { Phrase, ProbeOptions } from '../schema/probe.ts'
import { findNames, type Place } from './names.ts'
import { findEntities, findIdentifiers, findQuotations } from './patterns.ts'
import { findRare, findUnspaced } from './rare.ts'
import { tokensOf } from './tokens.ts'
import { phraseKey } from './words.ts'

type Rule = Phrase['rule']
type Limits = Pick<ProbeOptions, 'maxPhrases' | 'minChars' | 'fullInputWeight'>

/** Messages are read up to this many UTF-16 units: names of a question do not stand behind a megabyte of log. */
const MOST_READ = 20_000
/** A longer run of characters is a blob that somebody pasted, and names nothing. */
const LONGEST = 300
/** Of the whole message, as much is probed as an embedder reads. */
const FULL_INPUT = 1000

/** A phrase's rule, with its rank: when there are more than may be probed, high ranks go. */
interface Found {
  readonly rule: Rule
  readonly rank: number
  readonly places: readonly Place[]
}

/**
 * What was found first covers its place: an identifier is not a name, a name is not a rare word. Both
 * readings of a doubtful name overlap, so a kind is compared with the kinds before it only.
 */
function findAll(text: string): readonly Found[] {
  const covered: Place[] = []
  const isFree = ([start, end]: Place): boolean =>
    !covered.some(([from, to]) => start < to && from < end)
  const take = (rule: Rule, rank: number, places: readonly Place[]): Found => {
    const kept = places.filter(isFree)
    covered.push(...kept)
    return { rule, rank, places: kept }
  }
  const { short, long } = findQuotations(text)
  const tokens = tokensOf(text)
  const found = [
    take('quoted', 0, short),
    take('identifier', 3, findIdentifiers(text)),
    take('entity_pattern', 3, findEntities(text)),
  ]
  const names = findNames(
    text,
    tokens.filter(({ start, end }) => isFree([start, end])),
  )
  found.push(take('capitalised', 1, names.sequences), take('capitalised', 2, names.singles))
  found.push(take('unspaced', 4, findUnspaced(text)))
  const { rare, chunks } = findRare(tokens, isFree)
  found.push(take('rare_word', 4, rare), take('rare_word', 5, chunks))
  // Too long to cover anything: names inside it are phrases too.
  found.push({ rule: 'quoted', rank: 4, places: long })
  return found.toSorted((a, b) => a.rank - b.rank)
}

/**
 * [D3] Phrases worth probing, in order of their first place; at most `maxPhrases`, the best kinds
 * first; without any, the whole message at a lower weight. Linear in the length of the message.
 */
export function extractPhrases(message: string, limits: Limits): readonly Phrase[] {
  const text = message.slice(0, MOST_READ)
  const phrases = new Map<string, { rule: Rule; text: string; spans: Array<[number, number]> }>()
  for (const { rule, places } of findAll(text)) {
    for (const [start, end] of places) {
      const phrase = text.slice(start, end)
      const key = phraseKey(phrase)
      if (phrase.length > LONGEST || characters(key) < limits.minChars) continue
      const known = phrases.get(key)
      if (known) known.spans.push([start, end])
      else phrases.set(key, { rule, text: phrase, spans: [[start, end]] })
    }
  }
  const chosen = [...phrases.values()].slice(0, limits.maxPhrases)
  if (chosen.length === 0) return fullInput(text, limits)
  const ordered = chosen.map((phrase) => ({
    ...phrase,
    weight: 1,
    spans: phrase.spans.toSorted((a, b) => a[0] - b[0]),
  }))
  return ordered.toSorted((a, b) => (a.spans[0]?.[0] ?? 0) - (b.spans[0]?.[0] ?? 0))
}

function fullInput(text: string, { minChars, fullInputWeight }: Limits): readonly Phrase[] {
  const start = text.length - text.trimStart().length
  const whole = text.trim().slice(0, FULL_INPUT)
  if (characters(whole) < minChars) return []
  const spans: Array<[number, number]> = [[start, start + whole.length]]
  return [{ text: whole, rule: 'full_input', spans, weight: fullInputWeight }]
}

/** Characters, not UTF-16 units. */
function characters(text: string): number {
  return Array.from(text).length
}
