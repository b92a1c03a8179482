import { isCaseSensitive, namesWideCharacters } from './char-set.ts'
import { type CachedPattern, type Plan, patternIdentity, writtenRegex } from './pattern-cache.ts'
import { requiredLiterals } from '../literals.ts'
import {
  childrenOf,
  type CharSet,
  type Flags,
  type Node,
  type NodeOf,
  type Pattern,
} from './python-ast.ts'
import type { Target } from './emit-set.ts'
import { emitPattern } from './python-emit.ts'
import type { TextForm } from '../text-facts.ts'

/** A regular expression and the form of the text that it must run on. */
export interface Program {
  readonly form: TextForm
  readonly regex: RegExp
}

/** A pattern twice: for texts within ASCII, and for all others. */
export interface Programs {
  readonly ascii: Program
  readonly wide: Program
  /** Every matching text holds one of these, see `requiredLiterals`; null = it must be run to know. */
  readonly literals: readonly string[] | null
  /** The parsed Python pattern; null for a JavaScript pattern, which runs unchanged. Parsed on first use. */
  readonly source: Pattern | null
  /** Flags of `source`, without reading it. */
  readonly flags: Flags | null
  /** Of a whole pattern of Python, see `patternIdentity`. */
  readonly identity: string | null
}

/** Features of a pattern that decide how it can run. */
export interface Features {
  readonly sets: CharSet[]
  readonly references: Array<NodeOf<'reference'>>
}

function collect(node: Node, features: Features): void {
  if (node.kind === 'set') features.sets.push(node.set)
  else if (node.kind === 'reference') features.references.push(node)
  for (const child of childrenOf(node)) collect(child, features)
}

const FORMS = {
  skeleton: { unicode: 'skeleton', ascii: 'asciiSkeleton' },
  lower: { unicode: 'lower', ascii: 'asciiLower' },
} as const

/**
 * Chooses the fastest form on which the pattern still answers exactly: the skeleton unless the
 * pattern names characters above U+007F or compares parts of the text with each other; the text
 * itself when case matters somewhere.
 */
function planOf(features: Features, ascii: boolean): Plan {
  const { sets, references } = features
  const folded = !sets.some(isCaseSensitive) && references.every((node) => node.ignoreCase)
  const skeleton = folded && references.length === 0 && !sets.some(namesWideCharacters)
  const mode = ascii ? 'ascii' : 'unicode'
  const wideForm = folded ? FORMS[skeleton ? 'skeleton' : 'lower'][mode] : 'text'
  return { folded, alphabet: skeleton ? 'skeleton' : 'unicode', wideForm }
}

/** A pattern that was read. */
export interface Reading {
  readonly pattern: Pattern
  readonly features: Features
}

export function readingOf(pattern: Pattern): Reading {
  const features: Features = { sets: [], references: [] }
  collect(pattern.root, features)
  return { pattern, features }
}

/** [C15] Programs of a pattern with the cached facts `kept`. Missing facts are computed from the result of `read`. */
export function buildPrograms(
  kept: CachedPattern,
  read: () => Reading,
  source: string | null,
): Programs {
  const { flags, plan } = kept
  const write = (alphabet: Target['alphabet']): string => {
    const { pattern, features } = read()
    const references = new Set(features.references.map((node) => node.group))
    const target: Target = { alphabet, ascii: flags.ascii, folded: plan.folded }
    return emitPattern(pattern.root, target, references)
  }
  const native = once((): Program => {
    const regex = writtenRegex(kept, 'ascii', '', () => write('native'))
    return { form: plan.folded ? 'lower' : 'text', regex }
  })
  const wide = once((): Program => {
    const letters = plan.alphabet === 'unicode' ? 'v' : ''
    const regex = writtenRegex(kept, 'wide', letters, () => write(plan.alphabet))
    return { form: plan.wideForm, regex }
  })
  const literals = (): readonly string[] | null => {
    if (kept.literals === undefined) kept.literals = requiredLiterals(read().pattern.root)
    return kept.literals
  }
  return {
    get ascii() {
      return native()
    },
    get wide() {
      return wide()
    },
    get literals() {
      return literals()
    },
    get source() {
      return read().pattern
    },
    flags,
    identity: source === null ? null : patternIdentity(source, flags),
  }
}

/**
 * Programs for a part of a translated pattern, under its flags. The whole pattern was accepted, so no part contains a
 * refused construct. A part that refers to a group outside itself has no meaning.
 */
export function programsOfPart(part: Pattern): Programs {
  const reading = readingOf(part)
  return buildPrograms(nothingKept(reading), () => reading, null)
}

/** Facts about a pattern that has only been parsed. */
export function nothingKept({ pattern: { flags }, features }: Reading): CachedPattern {
  return { flags, plan: planOf(features, flags.ascii), ascii: null, wide: null }
}

/** Creates a value on first use, and caches it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}
