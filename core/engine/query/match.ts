import { isBlank, skipWord, wordUnits } from '../python-text.ts'
import type { QueryType } from '../schema/query.ts'
import { KEYWORDS, SCORE_ORDER } from './keywords.ts'

/** Score of a type: a point for each word of each matched keyword. */
export interface Score {
  readonly points: number
  /** Sorted. */
  readonly keywords: readonly string[]
}

function score(keywords: readonly string[]): Score {
  let points = 0
  for (const keyword of keywords) points += keyword.split(' ').length
  return { points, keywords: [...keywords].sort() }
}

/** The document's method: a keyword matches anywhere as a substring, also inside other words. */
function scoreSubstrings(text: string, type: QueryType): Score {
  return score(KEYWORDS[type].filter((keyword) => text.includes(keyword)))
}

/** One way to write a keyword, as words. */
interface Form {
  readonly keyword: number
  readonly words: readonly string[]
}

interface TypeIndex {
  /** Longest first, then alphabetical: that order decides who takes a stretch of text. */
  readonly keywords: readonly string[]
  readonly byFirstWord: ReadonlyMap<string, readonly Form[]>
}

/** [Q1] The word itself and its simple endings; conversational words and phrases have none. */
function forms(keyword: string, inflect: boolean): readonly string[] {
  if (!inflect || keyword.includes(' ') || keyword.length <= 2) return [keyword]
  const endings = ['s', 'es', 'ed', 'ing'].map((ending) => keyword + ending)
  const stem = keyword.slice(0, -1)
  if (keyword.endsWith('e')) endings.push(`${keyword}d`, `${stem}ing`)
  if (keyword.endsWith('y')) endings.push(`${stem}ies`, `${stem}ied`)
  return [keyword, ...endings]
}

function indexOf(type: QueryType): TypeIndex {
  const keywords = [...KEYWORDS[type]].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const byFirstWord = new Map<string, Form[]>()
  for (const [keyword, name] of keywords.entries())
    for (const form of forms(name, type !== 'conversational')) {
      const words = form.split(' ')
      const first = words[0] ?? ''
      const list = byFirstWord.get(first) ?? []
      if (list.length === 0) byFirstWord.set(first, list)
      list.push({ keyword, words })
    }
  return { keywords, byFirstWord }
}

const INDEX: Readonly<Record<QueryType, TypeIndex>> = {
  code: indexOf('code'),
  documentation: indexOf('documentation'),
  research: indexOf('research'),
  action: indexOf('action'),
  conversational: indexOf('conversational'),
}

/** The words of a text, and whether each is separated from the next only by blanks. */
export interface Words {
  readonly words: readonly string[]
  readonly joined: readonly boolean[]
}

function readWords(text: string): Words {
  const words: string[] = []
  const joined: boolean[] = []
  let at = 0
  let blank = false
  while (at < text.length) {
    const end = skipWord(text, at)
    if (end > at) {
      if (words.length > 0) joined.push(blank)
      words.push(text.slice(at, end))
      at = end
      blank = true
    } else {
      blank &&= isBlank(text.charCodeAt(at))
      at++
    }
  }
  joined.push(false)
  return { words, joined }
}

function matches({ words, joined }: Words, at: number, form: Form): boolean {
  return form.words.every(
    (word, index) => words[at + index] === word && (index === 0 || joined[at + index - 1] === true),
  )
}

/** [Q1] [Q6] Whole words, phrases over any blanks; each stretch of text counts for one keyword only. */
function scoreWords(text: Words, type: QueryType): Score {
  const { keywords, byFirstWord } = INDEX[type]
  const places = new Map<number, number[]>()
  const sizes: number[] = []
  for (let at = 0; at < text.words.length; at++)
    for (const form of byFirstWord.get(text.words[at] ?? '') ?? []) {
      if (!matches(text, at, form)) continue
      sizes[form.keyword] = form.words.length
      const list = places.get(form.keyword)
      if (list === undefined) places.set(form.keyword, [at])
      else list.push(at)
    }
  const taken = new Set<number>()
  const matched: string[] = []
  for (const keyword of [...places.keys()].sort((a, b) => a - b)) {
    const size = sizes[keyword] ?? 1
    const range = (at: number) => Array.from({ length: size }, (_, index) => at + index)
    const at = places.get(keyword)?.find((place) => range(place).every((word) => !taken.has(word)))
    if (at === undefined) continue
    for (const word of range(at)) taken.add(word)
    matched.push(keywords[keyword] ?? '')
  }
  return score(matched)
}

/** Ways to begin a request before its verb; each word is followed by a blank. */
const LEADS: ReadonlyArray<readonly string[]> = [
  ['please'],
  ['can', 'you'],
  ['could', 'you'],
  ['would', 'you'],
  ['will', 'you'],
  ["let's"],
  ['lets'],
]

function afterBlanks(text: string, at: number): number {
  let end = at
  while (end < text.length && isBlank(text.charCodeAt(end))) end++
  return end
}

function afterLead(text: string, from: number): number {
  for (const lead of LEADS) {
    let at = from
    const whole = lead.every((word) => {
      if (!text.startsWith(word, at)) return false
      const next = afterBlanks(text, at + word.length)
      if (next === at + word.length) return false
      at = next
      return true
    })
    if (whole) return at
  }
  return from
}

const ACTION_VERBS: ReadonlySet<string> = new Set(
  KEYWORDS.action.filter((keyword) => !keyword.includes(' ')),
)

/** [Q2] Whether the first word, after "please", "can you" or "let's", is a keyword of ACTION. */
export function isImperative(text: string): boolean {
  let at = 0
  for (let next = afterLead(text, at); next > at; next = afterLead(text, at)) at = next
  if (wordUnits(text, at) === 0) return false
  return ACTION_VERBS.has(text.slice(at, skipWord(text, at)))
}

/** Every type with its score, in scoring order. */
export function scoreAll(
  text: string,
  wholeWords: boolean,
): ReadonlyArray<readonly [QueryType, Score]> {
  const words = wholeWords ? readWords(text) : null
  return SCORE_ORDER.map((type) => [
    type,
    words === null ? scoreSubstrings(text, type) : scoreWords(words, type),
  ])
}
