import { err, messageOf, ok, type Result } from '../result.ts'
import { isCaseSensitive, namesWideCharacters, unreliableLetter } from './char-set.ts'
import {
  childrenOf,
  type CharSet,
  type Flags,
  type Node,
  type NodeOf,
  type Pattern,
  type PatternProblem,
} from './python-ast.ts'
import { checkPattern } from './python-check.ts'
import { requiredLiterals } from './literals.ts'
import { emitPattern } from './python-emit.ts'
import type { Target } from './emit-set.ts'
import { parsePattern } from './python-parser.ts'
import type { TextForm } from './text-facts.ts'
import { patternIdentity, writtenRegex } from './written.ts'

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
  /** What it was made from; null = a pattern of JavaScript, which runs as it is. */
  readonly source: Pattern | null
}

/** What a pattern holds that decides how it can run. */
interface Features {
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

interface Plan {
  readonly folded: boolean
  readonly alphabet: 'skeleton' | 'unicode'
  readonly wideForm: TextForm
}

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

function referenceProblem(features: Features, plan: Plan): PatternProblem | null {
  const mixed = plan.folded ? undefined : features.references.find((node) => node.ignoreCase)
  if (mixed === undefined) return null
  return {
    what: 'a reference that ignores case beside a part that does not cannot be translated exactly',
    column: mixed.at + 1,
    do: 'Put both under the same case flag.',
  }
}

function letterProblem(source: string, features: Features): PatternProblem | null {
  const letter = features.sets.map(unreliableLetter).find((found) => found !== null)
  if (letter === undefined) return null
  return {
    what: `the upper-case letter "${letter}" is not matched reliably by Python when case is ignored`,
    column: Math.max(source.indexOf(letter), 0) + 1,
    do: 'Write it in lower case.',
  }
}

function buildPrograms(
  pattern: Pattern,
  features: Features,
  plan: Plan,
  identity: string | null,
): Programs {
  const { ascii } = pattern.flags
  const references = new Set(features.references.map((node) => node.group))
  const target = (alphabet: Target['alphabet']): Target => {
    return { alphabet, ascii, folded: plan.folded }
  }
  const flags = plan.alphabet === 'unicode' ? 'v' : ''
  const native = once((): Program => {
    const write = () => emitPattern(pattern.root, target('native'), references)
    const regex = writtenRegex(identity, 'ascii', '', write)
    return { form: plan.folded ? 'lower' : 'text', regex }
  })
  const wide = once((): Program => {
    const write = () => emitPattern(pattern.root, target(plan.alphabet), references)
    const regex = writtenRegex(identity, 'wide', flags, write)
    return { form: plan.wideForm, regex }
  })
  const literals = once(() => requiredLiterals(pattern.root))
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
    source: pattern,
  }
}

/**
 * Programs of a part of a pattern that was translated, under its flags: what the whole is refused for no
 * part of it has. A part that refers to a group outside of it has no meaning.
 */
export function programsOfPart(part: Pattern): Programs {
  const features: Features = { sets: [], references: [] }
  collect(part.root, features)
  return buildPrograms(part, features, planOf(features, part.flags.ascii), null)
}

/** What is made when it is first asked for, and kept. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** Characters that a pattern spells out at most; below this it is far from too large for any engine. */
const SURELY_SMALL = 5000

function spelledOut(node: Node): number {
  if (node.kind === 'set' || node.kind === 'position' || node.kind === 'reference') return 1
  const sum = childrenOf(node).reduce((total, child) => total + spelledOut(child), 0)
  if (node.kind !== 'repeat') return sum
  return sum * Math.max(1, node.max === Infinity ? node.min : node.max)
}

/**
 * Engines find a pattern too large only when they first run it, and a fault in what was written for them
 * when it is compiled. Nearly all patterns are small and refer to nothing, and writing out hundreds of them
 * takes longer than all else that opening a window needs: they wait for a text that asks for them.
 */
function provoke(root: Node, { references }: Features, programs: Programs): Programs {
  if (spelledOut(root) < SURELY_SMALL && references.length === 0) return programs
  programs.ascii.regex.test('')
  programs.wide.regex.test('\u00e0')
  return programs
}

/**
 * Translates a pattern of Python's `re` (a `str` pattern, IGNORECASE on) so that it answers as
 * there on every text. What Python refuses, or what cannot be translated exactly (conditional
 * groups, named characters, references that may be unset, repeats of parts that can match nothing,
 * a switch between Unicode and ASCII rules within the pattern), is refused with a 1-based column.
 */
export function translatePython(
  source: string,
  flags: Omit<Flags, 'ignoreCase'>,
): Result<Programs, PatternProblem> {
  const parsed = parsePattern(source, { ...flags, ignoreCase: true })
  if (!parsed.ok) return parsed
  const features: Features = { sets: [], references: [] }
  collect(parsed.value.root, features)
  const plan = planOf(features, parsed.value.flags.ascii)
  const problem =
    checkPattern(parsed.value.root) ??
    referenceProblem(features, plan) ??
    letterProblem(source, features)
  if (problem !== null) return err(problem)
  try {
    const identity = patternIdentity(source, parsed.value.flags)
    const programs = buildPrograms(parsed.value, features, plan, identity)
    return ok(provoke(parsed.value.root, features, programs))
  } catch (thrown) {
    const why = messageOf(thrown)
    return err({ what: `pattern cannot be compiled (${why})`, column: 1, do: 'Make it shorter.' })
  }
}
