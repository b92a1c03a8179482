import type { SourceRef } from '../../schema/event.ts'
import type { Importer, RawRecord } from '../source.ts'
import { sessionDraft, type EventDraft, type SessionDraft } from './drafts.ts'
import { isList, listAt } from './guards.ts'
import type { ImportLog } from './import-log.ts'
import { createNames } from './names.ts'

/** A message of a conversation that is stored as a tree, because messages were edited or answers regenerated. */
interface TreeNode {
  readonly id: string
  readonly parent: string | null
}

/** Paths of a tree: the live one first, then for each other leaf the nodes not on an earlier path. */
interface Paths<Node> {
  readonly live: readonly Node[]
  readonly left: ReadonlyArray<readonly Node[]>
}

/**
 * [I45] The path to `leaf` (without one: to the last node in file order that has no children) is live;
 * the paths to other leaves are abandoned branches. Each node is on one path only. Cycles and
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

/** A node as exports have it: most hold a message. */
export interface MessageNode extends TreeNode {
  readonly message: unknown
}

interface Conversation extends Pick<SessionDraft, 'title' | 'startedAt'> {
  readonly nodes: readonly MessageNode[]
  /** Id of the last message of the live path. */
  readonly leaf: string | null
}

interface ConversationFormat extends Pick<Importer, 'name' | 'label'> {
  readonly isConversation: (value: unknown) => boolean
  readonly idOf: (value: unknown) => string | null
  readonly conversationOf: (value: unknown) => Conversation
  /** Null: the node has no message. */
  readonly eventsOf: (message: unknown, source: SourceRef) => readonly EventDraft[] | null
}

/** Some exports put their conversations into an object. */
const LIST = 'conversations'

/** [I45] An export whose records are conversations. */
export function conversationExport({ name, label, ...format }: ConversationFormat): Importer {
  const { isConversation, idOf } = format
  return {
    name,
    label,
    detect: ({ objects, values: [first] }) =>
      objects.some(
        (value) => isConversation(value) || listAt(value, LIST).slice(0, 20).some(isConversation),
      ) ||
      (isList(first) && isConversation(first[0])),
    split: () => ({ by: 'records', lists: [LIST] }),
    read: (log) => {
      const sessions: SessionDraft[] = []
      const nameFor = createNames()
      return {
        take: (record) => {
          if (!isConversation(record.value)) {
            log.skip('record that is no conversation')
            return
          }
          const id = nameFor(idOf(record.value) ?? 'conversation')
          for (const session of sessionsOf(record, id, format, log)) sessions.push(session)
        },
        drafts: () => sessions,
      }
    },
  }
}

/**
 * [I45] The live path goes into the main session, each abandoned path into its own session
 * `branch-N`, if it has events. A message without events is counted.
 */
function sessionsOf(
  { value, ref }: RawRecord,
  id: string,
  format: Pick<ConversationFormat, 'conversationOf' | 'eventsOf'>,
  log: ImportLog,
): readonly SessionDraft[] {
  const { nodes, leaf, ...facts } = format.conversationOf(value)
  const { live, left } = pathsOf(nodes, leaf)
  const fill = (session: SessionDraft, path: readonly MessageNode[]): SessionDraft => {
    for (const { message } of path) {
      const events = format.eventsOf(message, ref)
      if (events?.length === 0) log.skip('message without content')
      for (const event of events ?? []) session.events.push(event)
    }
    return session
  }
  const sessions = [fill({ ...sessionDraft(id), ...facts }, live)]
  for (const path of left) {
    const thread = `branch-${sessions.length}`
    const branch = fill(sessionDraft(`${id}-${thread}`, thread, id), path)
    if (branch.events.length > 0) sessions.push(branch)
  }
  return sessions
}
