import { isChatRole, speakerOf } from '../shared/chat-message.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { compact, epoch, isList, listAt, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { SessionWriter } from '../shared/session-writer.ts'
import { callEvent } from '../shared/tool-calls.ts'

/** Receiver of events: a session, or a buffer waiting for its position in one. */
export type Taker = Pick<SessionWriter, 'push' | 'calls'>

/** A placeholder for audio in base64. */
function audioStub(base64: string): string {
  return `[audio ${Math.ceil((base64.length * 3) / 4 / 1000)} kB]`
}

/** The text of a message or chunk: its own text, the script of its audio, or a placeholder for the bytes. */
export function wordsOf(message: unknown): string | null {
  const content = textAt(message, 'content')
  const script = textAt(message, 'audio_script_gold')
  if (own(message, 'is_audio') !== true) return content ?? script
  return script ?? (content === null ? null : audioStub(content))
}

/** Events of a message; one with several tool messages in it has a result each. */
export function takeTau2Message(
  message: unknown,
  from: Origin,
  writer: SessionWriter,
  log: ImportLog,
): void {
  const several = own(message, 'tool_messages')
  if (isList(several)) {
    for (const one of several) takeTau2Result(one, from, writer)
    return
  }
  const role = textAt(message, 'role') ?? 'untyped'
  const raw = own(message, 'raw_data')
  const at = epoch(own(message, 'timestamp'))
  const model = role === 'assistant' ? textAt(raw, 'model') : null
  const origin: Origin = { at: at ?? from.at, model, source: from.source }
  if (role === 'tool') {
    takeTau2Result(message, origin, writer)
    return
  }
  const words = wordsOf(message)
  const { kind, name } = isChatRole(role)
    ? speakerOf(message, role)
    : { kind: 'meta' as const, name: role }
  if (words !== null) writer.push(draft(kind, words, origin, { name }))
  takeTau2Calls(listAt(message, 'tool_calls'), role, origin, writer)
  if (
    own(message, 'context_truncation') !== undefined &&
    own(message, 'context_truncation') !== null
  )
    log.skip('context_truncation')
}

/** [I24] The user has tools too; their names begin with `user/`. */
export function takeTau2Calls(
  calls: readonly unknown[],
  role: string,
  origin: Origin,
  writer: Taker,
): void {
  for (const call of calls) {
    const requestor = textAt(call, 'requestor') ?? role
    const tool = textAt(call, 'name') ?? textAt(own(call, 'function'), 'name') ?? '?'
    const name = requestor === 'user' ? `user/${tool}` : tool
    const args = own(call, 'arguments') ?? own(own(call, 'function'), 'arguments')
    const made = { text: compact(args), name, id: textAt(call, 'id') }
    writer.push(callEvent(made, origin, writer.calls))
  }
}

export function takeTau2Result(message: unknown, origin: Origin, writer: Taker): void {
  const callId = textAt(message, 'id', 'tool_call_id')
  const name = writer.calls.get(callId ?? '') ?? textAt(message, 'name')
  const isError = own(message, 'error') === true
  const at = epoch(own(message, 'timestamp')) ?? origin.at
  const text = compact(own(message, 'content'))
  writer.push(draft('tool_result', text, { ...origin, at, model: null }, { name, callId, isError }))
}
