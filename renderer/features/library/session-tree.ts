import type { Head } from '../../app/store.ts'

export interface Branch {
  readonly head: Head
  readonly depth: number
}

/** Sessions of a file with sub-agents under the session that started them; order of the file otherwise. */
export function sessionTree(sessions: readonly Head[]): readonly Branch[] {
  const ids = new Set(sessions.map((head) => head.id))
  const children = Map.groupBy(sessions, ({ parent, id }) =>
    parent !== null && parent !== id && ids.has(parent) ? parent : null,
  )
  const seen = new Set<number>()
  const walk = (heads: readonly Head[], depth: number): readonly Branch[] =>
    heads.flatMap((head) => {
      if (seen.has(head.index)) return []
      seen.add(head.index)
      return [{ head, depth }, ...walk(children.get(head.id) ?? [], depth + 1)]
    })
  const tree = walk(children.get(null) ?? [], 0)
  // Sessions that name each other as parent hang nowhere: they are listed all the same.
  return [...tree, ...walk(sessions, 0)]
}
