import { keptIn } from '../../maps.ts'
import { branchesOf } from '../../matcher/literals.ts'
import { childrenOf, type Node, type Pattern } from '../../matcher/python/python-ast.ts'
import { programsOfPart } from '../../matcher/python/python-programs.ts'
import type { CompiledSignal } from '../../matcher/signal.ts'
import { matchesWithinWords } from '../words/word-parts.ts'

/** A signal in two: a text matches it if and only if one of the parts matches. */
export interface Branched {
  /** The alternatives that single words decide; null if there are none. */
  readonly within: CompiledSignal | null
  /** All other alternatives; null if there are none. */
  readonly rest: CompiledSignal | null
}

/** A pattern as a list of alternatives, with the nodes before and after it. */
interface Listed {
  readonly before: readonly Node[]
  readonly branches: readonly Node[]
  readonly after: readonly Node[]
}

function hasReference(node: Node): boolean {
  return node.kind === 'reference' || childrenOf(node).some(hasReference)
}

/**
 * The lists of alternatives in the outermost sequence. Lists inside repeats, atomic groups and lookarounds are
 * excluded, because a match cannot choose freely among them.
 */
function listsOf(root: Node): readonly Listed[] {
  if (root.kind === 'group') return listsOf(root.body)
  const items = root.kind === 'sequence' ? root.items : [root]
  return items.flatMap((item, at) => {
    const branches = branchesOf(item)
    if (branches.length < 2) return []
    return [{ before: items.slice(0, at), branches, after: items.slice(at + 1) }]
  })
}

function partsOf(signal: CompiledSignal, { flags }: Pattern, listed: Listed): Branched | null {
  const { before, branches, after } = listed
  const partOf = (some: readonly Node[]): CompiledSignal => {
    const list: Node = { kind: 'alternation', branches: some }
    const root: Node = { kind: 'sequence', items: [...before, list, ...after] }
    return { ...signal, programs: programsOfPart({ root, flags }) }
  }
  const isWithin = branches.map((branch) => matchesWithinWords(partOf([branch])))
  const within = branches.filter((_, at) => isWithin[at] === true)
  const rest = branches.filter((_, at) => isWithin[at] !== true)
  if (within.length === 0) return null
  return { within: partOf(within), rest: rest.length === 0 ? null : partOf(rest) }
}

const parted = new WeakMap<CompiledSignal, Branched>()

/**
 * [L104] Splits a signal by its alternatives: `\b(?:foo|bar baz)\b` matches if `\b(?:foo)\b` or `\b(?:bar baz)\b` does,
 * and the words of a corpus fully decide the first. Each part keeps the nodes around the list. A pattern with a
 * reference stays whole, because the reference may point into the list.
 */
export function branchedOf(signal: CompiledSignal): Branched {
  return keptIn(parted, signal, () => {
    if (matchesWithinWords(signal)) return { within: signal, rest: null }
    const { source } = signal.programs
    if (source !== null && !hasReference(source.root))
      for (const listed of listsOf(source.root)) {
        const parts = partsOf(signal, source, listed)
        if (parts !== null) return parts
      }
    return { within: null, rest: signal }
  })
}
