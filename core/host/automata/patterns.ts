import { patternIdentities } from '../../engine/matcher/domains.ts'
import {
  type KnownPattern,
  knownPattern,
  rememberPattern,
  type Plan,
} from '../../engine/matcher/python/pattern-cache.ts'
import type { DomainFile } from '../../engine/schema/domain.ts'
import type { MatcherOptions } from '../../engine/matcher/signal.ts'
import { type DerivedFiles, derivedFileName } from './derived-files.ts'

/** Keeps the analysis of patterns between starts. */
export interface PatternStore {
  /** To be called before the patterns of a file are compiled. */
  readonly offer: (file: DomainFile, options: MatcherOptions) => void
  /** Call this after texts were scanned. Writes new analysis results if they are worth it. */
  readonly keep: () => void
}

/** Fewer patterns are read in less time than a file takes. */
const FEWEST_PATTERNS = 50
/** Rewritten when the known data has grown by this factor. Pattern sources are generated only when texts need them. */
const GROWN = 1.25

/** A file of patterns, by its name. */
interface Offered {
  readonly identities: readonly string[]
  /** Amount of data about them that the file held. */
  readonly size: number
}

/** Amount of known data. Each pattern counts with its flags and forms, its literals, and either regular expression. */
const sizeOf = (patterns: ReadonlyArray<KnownPattern | null>): number =>
  patterns.reduce((sum, one) => sum + (one === null ? 0 : partsOf(one)), 0)
const partsOf = ({ literals, ascii, wide }: KnownPattern): number =>
  1 + Number(literals !== undefined) + Number(ascii !== null) + Number(wide !== null)

/** [C23] Content of the file for these patterns: the data known of each so far. */
export const knownPatterns = (identities: readonly string[]): ReadonlyArray<KnownPattern | null> =>
  identities.map((identity) => knownPattern(identity) ?? null)

/** Name of that file. */
export const patternsFileName = (identities: readonly string[]): string =>
  derivedFileName('patterns', identities)

/** The entries of a file for this many patterns: the known data of each, or null. */
function patternsIn(value: unknown, count: number): ReadonlyArray<KnownPattern | null> {
  if (!Array.isArray(value) || value.length !== count) return []
  return value.map((one) => (isKnownPattern(one) ? one : null))
}

/** [C23] Reads and writes pattern data of domain files. Nothing here fails. */
export function createPatternStore(files: DerivedFiles): PatternStore {
  const offered = new Map<string, Offered>()
  return {
    offer: (file, options) => {
      const identities = patternIdentities(file, options)
      if (identities.length < FEWEST_PATTERNS) return
      const name = patternsFileName(identities)
      if (offered.has(name)) return
      const patterns = patternsIn(files.read(name), identities.length)
      for (const [at, found] of patterns.entries())
        if (found !== null) rememberPattern(identities[at] ?? '', found)
      offered.set(name, { identities, size: sizeOf(patterns) })
    },
    keep: () => {
      for (const [name, { identities, size }] of offered) {
        const patterns = knownPatterns(identities)
        const now = sizeOf(patterns)
        if (now < Math.max(FEWEST_PATTERNS, size * GROWN)) continue
        offered.set(name, { identities, size: now })
        files.write(name, patterns)
      }
    },
  }
}

const WIDE_FORMS: ReadonlySet<unknown> = new Set<Plan['wideForm']>([
  ...(['text', 'lower', 'asciiLower', 'skeleton', 'asciiSkeleton'] as const),
])
const ALPHABETS: ReadonlySet<unknown> = new Set<Plan['alphabet']>(['skeleton', 'unicode'])
const FLAGS = ['ignoreCase', 'multiline', 'dotAll', 'verbose', 'ascii'] as const

type Members = Readonly<Record<string, unknown>>
const membersOf = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null ? (value as Members) : null

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string'
const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/**
 * [C23] Whether a value is a valid cached pattern. The program wrote the file, but a thread that reads transcripts may
 * have requested the write. Written by hand, because a start checks hundreds of patterns and a schema would dominate
 * the time.
 */
export function isKnownPattern(value: unknown): value is KnownPattern {
  const known = membersOf(value)
  const flags = membersOf(known?.['flags'])
  const plan = membersOf(known?.['plan'])
  if (known === null || flags === null || plan === null) return false
  const { literals } = known
  return (
    FLAGS.every((flag) => typeof flags[flag] === 'boolean') &&
    typeof plan['folded'] === 'boolean' &&
    ALPHABETS.has(plan['alphabet']) &&
    WIDE_FORMS.has(plan['wideForm']) &&
    (literals === undefined || literals === null || areTexts(literals)) &&
    isTextOrNull(known['ascii']) &&
    isTextOrNull(known['wide'])
  )
}
