import type { SessionDraft } from '../shared/drafts.ts'
import { listAt, own, textAt, type JsonObject } from '../shared/guards.ts'

/** A tool call that may have started a sub-agent, with its session. */
interface Caller {
  readonly callId: string
  readonly session: SessionDraft
}

/** Of a prompt only its beginning and its length are kept: memory must not grow with texts. */
const PROMPT_CHARS = 200
/** A thread is known by one of its first prompts; older versions sent a warm-up before. */
const FIRST_PROMPTS = 4

/** [I102] Which tool call started which sub-agent. */
export interface Callers {
  /** Takes the facts of a record for the session that it belongs to. */
  readonly note: (record: JsonObject, session: SessionDraft) => void
  /** Whether a call is known to have started this sub-agent. */
  readonly names: (agent: string) => boolean
  /** Hangs the sub-agents under their calls. May be done again when more was read. */
  readonly settle: (sessions: Iterable<SessionDraft>, branches: readonly SessionDraft[]) => void
}

/**
 * The client records the agent's id next to the call's id, in the call's result and in progress records. Without
 * either, the agent is matched by the prompt that the call gave it.
 */
export function createCallers(): Callers {
  const byAgent = new Map<string, Caller>()
  const byPrompt = new Map<string, Caller[]>()
  const prompts = new Map<SessionDraft, string[]>()

  const takers: Readonly<Record<string, (record: JsonObject, session: SessionDraft) => void>> = {
    assistant(record, session) {
      for (const block of blocksOf(record)) {
        const callId = textAt(block, 'id')
        const prompt = textAt(own(block, 'input'), 'prompt')
        if (own(block, 'type') !== 'tool_use' || callId === null || prompt === null) continue
        const key = keyOf(prompt)
        const there = byPrompt.get(key)
        if (there === undefined) byPrompt.set(key, [{ callId, session }])
        else there.push({ callId, session })
      }
    },
    user(record, session) {
      const agent = textAt(own(record, 'toolUseResult'), 'agentId')
      const callId = agent === null ? null : resultIn(record)
      if (agent !== null && callId !== null && !byAgent.has(agent))
        byAgent.set(agent, { callId, session })
      if (own(record, 'isSidechain') === true) addPrompt(record, session)
    },
    progress(record, session) {
      const agent = textAt(own(record, 'data'), 'agentId')
      const callId = textAt(record, 'parentToolUseID')
      if (agent !== null && callId !== null && !byAgent.has(agent))
        byAgent.set(agent, { callId, session })
    },
  }

  function addPrompt(record: JsonObject, session: SessionDraft): void {
    const known = prompts.get(session) ?? []
    const prompt = known.length < FIRST_PROMPTS ? promptIn(record) : null
    if (prompt === null) return
    known.push(keyOf(prompt))
    prompts.set(session, known)
  }

  return {
    note(record, session) {
      const type = own(record, 'type')
      if (type === 'assistant' || type === 'user' || type === 'progress')
        takers[type]?.(record, session)
    },
    names: (agent) => byAgent.has(agent),
    settle(sessions, branches) {
      const moved = callsIn(branches)
      const nextByPrompt = inOrder(
        byPrompt,
        new Set([...byAgent.values()].map((one) => one.callId)),
      )
      for (const session of sessions) {
        if (session.thread === 'main') continue
        const caller = byAgent.get(session.thread) ?? nextByPrompt(prompts.get(session) ?? [])
        if (caller === null || caller.session === session) continue
        session.parent = (moved.get(caller.callId) ?? caller.session).id
        session.startedBy = caller.callId
      }
    },
  }
}

/** Gives the calls of equal prompts one after the other, each once, without those that are taken. */
function inOrder(
  calls: ReadonlyMap<string, readonly Caller[]>,
  taken: ReadonlySet<string>,
): (keys: readonly string[]) => Caller | null {
  const places = new Map<string, number>()
  return (keys) => {
    for (const key of keys) {
      const all = calls.get(key) ?? []
      let at = places.get(key) ?? 0
      while (taken.has(all[at]?.callId ?? '')) at += 1
      const caller = all[at]
      places.set(key, at + 1)
      if (caller !== undefined) return caller
    }
    return null
  }
}

/** Calls that were moved into branches that were left. */
function callsIn(branches: readonly SessionDraft[]): ReadonlyMap<string, SessionDraft> {
  const moved = new Map<string, SessionDraft>()
  for (const branch of branches) {
    for (const { kind, callId } of branch.events) {
      if (kind === 'tool_call' && callId !== null) moved.set(callId, branch)
    }
  }
  return moved
}

function blocksOf(record: JsonObject): readonly unknown[] {
  return listAt(own(record, 'message'), 'content')
}

function resultIn(record: JsonObject): string | null {
  const result = blocksOf(record).find((block) => own(block, 'type') === 'tool_result')
  return textAt(result, 'tool_use_id')
}

function promptIn(record: JsonObject): string | null {
  const content = own(own(record, 'message'), 'content')
  if (typeof content === 'string') return content
  return textAt(
    blocksOf(record).find((block) => own(block, 'type') === 'text'),
    'text',
  )
}

function keyOf(prompt: string): string {
  const text = prompt.trim()
  return `${text.length} ${text.slice(0, PROMPT_CHARS)}`
}
