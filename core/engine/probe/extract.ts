import type { Phrase, ProbeOptions } from '../schema/probe.ts'
import { findAddresses } from './addresses.ts'
import { findNames, type Place } from './names.ts'
import { findRare, findUnspaced } from './rare.ts'
import { tokensOf } from './tokens.ts'
import { phraseKey } from './words.ts'

/** Longest quotation that is one phrase; a longer one is looked into instead. */
const MOST_QUOTED_WORDS = 6

/**
 * [L25] Quotations. A single quotation mark opens one only where no letter stands before it, and
 * closes it only where none stands behind: an apostrophe inside a word does neither.
 */
const QUOTED: readonly RegExp[] = [
  /"([^"\n]{1,120})"/gu,
  /[“„]([^“”\n]{1,120})[”“]/gu,
  /[«»]([^«»\n]{1,120})[«»]/gu,
  /[「『]([^「」『』\n]{1,120})[」』]/gu,
  /`([^`\n]{1,120})`/gu,
  /(?<![\p{L}\p{N}'’])['‘](?=\S)((?:[^'‘’\n]|(?<=\p{L})['’](?=\p{L})){1,120})(?<=\S)['’](?![\p{L}\p{N}])/gu,
]

/** [D3] Notations that name something by themselves. */
const ENTITIES: readonly RegExp[] = [
  // Dice, and the numbers of a character sheet.
  /(?<![\p{L}\p{N}_])\d{0,2}d(?:100|20|12|10|8|6|4|3|2)(?:\s?[+-]\s?\d{1,3})?(?![\p{L}\p{N}_])/giu,
  /(?<![\p{L}\p{N}_])(?:AC|HP|DC|CR|XP|MP|STR|DEX|CON|INT|WIS|CHA)\s?\d{1,5}(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}_])[Ll]evel\s\d{1,3}(?![\p{L}\p{N}_])/gu,
  // Standards, tickets, advisories: RFC 7231, ISO-8601, CVE-2024-1234, ABC-12.
  /(?<![\p{L}\p{N}_-])\p{Lu}{2,8}[ -]?\d{1,6}(?:-\d{1,6})?(?![\p{L}\p{N}_])/gu,
  // Versions.
  /(?<![\p{L}\p{N}_.])v\d{1,4}(?:\.\d{1,4}){0,3}(?![\p{L}\p{N}_])/gu,
]

const EXTENSIONS = new Set(
  `md mdx txt rst json jsonl yml yaml toml ini cfg conf env csv tsv xml htm html css scss js mjs cjs jsx
  ts mts cts tsx py pyi ipynb rb go rs java kt swift c h cc cpp hpp cs php pl lua sh bash zsh fish sql db
  sqlite log lock pdf doc docx xls xlsx png jpg jpeg gif svg zip tar gz whl so dll exe service proto tf
  vue svelte gradle patch diff`.split(/\s+/u),
)

/** Runs of characters that file names and names in programs are made of. */
const RUN = /[\p{L}\p{M}\p{N}_.@~/-]{3,300}/gu
const SNAKE = /^_{0,2}[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+$/u
const CAMEL = /^(?:\p{Ll}[\p{Ll}\p{N}]*|\p{Lu}[\p{Ll}\p{N}]+)(?:\p{Lu}[\p{Ll}\p{N}]+)+$/u

/** Each looks at one whole run, so that none looks at a text twice. */
const IS_IDENTIFIER: ReadonlyArray<(run: string) => boolean> = [
  (run) => EXTENSIONS.has(/[^./]\.([a-z0-9]{1,8})$/iu.exec(run)?.[1]?.toLowerCase() ?? ''),
  (run) => /^[~.]{0,2}\/[^/]+\/[^/]/u.test(run) || run.split('/').length > 3,
  (run) => SNAKE.test(run),
  (run) => CAMEL.test(run),
]

function placesOf(text: string, patterns: readonly RegExp[]): readonly Place[] {
  return patterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match): Place => [
      match.index,
      match.index + match[0].length,
    ]),
  )
}

function findEntities(text: string): readonly Place[] {
  return placesOf(text, ENTITIES)
}

/** [L25] File names, paths and names in programs, without the full stop of the sentence. */
function findIdentifiers(text: string): readonly Place[] {
  return Array.from(text.matchAll(RUN), (match): readonly [string, number] => {
    const run = match[0].replace(/[.@/-]+$/u, '')
    return [run, match.index]
  })
    .filter(([run]) => IS_IDENTIFIER.some((holds) => holds(run)))
    .map(([run, start]): Place => [start, start + run.length])
}

/** What stands inside quotation marks, without blanks at its ends. `short` ones are a phrase by themselves. */
function findQuotations(text: string): {
  readonly short: readonly Place[]
  readonly long: readonly Place[]
} {
  const places = QUOTED.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match): Place => {
      const inner = match[1] ?? ''
      const start =
        match.index + match[0].indexOf(inner, 1) + (inner.length - inner.trimStart().length)
      return [start, start + inner.trim().length]
    }),
  ).filter(([start, end]) => end > start)
  const isShort = ([start, end]: Place): boolean =>
    text.slice(start, end).split(/\s+/u).length <= MOST_QUOTED_WORDS
  return { short: places.filter(isShort), long: places.filter((place) => !isShort(place)) }
}

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
    take('identifier', 3, findAddresses(text)),
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
