import { err, messageOf, ok, type Result } from '../../result.ts'
import { unreliableLetter } from './char-set.ts'
import { knownPattern, patternIdentity, rememberPattern, type Plan } from './pattern-cache.ts'
import { childrenOf, type Flags, type Node, type PatternProblem } from './python-ast.ts'
import { checkPattern } from './python-check.ts'
import { parsePattern } from './python-parser.ts'
import {
  buildPrograms,
  nothingKept,
  once,
  readingOf,
  type Features,
  type Programs,
  type Reading,
} from './python-programs.ts'

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

/** Characters that a pattern spells out at most; below this it is far from too large for any engine. */
const SURELY_SMALL = 5000

function spelledOut(node: Node): number {
  if (node.kind === 'set' || node.kind === 'position' || node.kind === 'reference') return 1
  const sum = childrenOf(node).reduce((total, child) => total + spelledOut(child), 0)
  if (node.kind !== 'repeat') return sum
  return sum * Math.max(1, node.max === Infinity ? node.min : node.max)
}

/**
 * Engines detect a pattern that is too large only on its first run, and invalid source only when it is compiled. Nearly
 * all patterns are small and have no references. Emitting hundreds of them takes longer than everything else that
 * opening a window needs, so this waits until a text needs them.
 */
const mayFail = ({ pattern, features }: Reading): boolean =>
  features.references.length > 0 || spelledOut(pattern.root) >= SURELY_SMALL

function provoke(programs: Programs): Programs {
  programs.ascii.regex.test('')
  programs.wide.regex.test('\u00e0')
  return programs
}

/**
 * Translates a pattern of Python's `re` (a `str` pattern, IGNORECASE on) so that it gives the same results as Python on
 * every text. Patterns that Python refuses, or that cannot be translated exactly, are refused with a 1-based column.
 * The latter are conditional groups, named characters, references that may be unset, repeats of parts that can match
 * nothing, and a switch between Unicode and ASCII rules within the pattern. [C22] A pattern that was translated before
 * is parsed again only when a caller needs its source tree.
 */
export function translatePython(
  source: string,
  given: Omit<Flags, 'ignoreCase'>,
): Result<Programs, PatternProblem> {
  const flags = { ...given, ignoreCase: true }
  const identity = patternIdentity(source, flags)
  const known = knownPattern(identity)
  if (known !== undefined)
    return ok(
      buildPrograms(
        known,
        once(() => readAgain(source, flags)),
        source,
      ),
    )
  const parsed = parsePattern(source, flags)
  if (!parsed.ok) return parsed
  const reading = readingOf(parsed.value)
  const { features } = reading
  const kept = nothingKept(reading)
  const problem =
    checkPattern(parsed.value.root) ??
    referenceProblem(features, kept.plan) ??
    letterProblem(source, features)
  if (problem !== null) return err(problem)
  try {
    const read = (): Reading => reading
    if (mayFail(reading)) return ok(provoke(buildPrograms(kept, read, source)))
    return ok(buildPrograms(rememberPattern(identity, kept), read, source))
  } catch (thrown) {
    const why = messageOf(thrown)
    return err({ what: `pattern cannot be compiled (${why})`, column: 1, do: 'Make it shorter.' })
  }
}

/** Reads a pattern that could be translated before. */
function readAgain(source: string, flags: Flags): Reading {
  const parsed = parsePattern(source, flags)
  if (!parsed.ok) throw new Error(`pattern ${source}: ${parsed.error.what}`)
  return readingOf(parsed.value)
}
