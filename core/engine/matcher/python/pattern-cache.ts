import { createLru } from '../../lru.ts'
import { keptIn } from '../../maps.ts'
import type { Flags } from './python-ast.ts'
import type { TextForm } from '../text-facts.ts'

/** [T6] What a pattern of Python matches, as text. */
export const patternIdentity = (pattern: string, flags: Flags): string =>
  `python ${JSON.stringify(flags)} ${pattern}`

/** Forms of the text on which a pattern answers exactly. */
export interface Plan {
  readonly folded: boolean
  readonly alphabet: 'skeleton' | 'unicode'
  readonly wideForm: TextForm
}

/**
 * [C22] What was found out of a pattern that can be translated, as plain data: whoever has it need not read the
 * pattern.
 */
export interface KnownPattern {
  /** Those given and those inside of it. */
  readonly flags: Flags
  readonly plan: Plan
  /** See `requiredLiterals`; left out: not looked for yet. */
  readonly literals?: readonly string[] | null
  /** As it was written out for JavaScript; null: not yet. */
  readonly ascii: string | null
  readonly wide: string | null
}

/** An entry of the cache: more may be found out of its pattern. */
export type CachedPattern = { -readonly [Key in keyof KnownPattern]: KnownPattern[Key] }

/** Of each pattern a few kilobytes: more than the signals of three presets. */
const MOST_PATTERNS = 2000
const cache = createLru<string, CachedPattern>(MOST_PATTERNS)

/** What is known of a pattern under the flags that it is given; undefined: nothing. `identity`: see `patternIdentity`. */
export const knownPattern = (identity: string): CachedPattern | undefined => cache.get(identity)

/** Keeps what was found out of a pattern, where nothing is known of it. Returns what is known now. */
export const rememberPattern = (identity: string, found: KnownPattern): CachedPattern =>
  keptIn(cache, identity, () => ({ ...found }))

/** The regular expression of a pattern, which is written out where it was not before. */
export function writtenRegex(
  kept: CachedPattern,
  target: 'ascii' | 'wide',
  flags: string,
  write: () => string,
): RegExp {
  const before = kept[target]
  const text = before ?? write()
  try {
    const regex = new RegExp(text, flags)
    kept[target] = text
    return regex
  } catch (thrown) {
    // What came out of a file may be anything: what is written here says what is wrong, if something is.
    kept[target] = null
    if (before === null) throw thrown
    return new RegExp(write(), flags)
  }
}
