import type { Place } from './names.ts'

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

export function findEntities(text: string): readonly Place[] {
  return placesOf(text, ENTITIES)
}

/** [L25] File names, paths and names in programs, without the full stop of the sentence. */
export function findIdentifiers(text: string): readonly Place[] {
  return Array.from(text.matchAll(RUN), (match): readonly [string, number] => {
    const run = match[0].replace(/[.@/-]+$/u, '')
    return [run, match.index]
  })
    .filter(([run]) => IS_IDENTIFIER.some((holds) => holds(run)))
    .map(([run, start]): Place => [start, start + run.length])
}

/** What stands inside quotation marks, without blanks at its ends. `short` ones are a phrase by themselves. */
export function findQuotations(text: string): {
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
