import { createLru } from '../lru.ts'
import { keptIn } from '../maps.ts'
import type { Flags } from './python-ast.ts'

/** [T6] What a pattern of Python matches, as text. */
export const patternIdentity = (pattern: string, flags: Flags): string =>
  `python ${JSON.stringify(flags)} ${pattern}`

/** [C22] A pattern as it was written out for JavaScript; null: not yet. */
export interface Written {
  readonly ascii: string | null
  readonly wide: string | null
}

type Kept = { -readonly [Target in keyof Written]: Written[Target] }

/** Of each pattern a few kilobytes: more than the signals of three presets. */
const MOST_PATTERNS = 2000
const written = createLru<string, Kept>(MOST_PATTERNS)

const keptOf = (identity: string): Kept =>
  keptIn(written, identity, () => ({ ascii: null, wide: null }))

/** The regular expression of a pattern, which is written out where it was not before. */
export function writtenRegex(
  identity: string | null,
  target: keyof Written,
  flags: string,
  write: () => string,
): RegExp {
  if (identity === null) return new RegExp(write(), flags)
  const kept = keptOf(identity)
  const known = kept[target]
  const text = known ?? write()
  try {
    const regex = new RegExp(text, flags)
    kept[target] = text
    return regex
  } catch (thrown) {
    // What came with an automaton may be anything: what is written here says what is wrong, if something is.
    kept[target] = null
    if (known === null) throw thrown
    return new RegExp(write(), flags)
  }
}

/** What was written out of the pattern so far. */
export const writtenOf = (identity: string): Written => ({ ...keptOf(identity) })

/** Takes over what was written out before, where it is not known. */
export function rememberWritten(identity: string, { ascii, wide }: Written): void {
  const kept = keptOf(identity)
  kept.ascii ??= ascii
  kept.wide ??= wide
}
