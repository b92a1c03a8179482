import { keptIn } from '../../maps.ts'
import { sessionDraft, type Origin, type SessionDraft } from '../shared/drafts.ts'
import { epoch, isObject, own, textAt, type JsonObject } from '../shared/guards.ts'
import { assistantEvents, userEvents } from './records.ts'

/** [I189] Sub-agents whose work only progress records hold. */
export interface Progressed {
  /** Takes a message of a sub-agent; false if the record makes no event. */
  readonly take: (record: JsonObject, origin: Origin, main: SessionDraft) => boolean
  /** The sub-agents that have no session of their own among these. */
  readonly missingIn: (sessions: Iterable<SessionDraft>) => readonly SessionDraft[]
}

interface Agent {
  readonly session: SessionDraft
  readonly calls: Map<string, string>
  /** Messages by uuid: a progress record may repeat one. */
  readonly seen: Set<string>
}

export function createProgressed(skip: (type: string) => void): Progressed {
  const agents = new Map<string, Agent>()

  function agentOf(id: string, record: JsonObject, main: SessionDraft): Agent {
    return keptIn(agents, id, () => {
      const session = sessionDraft(`${main.id}/${id}`, id, main.id)
      session.cwd = main.cwd
      session.startedBy = textAt(record, 'parentToolUseID') ?? undefined
      return { session, calls: new Map(), seen: new Set() }
    })
  }

  return {
    take(record, { source }, main) {
      const data = own(record, 'data')
      const id = textAt(data, 'agentId')
      const message = own(data, 'message')
      if (id === null || own(data, 'type') !== 'agent_progress' || !isObject(message)) return false
      const { session, calls, seen } = agentOf(id, record, main)
      const uuid = textAt(message, 'uuid')
      if (uuid !== null && seen.has(uuid)) return false
      if (uuid !== null) seen.add(uuid)
      const at = epoch(own(message, 'timestamp') ?? own(record, 'timestamp'))
      session.startedAt ??= at
      const origin: Origin = { at, model: textAt(own(message, 'message'), 'model'), source }
      const events =
        own(message, 'type') === 'assistant'
          ? assistantEvents(message, origin, { calls, log: { skip } })
          : userEvents(message, origin, { calls, sidechain: true, skip })
      for (const event of events ?? []) session.events.push(event)
      return (events ?? []).length > 0
    },
    missingIn(sessions) {
      if (agents.size === 0) return []
      const there = new Set([...sessions].map(({ thread }) => thread))
      return [...agents].filter(([id]) => !there.has(id)).map(([, { session }]) => session)
    },
  }
}
