import { createLru } from '../../lru.ts'
import { keptIn } from '../../maps.ts'
import type { Flags } from './python-ast.ts'
import type { TextForm } from '../text-facts.ts'

/** [T6] The matching behaviour of a Python pattern, as text. */
export const patternIdentity = (pattern: string, flags: Flags): string =>
  `python ${JSON.stringify(flags)} ${pattern}`

/** Forms of the text on which a pattern answers exactly. */
export interface Plan {
  readonly folded: boolean
  readonly alphabet: 'skeleton' | 'unicode'
  readonly wideForm: TextForm
}

/** [C22] Facts about a translatable pattern, as plain data. With them, the pattern need not be parsed. */
export interface KnownPattern {
  /** The flags given, and those inside the pattern. */
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

/**
 * Cached facts about a pattern under its given flags; undefined if there are none. `identity`: see `patternIdentity`.
 */
export const knownPattern = (identity: string): CachedPattern | undefined => cache.get(identity)

/** Caches facts about a pattern unless it has some already. Returns the cached facts. */
export const rememberPattern = (identity: string, found: KnownPattern): CachedPattern =>
  keptIn(cache, identity, () => ({ ...found }))

/** The regular expression of a pattern. Emits its source if it is not cached. */
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
    // Cached source from a file may be invalid. Source emitted here throws the correct error if the pattern itself is
    // invalid.
    kept[target] = null
    if (before === null) throw thrown
    return new RegExp(write(), flags)
  }
}
