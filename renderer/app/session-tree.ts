import type { Head } from './store.ts'

export interface Branch {
  readonly head: Head
  readonly depth: number
}

/**
 * [I102] Sessions of a file with sub-agents under the session that started them, in the order of the calls
 * that did; those of which no call is known come last. Order of the file otherwise.
 */
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
      return [{ head, depth }, ...walk(byCall(children.get(head.id) ?? []), depth + 1)]
    })
  const tree = walk(children.get(null) ?? [], 0)
  // Sessions that name each other as parent hang nowhere: they are listed all the same.
  return [...tree, ...walk(sessions, 0)]
}

function byCall(heads: readonly Head[]): readonly Head[] {
  const place = ({ startedAtEvent }: Head) => startedAtEvent ?? Number.MAX_SAFE_INTEGER
  return heads.toSorted((a, b) => place(a) - place(b))
}
