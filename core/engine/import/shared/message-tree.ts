import type { RawRecord, Reader } from '../source.ts'
import { sessionDraft, type EventDraft, type SessionDraft } from './drafts.ts'
import type { ImportLog } from './import-log.ts'
import { createNames } from './names.ts'

/** A message of a conversation that is kept as a tree, because answers were edited or made again. */
export interface TreeNode {
  readonly id: string
  readonly parent: string | null
}

/** Paths of a tree: the live one first, then what is not on an earlier path of each other leaf. */
export interface Paths<Node> {
  readonly live: readonly Node[]
  readonly left: ReadonlyArray<readonly Node[]>
}

/**
 * [I45] The path to `leaf` (without one: to the last node in file order that has no children) is live;
 * what leads to other leaves are branches that were left, each node on one path only. Cycles and
 * missing parents end a path.
 */
export function pathsOf<Node extends TreeNode>(
  nodes: readonly Node[],
  leaf: string | null,
): Paths<Node> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Set(nodes.map((node) => node.parent))
  const used = new Set<string>()

  function pathTo(end: Node): readonly Node[] {
    const path: Node[] = []
    for (let at: Node | undefined = end; at !== undefined && !used.has(at.id);) {
      used.add(at.id)
      path.push(at)
      at = at.parent === null ? undefined : byId.get(at.parent)
    }
    return path.toReversed()
  }

  const leaves = [...byId.values()].filter((node) => !parents.has(node.id))
  const last = (leaf === null ? undefined : byId.get(leaf)) ?? leaves.at(-1) ?? nodes.at(-1)
  const live = last === undefined ? [] : pathTo(last)
  const ends = [...leaves, ...byId.values()]
  const left = ends.map((node) => pathTo(node)).filter((path) => path.length > 0)
  return { live, left }
}

interface Conversations {
  readonly isConversation: (value: unknown) => boolean
  readonly idOf: (value: unknown) => string | null
  readonly sessionsOf: (record: RawRecord, id: string, log: ImportLog) => readonly SessionDraft[]
}

/** [I45] Reads an export whose records are conversations. */
export function readConversations(parts: Conversations): (log: ImportLog) => Reader {
  return (log) => {
    const sessions: SessionDraft[] = []
    const nameFor = createNames()
    return {
      take: (record) => {
        if (!parts.isConversation(record.value)) {
          log.skip('record that is no conversation')
          return
        }
        const id = nameFor(parts.idOf(record.value) ?? 'conversation')
        for (const session of parts.sessionsOf(record, id, log)) sessions.push(session)
      },
      drafts: () => sessions,
    }
  }
}

/**
 * [I45] The live path goes into `main`, each path that was left into a session `branch-N` of its own,
 * if it says something. A message without events is counted; `null` is a node without a message.
 */
export function sessionsOfPaths<Node extends TreeNode>(
  main: SessionDraft,
  { live, left }: Paths<Node>,
  eventsOf: (node: Node) => readonly EventDraft[] | null,
  log: ImportLog,
): readonly SessionDraft[] {
  const fill = (session: SessionDraft, path: readonly Node[]): void => {
    for (const node of path) {
      const events = eventsOf(node)
      if (events?.length === 0) log.skip('message without content')
      for (const event of events ?? []) session.events.push(event)
    }
  }
  fill(main, live)
  const branches: SessionDraft[] = []
  for (const path of left) {
    const thread = `branch-${branches.length + 1}`
    const branch = sessionDraft(`${main.id}-${thread}`, thread, main.id)
    fill(branch, path)
    if (branch.events.length > 0) branches.push(branch)
  }
  return [main, ...branches]
}
