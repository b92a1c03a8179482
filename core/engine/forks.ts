import type { EventKind } from './schema/event-kind.ts'

/** A session whose beginning may be a copy. */
export interface MaybeFork {
  readonly id: string
  /** [I211] The session that it was forked from. */
  readonly forkedFrom?: string | undefined
}

/** Fields by which an event and its copy are compared. */
export interface Said {
  readonly seq: number
  readonly kind: EventKind
  readonly text: string
}

/** Kinds that a fork copies; notes and injected texts are written again. */
const COPIED: ReadonlySet<EventKind> = new Set<EventKind>([
  'user',
  'agent',
  'tool_call',
  'tool_result',
])

/** Finds copies among sessions that come one after the other, in any order. */
export interface Forks {
  /** The events of a session, by `seq`, that another one of the same family has already had. */
  readonly take: (session: MaybeFork, events: Iterable<Said>) => ReadonlySet<number>
}

interface Known extends MaybeFork {
  /** Hashes of its events, in order. */
  readonly prints: readonly string[]
}

/**
 * [I212] A fork begins with the events of the session that it was forked from. Of these sessions, whichever comes first
 * keeps the events that they begin with; in all others they are copies. The same holds for several forks of one session.
 * Only sessions that name each other are compared, so equal sessions of different users stay two.
 */
export function createForks(): Forks {
  const families = new Map<string, Known[]>()
  return {
    take: (session, events) => {
      const own: Array<{ readonly seq: number; readonly print: string }> = []
      for (const { seq, kind, text } of events)
        if (COPIED.has(kind)) own.push({ seq, print: printOf(kind, text) })
      const keys = new Set([session.id, session.forkedFrom ?? session.id])
      const known = [...keys].flatMap((key) => families.get(key) ?? [])
      let most = 0
      for (const { prints, ...other } of known)
        if (isFamily(session, other)) most = Math.max(most, commonLength(prints, own))
      const entry = { ...session, prints: own.map(({ print }) => print) }
      for (const key of keys) families.set(key, [...(families.get(key) ?? []), entry])
      return new Set(own.slice(0, most).map(({ seq }) => seq))
    },
  }
}

function isFamily(a: MaybeFork, b: MaybeFork): boolean {
  if (a.forkedFrom !== undefined && (a.forkedFrom === b.id || a.forkedFrom === b.forkedFrom))
    return true
  return b.forkedFrom !== undefined && b.forkedFrom === a.id
}

function commonLength(
  prints: readonly string[],
  own: ReadonlyArray<{ readonly print: string }>,
): number {
  let length = 0
  while (length < prints.length && prints[length] === own[length]?.print) length += 1
  return length
}

/** FNV-1a twice, with the length: two texts of one place are compared, so 64 bits are enough. */
function printOf(kind: EventKind, text: string): string {
  let a = 0x81_1c_9d_c5
  let b = 0x01_00_01_93
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01_00_01_93)
    b = Math.imul(b ^ (unit + at), 0x85_eb_ca_6b)
  }
  return `${kind} ${text.length} ${a} ${b}`
}
