import { ALL_ASCII, memberRanges, smallMember, type Target } from '../matcher/python/emit-set.ts'
import { TOKENS } from '../matcher/python/char-set.ts'
import { branchesOf } from '../matcher/literals.ts'
import { childrenOf, type CharSet, type Node, type Pattern } from '../matcher/python/python-ast.ts'

/** The characters of a set, as far as skeletons tell them apart; null where they do not. */
function membersOf(target: Target, set: CharSet): ReadonlySet<string> | null {
  if (!set.ignoreCase || set.ranges.some(([, to]) => to > 0x7f)) return null
  const ranges = memberRanges(target, set)
  const all = [...ALL_ASCII, ...Array.from(TOKENS)]
  return new Set(all.filter((char) => smallMember(target, set, ranges, char)))
}

/** The sets with which a list of nodes begins, character by character, while each is exactly one. */
function headOf(items: readonly Node[]): readonly CharSet[] {
  const sets: CharSet[] = []
  for (const item of items) {
    if (item.kind === 'position') continue
    const inner = item.kind === 'group' || item.kind === 'atomic' ? item.body : item
    if (inner.kind === 'set') sets.push(inner.set)
    else if (inner.kind === 'sequence') {
      const own = headOf(inner.items)
      sets.push(...own)
      if (own.length < inner.items.filter(({ kind }) => kind !== 'position').length) return sets
    } else return sets
  }
  return sets
}

const itemsOf = (node: Node): readonly Node[] => (node.kind === 'sequence' ? node.items : [node])

/** A body of single characters alone: its sets; null for anything else. */
function plainSets(body: Node): readonly CharSet[] | null {
  const items = itemsOf(body)
  const sets = items.flatMap((item) => (item.kind === 'set' ? [item.set] : []))
  return sets.length === items.length && sets.length > 0 ? sets : null
}

/** Must what follows match a forbidden look-ahead, or can it never match a demanded one? */
function contradicts(target: Target, look: Node, after: readonly Node[]): boolean {
  if (look.kind !== 'look' || look.behind) return false
  const head = headOf(after).map((set) => membersOf(target, set))
  if (!look.negative) {
    const first = headOf(itemsOf(look.body))[0]
    const wanted = first === undefined ? null : membersOf(target, first)
    const next = head[0] ?? null
    return wanted !== null && next !== null && [...next].every((char) => !wanted.has(char))
  }
  return branchesOf(look.body).some((branch) => {
    const sets = plainSets(branch)?.map((set) => membersOf(target, set))
    if (sets === undefined || sets.length > head.length) return false
    return sets.every((allowed, at) => {
      const next = head[at] ?? null
      return allowed !== null && next !== null && [...next].every((char) => allowed.has(char))
    })
  })
}

function inSequence(target: Target, items: readonly Node[]): boolean {
  return items.some(
    (item, at) => contradicts(target, item, items.slice(at + 1)) || isContradictory(target, item),
  )
}

function isContradictory(target: Target, node: Node): boolean {
  if (node.kind === 'sequence') return inSequence(target, node.items)
  if (node.kind === 'alternation')
    return node.branches.every((branch) => isContradictory(target, branch))
  if (node.kind === 'repeat' && node.min === 0) return false
  if (node.kind === 'look') return false
  return childrenOf(node).some((child) => isContradictory(target, child))
}

/** [K22] Does a look-ahead forbid, on every way, what the pattern goes on with, or demand something else? */
export function hasContradiction({ root, flags }: Pattern): boolean {
  return isContradictory({ alphabet: 'skeleton', ascii: flags.ascii, folded: true }, root)
}
