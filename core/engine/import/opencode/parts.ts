import { kilobytes } from '../shared/content-blocks.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { asText, compact, entryOf, epoch, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { typedAs, userTextEvents } from '../shared/user-text.ts'

/** Speaker of a part, and the kind of its words. */
export interface Speaker {
  /** Null if the message of a part is missing. */
  readonly role: 'user' | 'assistant' | null
  readonly spoken: 'user' | 'subagent_prompt'
  /** The message is the summary that a compaction made. */
  readonly summary: boolean
}

type Events = readonly EventDraft[]
type Take = (part: unknown, origin: Origin, speaker: Speaker) => Events

/** [I125] Parts that are events, by type; the others are counted. */
const TAKES: Readonly<Record<string, Take>> = {
  text: textEvents,
  reasoning: (part, origin) => {
    const text = textAt(part, 'text')
    return text === null ? [] : [draft('reasoning', text, origin)]
  },
  tool: toolEvents,
  file: (part, origin, { role }) => [
    draft(role === 'assistant' ? 'agent' : 'injected', fileStub(part), origin, {
      name: 'attachment',
    }),
  ],
  subtask: (part, origin) => {
    const text = textAt(part, 'prompt', 'description')
    return text === null ? [] : [draft('command', text, origin, { name: textAt(part, 'agent') })]
  },
  retry: (part, origin) => errorEvents(own(part, 'error'), origin),
  compaction: (_part, origin) => [draft('meta', 'compaction', origin, { name: 'compaction' })],
}

/** Events of a part. */
export function partEvents(part: unknown, origin: Origin, speaker: Speaker): Events {
  const time = own(part, 'time')
  const start = epoch(own(time, 'start') ?? own(time, 'created'))
  const from = start === null ? origin : { ...origin, at: start }
  return entryOf(TAKES, textAt(part, 'type') ?? '')?.(part, from, speaker) ?? []
}

/** [I125] A synthetic text is the client's; one that is ignored is shown and not sent. */
function textEvents(part: unknown, origin: Origin, { role, spoken, summary }: Speaker): Events {
  const text = textAt(part, 'text')
  if (text === null) return []
  if (own(part, 'ignored') === true) return [draft('meta', text, origin, { name: 'ignored' })]
  if (own(part, 'synthetic') === true)
    return [draft('injected', text, origin, { name: 'synthetic' })]
  if (role === 'user') return userTextEvents(text, origin, typedAs(spoken))
  if (role === null) return [draft('meta', text, origin, { name: 'text' })]
  return [
    summary ? draft('summary', text, origin, { name: 'compaction' }) : draft('agent', text, origin),
  ]
}

function toolEvents(part: unknown, origin: Origin): Events {
  const state = own(part, 'state')
  // [I187] OpenCode puts this tool in place of a call that names no tool or has bad arguments.
  const isInvalid = own(part, 'tool') === 'invalid'
  const name = toolName(part, isInvalid)
  const callId = textAt(part, 'callID')
  const time = own(state, 'time')
  const begun = { ...origin, at: epoch(own(time, 'start')) ?? origin.at }
  const input = own(state, 'input')
  const raw = textAt(state, 'raw')
  const isEmpty = isObject(input) && Object.keys(input).length === 0
  const args = raw !== null && (input === undefined || isEmpty) ? raw : compact(input)
  const call = draft('tool_call', args, begun, { name, callId })
  const error = asText(own(state, 'error'))
  const output = own(state, 'output')
  if (error === null && (output === undefined || output === null)) return [call]
  const ended = { ...origin, at: epoch(own(time, 'end')) ?? begun.at }
  const stubs = listAt(state, 'attachments').map(fileStub)
  const text = [error ?? compact(output), ...stubs].join('\n')
  const isError = isInvalid || error !== null || hasFailed(own(own(state, 'metadata'), 'exit'))
  return [call, draft('tool_result', text, ended, { name, callId, isError })]
}

function toolName(part: unknown, isInvalid: boolean): string | null {
  const asked = isInvalid ? textAt(own(own(part, 'state'), 'input'), 'tool') : null
  return asked ?? textAt(part, 'tool')
}

function hasFailed(exit: unknown): boolean {
  return typeof exit === 'number' && exit !== 0
}

/** `[file text/plain src/a.ts]`; bytes in the URL are counted, not shown. */
function fileStub(part: unknown): string {
  const url = textAt(part, 'url') ?? ''
  const mime = textAt(part, 'mime')
  const name = textAt(part, 'filename') ?? textAt(own(part, 'source'), 'path')
  const what = mime?.startsWith('image/') === true ? 'image' : 'file'
  const isData = url.startsWith('data:')
  const shown = name ?? (isData ? null : asText(url))
  const words = [what, mime?.slice(0, 60), shown?.slice(0, 300)]
  const size = isData ? kilobytes(url.slice(url.indexOf(',') + 1)) : ''
  return `[${words.filter((word) => typeof word === 'string').join(' ')}${size}]`
}

/** The error of a message or of a try. */
export function errorEvents(error: unknown, origin: Origin): Events {
  if (!isObject(error)) return []
  const name = textAt(error, 'name')
  const text = textAt(own(error, 'data'), 'message') ?? textAt(error, 'message') ?? name ?? 'error'
  if (name === 'MessageAbortedError') return [draft('interruption', text, origin)]
  return [draft('system', text, origin, { name: 'error', isError: true })]
}
