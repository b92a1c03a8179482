import type { Phrase, ProbeOptions } from '../schema/probe.ts'
import { findNames, type Place } from './names.ts'
import { tokensOf, type Token } from './tokens.ts'
import { isCommonWord, phraseKey, unspacedRuns, withoutPossessive } from './words.ts'

/** Longest quotation that is one phrase; a longer one is looked into instead. */
const MOST_QUOTED_WORDS = 6

/**
 * [L25] Quotations. A single quotation mark opens one only if no letter precedes it, and closes it only if no letter
 * follows. An apostrophe inside a word does neither.
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

/** Text inside quotation marks, without blanks at its ends. Each `short` one is a phrase. */
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

/** Messages are read up to this many UTF-16 units. A question's names do not follow a megabyte of log. */
const MOST_READ = 20_000
/** A longer run of characters is a pasted blob and names nothing. */
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
 * Earlier rules cover their positions: an identifier is not a name, and a name is not a rare word. Both readings of a
 * doubtful name overlap, so each kind is checked only against the kinds before it.
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

/** Endings of host names that are written without a scheme. Those that are English words (`it`, `in`) are not among them. */
const TLD =
  '(?:com|org|net|edu|gov|int|mil|io|dev|app|ai|co|uk|de|fr|nl|eu|ch|pl|dk|jp|cn|ca|br|info|biz|cloud|tech|wiki|local|internal|lan)'
const HOST = String.raw`(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}`
const PATH = String.raw`(?::\d{1,5})?(?:[/?#][^\s<>"'\x60\]}]{0,250})?`

/**
 * [D64] URLs, e-mail addresses, host names and IP addresses. Every pattern is bounded and does not begin after a name
 * character, so that reading stays linear.
 */
const ADDRESSES: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>"'`\]}]{2,280}/giu,
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}-])/gu,
  /(?<![\p{L}\p{N}_.])(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2}|:\d{1,5})?(?![\p{L}\p{N}_]|\.\d)/gu,
  /(?<![\p{L}\p{N}_:.])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?:\/\d{1,3})?(?![\p{L}\p{N}_:])/giu,
  /(?<![\p{L}\p{N}_:.])(?=[0-9a-f:]{0,40}\d)(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?:\/\d{1,3})?(?![\p{L}\p{N}_:])/giu,
  new RegExp(
    String.raw`(?<![\p{L}\p{N}_.@/-])(?:www\.)?${HOST}${TLD}(?![\p{L}\p{N}_@-]|\.[\p{L}\p{N}])${PATH}`,
    'giu',
  ),
]

/** An address without the punctuation of the sentence; a bracket that it opened itself stays. */
function withoutSentence(address: string): string {
  const bare = address.replace(/[.,;:!?*_]+$/u, '')
  const isOpen = bare.endsWith(')') && bare.split(')').length > bare.split('(').length
  return isOpen ? withoutSentence(bare.slice(0, -1)) : bare
}

/** [D64] Positions of addresses. An address inside another one is left out. */
function findAddresses(text: string): readonly Place[] {
  const places: Place[] = []
  for (const pattern of ADDRESSES) {
    for (const { 0: match, index } of text.matchAll(pattern)) {
      const end = index + withoutSentence(match).length
      if (!places.some(([from, to]) => index < to && from < end)) places.push([index, end])
    }
  }
  return places
}

/** Words of one noun chunk at most. */
const LONGEST_CHUNK = 3
/** Characters of an unspaced run that are probed as one phrase. */
const LONGEST_RUN = 24

function isContent(token: Token): boolean {
  return !token.isFunction && /\p{L}/u.test(token.text)
}

function endOf(token: Token): number {
  return token.start + withoutPossessive(token.text).length
}

/** Runs of words that carry meaning, next to one another. */
function contentRuns(tokens: readonly Token[], isFree: (token: Token) => boolean): Token[][] {
  const runs: Token[][] = []
  let open: Token[] = []
  for (const token of tokens) {
    const goesOn = isContent(token) && isFree(token)
    if (!goesOn || !token.followsClosely || /['’]s$/iu.test(open.at(-1)?.text ?? '')) {
      if (open.length > 0) runs.push(open)
      open = []
    }
    if (goesOn) open.push(token)
  }
  if (open.length > 0) runs.push(open)
  return runs
}

/** Pieces of a run, counted from its end, because the head of an English noun phrase comes last. */
function pieces(run: readonly Token[]): ReadonlyArray<readonly Token[]> {
  if (run.length <= LONGEST_CHUNK) return [run]
  const cut: Array<readonly Token[]> = []
  for (let end = run.length; end > 0; end -= 2) cut.unshift(run.slice(Math.max(0, end - 2), end))
  return cut
}

/**
 * [D4] Rare words, and noun chunks of two or three words beside one another ("system logs"), of
 * which each may be common. A rare word inside a chunk is not probed once more.
 */
function findRare(
  tokens: readonly Token[],
  isFree: (place: Place) => boolean,
): { readonly rare: readonly Place[]; readonly chunks: readonly Place[] } {
  const rare: Place[] = []
  const chunks: Place[] = []
  for (const run of contentRuns(tokens, (token) => isFree([token.start, token.end]))) {
    for (const piece of pieces(run)) {
      const [first] = piece
      const last = piece.at(-1)
      if (first === undefined || last === undefined) continue
      const isRare = piece.some((token) => !isCommonWord(token.text))
      if (piece.length > 1) (isRare ? rare : chunks).push([first.start, endOf(last)])
      else if (isRare) rare.push([first.start, endOf(last)])
    }
  }
  return { rare, chunks }
}

/** [L25] Runs of scripts without spaces, split if they are long. */
function findUnspaced(text: string): readonly Place[] {
  return unspacedRuns(text).flatMap(([start, end]) => {
    const parts: Place[] = []
    for (let from = start; from < end; from += LONGEST_RUN)
      parts.push([from, Math.min(end, from + LONGEST_RUN)])
    return parts
  })
}
