import { hasGap, NARROW, type Reading } from './gaps.ts'
import { branchesOf } from '../literals.ts'
import { setWidth } from './node-size.ts'
import { childrenOf, type Node } from '../python/python-ast.ts'

/** A repeat that ends a pattern need not go on once it has its least count. */
export function trimEnd(node: Node): Node {
  if (node.kind === 'group') return { ...node, body: trimEnd(node.body) }
  if (node.kind === 'alternation') return { ...node, branches: node.branches.map(trimEnd) }
  if (node.kind === 'repeat') return { ...node, max: node.min }
  if (node.kind !== 'sequence') return node
  const last = node.items.at(-1)
  return last === undefined ? node : { ...node, items: [...node.items.slice(0, -1), trimEnd(last)] }
}

/**
 * A repeat of single characters that begins a way need not begin before its least count: then the match
 * begins later. Otherwise every place of a long run of blanks would be walked to its end.
 */
export function trimStart(items: readonly Node[]): readonly Node[] {
  const [first] = items
  if (first?.kind !== 'repeat' || first.body.kind !== 'set' || first.min === 0) return items
  return [{ ...first, max: first.min }, ...items.slice(1)]
}

/** Flattens sequences and plain groups inside a sequence. */
export function itemsOf(node: Node): readonly Node[] {
  if (node.kind === 'sequence') return node.items.flatMap(itemsOf)
  return node.kind === 'group' && node.body.kind !== 'alternation' ? itemsOf(node.body) : [node]
}

/** True when the node may begin with nearly any character. */
export function beginsWide(node: Node, ascii: boolean): boolean {
  if (node.kind === 'set') return setWidth(node.set, ascii) > NARROW
  if (node.kind === 'look') return false
  const children = childrenOf(node)
  const first = children.find((child) => child.kind !== 'look')
  const open = node.kind !== 'sequence' ? children : first === undefined ? [] : [first]
  return open.some((child) => beginsWide(child, ascii))
}

const holdsLook = (node: Node): boolean => node.kind === 'look' || childrenOf(node).some(holdsLook)

/**
 * Spreads alternatives if only some of them contain a gap, begin with nearly any character, or look around. The others
 * stay together. Each spread one becomes a separate way, so that its own beginning counts.
 */
export function spread(items: readonly Node[], reading: Reading): ReadonlyArray<readonly Node[]> {
  const odd = (node: Node): boolean =>
    hasGap(node, reading.isGap) || beginsWide(node, reading.ascii) || holdsLook(node)
  const at = items.findIndex((item) => branchesOf(item).length > 1 && branchesOf(item).some(odd))
  const item = items[at]
  if (item === undefined) return [items]
  const branches = branchesOf(item)
  const plain = branches.filter((branch) => !odd(branch))
  const single = branches.filter(odd)
  const choices: readonly Node[] =
    plain.length === 0 ? single : [{ kind: 'alternation', branches: plain }, ...single]
  const before = items.slice(0, at)
  const after = items.slice(at + 1)
  return choices.flatMap((choice) => {
    const rest = spread(after, reading)
    return rest.flatMap((tail) =>
      spread(itemsOf(choice), reading).map((middle) => [...before, ...middle, ...tail]),
    )
  })
}
