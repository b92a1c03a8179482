import { addTo } from '../../maps.ts'
import { branchDraft, setEvents, type EventDraft, type SessionDraft } from '../shared/drafts.ts'

/** A record of the chain. */
export interface Link {
  /** Index of its parent among the links; -1 when it is not in the file. */
  readonly parent: number
  /** Whether the record is a message that the user typed. */
  readonly prompt: boolean
  /** Whether the record is bookkeeping between messages. Its children count as children of its parent. */
  readonly between: boolean
  /** [I189] A record that says that it has no parent. */
  readonly root: boolean
  /** The record is a compaction: it does not make the events before it an abandoned branch. */
  readonly boundary: boolean
  readonly session: SessionDraft
  readonly events: readonly EventDraft[]
}

/**
 * [I14] Branches of a conversation whose prompts were edited or rewound. Two prompts that follow the
 * same message are a fork; records that share a parent for another reason (parallel calls, progress,
 * local commands) are not. The chain to the last record is live; the others are `branch-N`.
 */
export interface Branches {
  /** The index of the link. */
  add(link: Link): number
  /** [I189] The client says that the live conversation ends with this link. */
  live(at: number): void
  /** Moves events of branches that were left out of their sessions; all that are there. */
  part(): readonly SessionDraft[]
}

export function createBranches(): Branches {
  const links: Link[] = []
  /** The message before each link, bookkeeping aside. */
  const before: number[] = []
  /** Prompts by the message before them. */
  const prompts = new Map<number, number[]>()
  let forked = false
  /** Prompts without a parent since the last compaction, by session. */
  const roots = new Map<SessionDraft, number[]>()
  let leaf: Leaf | null = null
  let parted: readonly SessionDraft[] = []

  return {
    add(link) {
      const at = links.push(link) - 1
      const parent = links[link.parent]
      before.push(parent?.between === true ? (before[link.parent] ?? -1) : link.parent)
      const from = before[at] ?? -1
      if (link.boundary) roots.delete(link.session)
      if (link.prompt) {
        if (leaf !== null) leaf = null
        if (link.root) addTo(roots, link.session, at)
      }
      if (!link.prompt || from < 0) return at
      const there = prompts.get(from)
      if (there === undefined) prompts.set(from, [at])
      else if (there.push(at) > 1) forked = true
      return at
    },
    live(at) {
      leaf = { at }
    },
    part() {
      // [I189] Two prompts without a parent are a fork only where the client says which is live.
      const siblings = [...prompts.values()]
      if (leaf !== null) siblings.push(...[...roots.values()].filter((all) => all.length > 1))
      if (!forked && siblings.length === prompts.size && parted.length === 0) return []
      const heads = headsOf(links, leftPrompts(links, siblings, leaf?.at ?? links.length - 1))
      parted = distribute(links, heads, parted)
      return parted
    },
  }
}

/** The last link of the live conversation. */
interface Leaf {
  readonly at: number
}

/** The prompts that begin a branch: of each fork all but the live one, or else all but the last. */
function leftPrompts(
  links: readonly Link[],
  forks: ReadonlyArray<readonly number[]>,
  end: number,
): ReadonlySet<number> {
  const live = new Set<number>()
  for (let at = end; at >= 0; at = links[at]?.parent ?? -1) live.add(at)
  const left = new Set<number>()
  for (const siblings of forks) {
    const stays = siblings.find((at) => live.has(at)) ?? siblings.at(-1)
    for (const at of siblings) if (at !== stays) left.add(at)
  }
  return left
}

/** For each link the prompt that begins its branch, or -1 on the live branch. Parents come before their children. */
function headsOf(links: readonly Link[], left: ReadonlySet<number>): readonly number[] {
  const heads: number[] = []
  for (const [at, { parent }] of links.entries()) {
    heads.push(left.has(at) ? at : parent < 0 ? -1 : (heads[parent] ?? -1))
  }
  return heads
}

/** Gives each branch its events, and takes them from the session they were read into. */
function distribute(
  links: readonly Link[],
  heads: readonly number[],
  before: readonly SessionDraft[],
): readonly SessionDraft[] {
  const branches = new Map<number, SessionDraft>()
  const counts = new Map<SessionDraft, number>()
  const gone = new Set<EventDraft>()
  for (const [at, { session, events }] of links.entries()) {
    const head = heads[at] ?? -1
    if (head < 0) continue
    let branch = branches.get(head)
    if (branch === undefined) {
      const number = (counts.get(session) ?? 0) + 1
      counts.set(session, number)
      branch = branchDraft(session, number)
      branches.set(head, branch)
    }
    for (const event of events) {
      branch.events.push(event)
      gone.add(event)
    }
  }
  returnLive(links, before)
  for (const session of new Set(links.map((link) => link.session)))
    setEvents(
      session,
      session.events.filter((event) => !gone.has(event)),
    )
  return [...branches.values()]
}

/** A branch may have become live again: its events return to their places in the session. */
function returnLive(links: readonly Link[], before: readonly SessionDraft[]): void {
  const out = new Set(before.flatMap((branch) => branch.events))
  if (out.size === 0) return
  const touched = new Set<SessionDraft>()
  for (const { session, events } of links) {
    for (const event of events) {
      if (!out.has(event)) continue
      session.events.push(event)
      touched.add(session)
    }
  }
  for (const { events } of touched) events.sort((a, b) => a.source.offset - b.source.offset)
}
