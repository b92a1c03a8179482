import { branchDraft, type EventDraft, type SessionDraft } from './drafts.ts'

/** A record of a conversation that is a tree. */
interface Node {
  /** Index of the node it follows; -1 for the first. */
  readonly parent: number
  readonly events: readonly EventDraft[]
}

/**
 * [I16] A conversation whose records name their predecessor. The path to the last record of the file is live. Abandoned
 * records are also split into paths, the latest leaf first. Each is a session `branch-N`, in order of their first
 * record. Takes time linear in the records for any links.
 */
export interface Tree {
  /** `parentId` is null for another first record, undefined if the record does not name its parent. */
  add(id: string | null, parentId: string | null | undefined, events: readonly EventDraft[]): void
  tidy(): void
  readonly branches: () => readonly SessionDraft[]
}

export function createTree(main: SessionDraft): Tree {
  const nodes: Node[] = []
  const places = new Map<string, number>()
  const taken = new Set<number>()
  let forked = false
  let branches: SessionDraft[] = []

  return {
    add(id, parentId, events) {
      const at = nodes.length
      // If the parent is missing (a bad line, a file that lost its beginning), the record before is used.
      const parent = parentId === null ? -1 : (places.get(parentId ?? '') ?? at - 1)
      if (taken.has(parent)) forked = true
      taken.add(parent)
      nodes.push({ parent, events })
      if (id !== null) places.set(id, at)
      for (const event of events) main.events.push(event)
    },
    tidy() {
      if (!forked) return
      const paths = pathsOf(nodes)
      const sessions = [
        main,
        ...Array.from({ length: paths.left }, (_, at) => branchDraft(main, at + 1)),
      ]
      branches = sessions.slice(1)
      main.events.length = 0
      for (const [at, { events }] of nodes.entries())
        for (const event of events) sessions[paths.of[at] ?? 0]?.events.push(event)
    },
    branches: () => branches,
  }
}

interface Paths {
  /** Path of each node: 0 is the live one, others are numbered by their first node. */
  readonly of: readonly number[]
  /** Number of the others. */
  readonly left: number
}

function pathsOf(nodes: readonly Node[]): Paths {
  const leaf = new Array<number>(nodes.length).fill(-1)
  for (let last = nodes.length - 1; last >= 0; last -= 1) {
    // A parent has a smaller index than its child, so this loop ends; each node is visited once.
    for (let at = last; at >= 0 && leaf[at] === -1; at = nodes[at]?.parent ?? -1) leaf[at] = last
  }
  const live = nodes.length - 1
  const numbers = new Map<number, number>([[live, 0]])
  const of = leaf.map((end, at) => {
    const known = numbers.get(end)
    if (known !== undefined) return known
    if ((nodes[at]?.events.length ?? 0) === 0) return 0
    const made = numbers.size
    numbers.set(end, made)
    return made
  })
  return { of, left: numbers.size - 1 }
}
