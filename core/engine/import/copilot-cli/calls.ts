import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { compact, own, textAt } from '../shared/guards.ts'
import { callEvent, resultEvent, type ToolNames } from '../shared/tool-calls.ts'

/** Where a call is written: in the message that asks for it, or when it begins. */
type Side = 'asked' | 'begun'

/** [I122] The calls of a session. Each is written twice, in either order; the first of both is the event. */
export interface Calls {
  /** The event of a call; null for the second copy. */
  readonly call: (side: Side, call: unknown, origin: Origin) => EventDraft | null
  /** A call that the person made. */
  readonly command: (call: unknown, origin: Origin) => EventDraft
  readonly result: (data: unknown, origin: Origin) => EventDraft
}

export function createCalls(): Calls {
  const names: ToolNames = new Map()
  const typed = new Set<string>()
  const waiting: Record<Side, Map<string, number>> = { asked: new Map(), begun: new Map() }

  const isCopy = (side: Side, id: string): boolean => {
    const others = waiting[side === 'asked' ? 'begun' : 'asked']
    const left = others.get(id) ?? 0
    if (left > 0) others.set(id, left - 1)
    else waiting[side].set(id, (waiting[side].get(id) ?? 0) + 1)
    return left > 0
  }
  return {
    call(side, call, origin) {
      const id = textAt(call, 'toolCallId')
      if (id !== null && isCopy(side, id)) return null
      const name = textAt(call, 'name', 'toolName')
      return callEvent({ text: compact(own(call, 'arguments')), name, id }, origin, names)
    },
    command(call, origin) {
      const [id, name] = [textAt(call, 'toolCallId'), textAt(call, 'toolName')]
      if (id !== null) {
        typed.add(id)
        isCopy('asked', id)
        if (name !== null) names.set(id, name)
      }
      return draft('command', compact(own(call, 'arguments')), origin, { name, callId: id })
    },
    result(data, origin) {
      const id = textAt(data, 'toolCallId')
      const result = own(data, 'result')
      const words =
        textAt(result, 'content', 'detailedContent') ?? textAt(own(data, 'error'), 'message')
      const text = words ?? (typeof result === 'string' ? result : '')
      const isError = own(data, 'success') === false
      const byPerson = own(data, 'isUserRequested') === true || (id !== null && typed.has(id))
      if (!byPerson) return resultEvent({ text, id, isError }, origin, names)
      const name = names.get(id ?? '') ?? textAt(data, 'toolName')
      return draft('command', text, origin, { name, callId: id, isError })
    },
  }
}
