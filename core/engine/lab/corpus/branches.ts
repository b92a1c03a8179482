import { keptIn } from '../../maps.ts'
import { branchesOf } from '../../matcher/literals.ts'
import { childrenOf, type Node, type Pattern } from '../../matcher/python/python-ast.ts'
import { programsOfPart } from '../../matcher/python/python-programs.ts'
import type { CompiledSignal } from '../../matcher/signal.ts'
import { matchesWithinWords } from '../words/word-parts.ts'

/** A signal in two: a text matches it if and only if one of the parts matches. */
export interface Branched {
  /** The alternatives that can be told from single words; null where there are none. */
  readonly within: CompiledSignal | null
  /** All others; null where there are none. */
  readonly rest: CompiledSignal | null
}

/** A pattern as a list of alternatives, and what stands around it. */
interface Listed {
  readonly before: readonly Node[]
  readonly branches: readonly Node[]
  readonly after: readonly Node[]
}

function hasReference(node: Node): boolean {
  return node.kind === 'reference' || childrenOf(node).some(hasReference)
}

/**
 * The lists of alternatives that stand in the outermost sequence. Those inside of repeats, atomic groups and
 * lookarounds are none of it: a match is not free to choose among them.
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
 * [L104] Parts a signal by its alternatives: `\b(?:foo|bar baz)\b` matches where `\b(?:foo)\b` or
 * `\b(?:bar baz)\b` does, and of the first the words of a corpus tell all. What stands around the list
 * stays with each part. A pattern with a reference stays whole: what it repeats may be in the list.
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
