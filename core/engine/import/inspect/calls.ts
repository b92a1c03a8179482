import type { SourceRef } from '../../schema/event.ts'
import { NO_CONTENT, callContent } from '../shared/call-messages.ts'
import { draft, type SessionDraft } from '../shared/drafts.ts'
import { asText, epoch, isObject, own, textAt } from '../shared/guards.ts'
import { createLog } from '../shared/import-log.ts'
import { createSpanReader } from '../spans/reader.ts'
import { EMPTY_SPAN, type SpanRecord } from '../spans/record.ts'
import { toolContent } from '../spans/tool.ts'
import type { Attachments } from './attachments.ts'
import { answerOf, type Actor, type Call } from './events.ts'
import { usageOf } from '../shared/usage.ts'

interface Making {
  readonly attachments: Attachments
  readonly skip: (type: string) => void
  readonly source: SourceRef
}

/** [I30] Fills a session from the calls of an agent. Each call repeats the whole list of messages, as spans do. */
export function sessionOfCalls(session: SessionDraft, actor: Actor, making: Making): SessionDraft {
  const log = createLog()
  const spans = createSpanReader(log)
  for (const call of actor.models) spans.take(modelSpan(call, making), making.source)
  for (const call of actor.tools) spans.take(toolSpan(call, making), making.source)
  spans.tidy()
  for (const [type, count] of Object.entries(log.report().skipped)) {
    for (let n = 0; n < count; n += 1) making.skip(type)
  }
  const isSub = session.parent !== null
  for (const found of spans.drafts()) {
    for (const event of found.events) {
      const kind = isSub && event.kind === 'user' ? 'subagent_prompt' : event.kind
      session.events.push(draft(kind, event, event, event))
    }
  }
  session.startedAt ??= epoch(own(actor.models[0]?.event, 'timestamp'))
  return session
}

function spanOf(call: Call, fields: Partial<SpanRecord>): SpanRecord {
  const { event, at, endAt } = call
  const name = textAt(event, 'event') ?? 'call'
  return { ...EMPTY_SPAN, name, role: 'model', start: at, at, endAt, ...fields }
}

function modelSpan(call: Call, { attachments, skip }: Making): SpanRecord {
  const answer = attachments.resolve(answerOf(call.event))
  const error = own(call.event, 'error')
  return spanOf(call, {
    model: textAt(call.event, 'model'),
    error: asText(error) ?? textAt(error, 'message'),
    input: callContent(call.input, 'user', skip),
    usage: usageOf(own(own(call.event, 'output'), 'usage')),
    output: answer === null ? NO_CONTENT : callContent([answer], 'agent', skip),
  })
}

function toolSpan(call: Call, { attachments }: Making): SpanRecord {
  const { event } = call
  const error = own(event, 'error')
  const why = textAt(error, 'message')
  const result = attachments.resolve(own(event, 'result'))
  const content = toolContent({
    name: textAt(event, 'function') ?? 'tool',
    callId: textAt(event, 'id'),
    args: attachments.resolve(own(event, 'arguments')),
    result:
      isObject(error) && (result === '' || result === null) ? (why ?? 'the tool failed') : result,
  })
  const output = isObject(error)
    ? {
        ...content.output,
        events: content.output.events.map((each) => ({ ...each, isError: true })),
      }
    : content.output
  return spanOf(call, { ...content, output, role: 'tool' })
}
