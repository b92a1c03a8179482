import { draft, type EventDraft, type Origin } from './drafts.ts'
import { spokenEvent } from './gemini-messages.ts'
import type { Slots } from './gemini-slots.ts'
import { compact, own, text } from './guards.ts'

/** Types of `gemini -o stream-json`. `message` needs a role, so that other formats are not taken. */
const TYPES = new Set(['init', 'message', 'tool_use', 'tool_result', 'error', 'result'])

export function isStreamRecord(value: unknown): boolean {
  const type = own(value, 'type')
  if (typeof type !== 'string' || !TYPES.has(type)) return false
  if (type === 'init')
    return text(own(value, 'session_id')) !== null && own(value, 'model') !== undefined
  if (type === 'message')
    return text(own(value, 'role')) !== null && typeof own(value, 'content') === 'string'
  if (type === 'tool_use') return text(own(value, 'tool_name')) !== null
  if (type === 'tool_result') return text(own(value, 'tool_id')) !== null
  if (type === 'result')
    return text(own(value, 'status')) !== null && own(value, 'stats') !== undefined
  return text(own(value, 'severity')) !== null
}

/** A message that arrives in pieces. */
interface Growing {
  readonly origin: Origin
  readonly parts: string[]
  /** Puts a longer one in its place, once it was written. */
  replace: ((event: EventDraft) => void) | null
}

export interface GeminiStream {
  take(value: unknown, origin: Origin): void
  /** Writes the message in progress. */
  flush(): void
  /** No more pieces of it come. */
  end(): void
}

/** [I15] Reads a stream: pieces of one message are one event. */
export function createGeminiStream(slots: () => Slots, skip: (type: string) => void): GeminiStream {
  let growing: Growing | null = null
  const calls = new Map<string, string>()

  const put = (event: EventDraft): void => {
    slots().put(null, [event])
  }
  const flush = (): void => {
    if (growing === null) return
    const event = draft('agent', growing.parts.join(''), growing.origin)
    if (growing.replace === null) growing.replace = slots().grow(event)
    else growing.replace(event)
  }
  const end = (): void => {
    flush()
    growing = null
  }
  const say = (value: unknown, origin: Origin): void => {
    const said = text(own(value, 'content')) ?? ''
    const agent = own(value, 'role') !== 'user'
    if (agent && own(value, 'delta') === true) {
      growing ??= { origin, parts: [], replace: null }
      growing.parts.push(said)
      return
    }
    end()
    if (said === '') skip('message without content')
    else put(agent ? draft('agent', said, origin) : spokenEvent(said, origin))
  }

  return {
    take(value, origin) {
      const type = text(own(value, 'type')) ?? 'untyped'
      if (type === 'message') {
        say(value, origin)
        return
      }
      end()
      if (type === 'tool_use') put(callEvent(value, origin, calls))
      else if (type === 'tool_result') put(resultEvent(value, origin, calls))
      else if (type === 'error') {
        const said = text(own(value, 'message')) ?? ''
        put(draft('system', said, origin, { name: 'error', isError: true }))
      } else {
        skip(type)
      }
    },
    flush,
    end,
  }
}

type Calls = Map<string, string>

function callEvent(value: unknown, origin: Origin, calls: Calls): EventDraft {
  const [name, callId] = [text(own(value, 'tool_name')), text(own(value, 'tool_id'))]
  if (name !== null && callId !== null) calls.set(callId, name)
  return draft('tool_call', compact(own(value, 'parameters')), origin, { name, callId })
}

function resultEvent(value: unknown, origin: Origin, calls: Calls): EventDraft {
  const callId = text(own(value, 'tool_id'))
  const error = text(own(own(value, 'error'), 'message'))
  const said = compact(own(value, 'output'))
  const isError = error !== null || own(value, 'status') === 'error'
  const name = calls.get(callId ?? '') ?? null
  const shown = said === '' ? (error ?? '') : said
  return draft('tool_result', shown, origin, { callId, name, isError })
}
