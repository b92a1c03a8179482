import { isChatRole, speakerOf } from './chat-message.ts'
import { draft, type Origin } from './drafts.ts'
import { compact, epoch, isList, own, text } from './guards.ts'
import type { Ledger } from './ledger.ts'
import type { Talk } from './talks.ts'

/** Kilobytes that base64 stands for. */
function audioStub(base64: string): string {
  return `[audio ${Math.ceil((base64.length * 3) / 4 / 1000)} kB]`
}

/** What a message or chunk says: its text, the script of its audio, or a stub of the bytes. */
export function wordsOf(message: unknown): string | null {
  const content = text(own(message, 'content'))
  const script = text(own(message, 'audio_script_gold'))
  if (own(message, 'is_audio') !== true) return content ?? script
  return script ?? (content === null ? null : audioStub(content))
}

/** Events of a message; one with several tool messages in it has a result each. */
export function takeTau2Message(message: unknown, from: Origin, talk: Talk, ledger: Ledger): void {
  const several = own(message, 'tool_messages')
  if (isList(several)) {
    for (const one of several) takeTau2Result(one, from, talk)
    return
  }
  const role = text(own(message, 'role')) ?? 'untyped'
  const raw = own(message, 'raw_data')
  const at = epoch(own(message, 'timestamp'))
  const model = role === 'assistant' ? text(own(raw, 'model')) : null
  const origin: Origin = { at: at ?? from.at, model, source: from.source }
  if (role === 'tool') {
    takeTau2Result(message, origin, talk)
    return
  }
  const words = wordsOf(message)
  const { kind, name } = isChatRole(role)
    ? speakerOf(message, role)
    : { kind: 'meta' as const, name: role }
  if (words !== null) talk.push(draft(kind, words, origin, { name }))
  takeTau2Calls(own(message, 'tool_calls'), role, origin, talk)
  if (
    own(message, 'context_truncation') !== undefined &&
    own(message, 'context_truncation') !== null
  )
    ledger.skip('context_truncation')
}

/** [I24] The person has tools too: their names begin with `user/`. */
export function takeTau2Calls(calls: unknown, role: string, origin: Origin, talk: Talk): void {
  if (!isList(calls)) return
  for (const call of calls) {
    const requestor = text(own(call, 'requestor')) ?? role
    const tool = text(own(call, 'name')) ?? text(own(own(call, 'function'), 'name')) ?? '?'
    const name = requestor === 'user' ? `user/${tool}` : tool
    const callId = text(own(call, 'id'))
    if (callId !== null) talk.calls.set(callId, name)
    const args = own(call, 'arguments') ?? own(own(call, 'function'), 'arguments')
    talk.push(draft('tool_call', compact(args), origin, { name, callId }))
  }
}

export function takeTau2Result(message: unknown, origin: Origin, talk: Talk): void {
  const callId = text(own(message, 'id')) ?? text(own(message, 'tool_call_id'))
  const name = talk.calls.get(callId ?? '') ?? text(own(message, 'name'))
  const isError = own(message, 'error') === true
  const at = epoch(own(message, 'timestamp')) ?? origin.at
  const said = compact(own(message, 'content'))
  talk.push(draft('tool_result', said, { ...origin, at, model: null }, { name, callId, isError }))
}
