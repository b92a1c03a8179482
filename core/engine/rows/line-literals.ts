import { requiredOf } from '../lab/words/plain-literals.ts'
import { CODE_MARKS } from '../terminal-codes.ts'
import { WIDE } from '../matcher/literals.ts'
import type { CompiledSignal } from '../matcher/signal.ts'
import type { BeliefOptions } from '../schema/preset.ts'

/** Alternatives, each a list of literals that all occur in the lower case of a text. */
type Alternatives = ReadonlyArray<readonly string[]>

/** Above U+007F, but tied to ASCII letters where case does not count: İ ı ſ and the Kelvin sign (C7). */
const TIED = ['İ', 'ı', 'ſ', '\u212a'] as const
/** Removing a block or a code from a text joins the parts around it (L7, B25). */
const THINK = '<think>'

/** Cutting a text inserts line feeds that it does not contain (B16). */
const CONTROLS = /[^ -\u{10ffff}]+/u

type TextOptions = Pick<BeliefOptions, 'stripThinking' | 'stripCodes'>

/** Content that a text needs so that one of the signals may match: one of the alternatives, or one of the marks. */
export interface TextNeeds {
  readonly alternatives: Alternatives
  /** Texts with one of these, in any case, may match without any of the alternatives. */
  readonly marks: readonly string[]
}

/**
 * The code marks as JSON lines hold them. A control character of ASCII is always escaped in JSON, one of C1 may be
 * escaped, and a backslash that is part of the text is doubled.
 */
const CODES_IN_LINES: readonly string[] = [
  '\\u001b',
  '\\u008',
  '\\u009',
  ...CODE_MARKS.filter((mark) => mark !== '\u001b' && !mark.startsWith('\\')),
  '\\e[',
]

/** [F132] Null: one of the signals may match texts of which nothing is known. */
export function textNeeds(
  signals: readonly CompiledSignal[],
  { stripThinking, stripCodes }: TextOptions,
): TextNeeds | null {
  const alternatives: Array<readonly string[]> = []
  for (const signal of signals) {
    const known = requiredOf(signal)
    if (known === null) return null
    for (const all of known) {
      const ascii = all
        .filter((literal) => literal !== WIDE)
        .flatMap((literal) => literal.split(CONTROLS).filter((run) => run !== ''))
      if (ascii.length === 0) return null
      alternatives.push(ascii)
    }
  }
  const marks = [...TIED, ...(stripThinking ? [THINK] : []), ...(stripCodes ? CODE_MARKS : [])]
  return { alternatives, marks }
}

/** Characters that a JSON line contains literally, or as \u and four digits, and in no third form. */
const PLAIN_RUNS = /[ !#-.0-[\]-~]+/gu
/** Shorter ones occur in nearly every line. */
const SHORTEST = 3
/** More of them find too much that is compared for nothing. */
const MOST = 64

/**
 * [F132] Literals of which every line of JSON holds one, in any case of its ASCII letters, whose text one of the signals
 * may match. Null: there are none worth looking for.
 */
export function lineLiterals(
  signals: readonly CompiledSignal[],
  options: TextOptions,
): readonly string[] | null {
  const needs = textNeeds(signals, options)
  if (needs === null) return null
  const looked = new Set<string>()
  for (const all of needs.alternatives) {
    const runs = all.flatMap((literal) => literal.match(PLAIN_RUNS) ?? [])
    const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
    if (longest.length < SHORTEST) return null
    looked.add(longest)
  }
  if (options.stripThinking) looked.add('<think')
  const literals = [...looked, ...escapesOf([...looked].join('')), ...tiedInLines()]
  if (literals.length > MOST) return null
  if (options.stripCodes !== true) return literals
  // Rare in lines: they do not count.
  return [...new Set([...literals, ...CODES_IN_LINES, ...escapesOf(CODE_MARKS.slice(-4).join(''))])]
}

const hex = (code: number): string => code.toString(16).padStart(4, '0')

/** Prefixes of the escapes of these characters: one set for all letters, and one escape for each other character. */
function escapesOf(characters: string): readonly string[] {
  const others = new Set(characters.replaceAll(/[a-z]/gu, ''))
  return [
    '\\u004',
    '\\u005',
    '\\u006',
    '\\u007',
    ...[...others].map((character) => `\\u${hex(character.charCodeAt(0))}`),
  ]
}

function tiedInLines(): readonly string[] {
  return TIED.flatMap((character) => [character, `\\u${hex(character.charCodeAt(0))}`])
}
