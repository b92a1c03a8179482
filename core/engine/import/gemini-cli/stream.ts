import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { compact, own, textAt } from '../shared/guards.ts'
import { callEvent, resultEvent, type ToolNames } from '../shared/tool-calls.ts'
import { spokenEvent } from './messages.ts'
import type { Slots } from './slots.ts'

/** Types of `gemini -o stream-json`. `message` needs a role, so that other formats are not taken. */
const TYPES = new Set(['init', 'message', 'tool_use', 'tool_result', 'error', 'result'])

export function isStreamRecord(value: unknown): boolean {
  const type = own(value, 'type')
  if (typeof type !== 'string' || !TYPES.has(type)) return false
  if (type === 'init')
    return textAt(value, 'session_id') !== null && own(value, 'model') !== undefined
  if (type === 'message')
    return textAt(value, 'role') !== null && typeof own(value, 'content') === 'string'
  if (type === 'tool_use') return textAt(value, 'tool_name') !== null
  if (type === 'tool_result') return textAt(value, 'tool_id') !== null
  if (type === 'result')
    return textAt(value, 'status') !== null && own(value, 'stats') !== undefined
  return textAt(value, 'severity') !== null
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
  /** Signals that no more pieces follow. */
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
    const text = textAt(value, 'content') ?? ''
    const agent = own(value, 'role') !== 'user'
    if (agent && own(value, 'delta') === true) {
      growing ??= { origin, parts: [], replace: null }
      growing.parts.push(text)
      return
    }
    end()
    if (text === '') skip('message without content')
    else put(agent ? draft('agent', text, origin) : spokenEvent(text, origin))
  }

  return {
    take(value, origin) {
      const type = textAt(value, 'type') ?? 'untyped'
      if (type === 'message') {
        say(value, origin)
        return
      }
      end()
      if (type === 'tool_use') put(callOf(value, origin, calls))
      else if (type === 'tool_result') put(resultOf(value, origin, calls))
      else if (type === 'error') {
        const body = textAt(value, 'message') ?? ''
        put(draft('system', body, origin, { name: 'error', isError: true }))
      } else {
        skip(type)
      }
    },
    flush,
    end,
  }
}

function callOf(value: unknown, origin: Origin, calls: ToolNames): EventDraft {
  const name = textAt(value, 'tool_name')
  const id = textAt(value, 'tool_id')
  return callEvent({ text: compact(own(value, 'parameters')), name, id }, origin, calls)
}

function resultOf(value: unknown, origin: Origin, calls: ToolNames): EventDraft {
  const error = textAt(own(value, 'error'), 'message')
  const text = compact(own(value, 'output'))
  const isError = error !== null || own(value, 'status') === 'error'
  const shown = text === '' ? (error ?? '') : text
  return resultEvent({ text: shown, id: textAt(value, 'tool_id'), isError }, origin, calls)
}
