import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { compact, entryOf, listAt, own, textAt } from '../shared/guards.ts'
import { textOf } from './parts.ts'

type Events = readonly EventDraft[]
type Take = (payload: unknown, origin: Origin) => Events

/** [I126] Records of the client that are events, by subtype. */
const TAKES: Readonly<Record<string, Take>> = {
  slash_command: commandEvents,
  at_command: (payload, origin) => {
    const files = listAt(payload, 'filesRead').map(
      (file) => `[file ${compact(file).slice(0, 300)}]`,
    )
    const lines = [...files, textAt(payload, 'message') ?? ''].filter((line) => line !== '')
    if (lines.length === 0) return []
    return [draft('injected', lines.join('\n'), origin, { name: 'at-command' })]
  },
  chat_compression: (payload, origin) => {
    const [first] = listAt(payload, 'compressedHistory')
    const text = listAt(first, 'parts').flatMap((part) => textOf(part) ?? [])
    const name = 'compression'
    if (text.length > 0) return [draft('summary', text.join('\n'), origin, { name })]
    return [draft('meta', compact(own(payload, 'info')), origin, { name })]
  },
  ui_telemetry: (payload, origin) => {
    const event = own(payload, 'uiEvent')
    // A tool's own error stands in its result.
    const text = textAt(event, 'function_name') === null ? textAt(event, 'error_message') : null
    return text === null ? [] : [errorOf(text, origin)]
  },
  turn_result: (payload, origin) => {
    const text = textAt(own(payload, 'error'), 'message')
    return text === null ? [] : [errorOf(text, origin)]
  },
  notification: (payload, origin) => {
    const text = textAt(payload, 'displayText')
    return text === null ? [] : [draft('notification', text, origin)]
  },
  agent_bootstrap: (payload, origin) => {
    const given = own(payload, 'systemInstruction')
    const parts = listAt(given, 'parts').flatMap((part) => textOf(part) ?? [])
    const text = typeof given === 'string' ? given : parts.join('\n')
    return text === '' ? [] : [draft('system', text, origin)]
  },
}

/** Bookkeeping of the client. */
const QUIET = new Set([
  ...['custom_title', 'rewind', 'parent_session', 'session_source', 'session_execution_engine'],
  ...['session_model', 'session_approval_mode', 'session_notes', 'attribution_snapshot'],
  ...['file_history_snapshot', 'user_text_elements', 'session_artifact_event'],
  ...['session_artifact_snapshot', 'session_sources_snapshot', 'branch_checkpoint', 'goal_state'],
  ...['goal_runtime', 'goal_turn_end', 'agent_retry', 'agent_session_ready', 'omni_recall'],
])

/** Events of a record of the client; words of one whose subtype is not known are kept under it. */
export function systemEvents(subtype: string, payload: unknown, origin: Origin): Events {
  const take = entryOf(TAKES, subtype)
  if (take !== undefined) return take(payload, origin)
  const text = QUIET.has(subtype)
    ? null
    : textAt(payload, 'displayText', 'content', 'message', 'text')
  return text === null ? [] : [draft('meta', text, origin, { name: subtype })]
}

function errorOf(text: string, origin: Origin): EventDraft {
  return draft('system', text, origin, { name: 'error', isError: true })
}

function commandEvents(payload: unknown, origin: Origin): Events {
  const command = textAt(payload, 'rawCommand') ?? ''
  if (own(payload, 'phase') !== 'result')
    return command === '' ? [] : [draft('command', command, origin, { name: 'slash-command' })]
  const shown = listAt(payload, 'outputHistoryItems').map(
    (item) => textAt(item, 'text') ?? compact(item),
  )
  const text = shown.filter((line) => line !== '').join('\n')
  return text === '' ? [] : [draft('command', text, origin, { name: 'command-output' })]
}
