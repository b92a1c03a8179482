import { requiredOf } from '../lab/words/plain-literals.ts'
import { WIDE } from '../matcher/literals.ts'
import type { CompiledSignal } from '../matcher/signal.ts'
import type { BeliefOptions } from '../schema/preset.ts'

/** Alternatives, each a list of literals that all occur in the lower case of a text. */
type Alternatives = ReadonlyArray<readonly string[]>

/** Above U+007F, but tied to ASCII letters where case does not count: İ ı ſ and the Kelvin sign (C7). */
const TIED = ['İ', 'ı', 'ſ', '\u212a'] as const
/** Removing a block from a text joins the parts around it (L7). */
const THINK = '<think>'

/** Cutting a text inserts line feeds that it does not contain (B16). */
const CONTROLS = /[^ -\u{10ffff}]+/u

type TextOptions = Pick<BeliefOptions, 'stripThinking'>

/** Content that a text needs so that one of the signals may match: one of the alternatives, or one of the marks. */
export interface TextNeeds {
  readonly alternatives: Alternatives
  /** Texts with one of these, in any case, may match without any of the alternatives. */
  readonly marks: readonly string[]
}

/** [F132] Null: one of the signals may match texts of which nothing is known. */
export function textNeeds(
  signals: readonly CompiledSignal[],
  { stripThinking }: TextOptions,
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
  return { alternatives, marks: stripThinking ? [...TIED, THINK] : TIED }
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
  return literals.length > MOST ? null : literals
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
