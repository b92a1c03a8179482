import type { SourceRef } from '../../schema/event.ts'
import { draft, type SessionDraft } from '../shared/drafts.ts'
import { epoch, isObject, own, text, textAt } from '../shared/guards.ts'
import type { Attachments } from './attachments.ts'
import { answerOf, type Actor, type Call } from './events.ts'
import { createLog } from '../shared/import-log.ts'
import { saidOf, type SaidList } from '../shared/call-messages.ts'
import type { SpanRecord } from '../spans/record.ts'
import { toolSaid } from '../spans/tool.ts'
import { createSpanReader } from '../spans/reader.ts'

interface Making {
  readonly attachments: Attachments
  readonly skip: (type: string) => void
  readonly source: SourceRef
}

/** [I30] Fills a session from the calls of an agent: each says its whole list again, as spans do. */
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

const SILENT: SaidList = { said: [], structured: false }

function spanOf(call: Call, fields: Partial<SpanRecord>): SpanRecord {
  return {
    id: null,
    parent: null,
    trace: null,
    group: null,
    name: textAt(call.event, 'event') ?? 'call',
    role: 'model',
    agent: null,
    start: call.at,
    at: call.at,
    endAt: call.endAt,
    model: null,
    error: null,
    input: SILENT,
    output: SILENT,
    notes: [],
    facts: {},
    ...fields,
  }
}

function modelSpan(call: Call, { attachments, skip }: Making): SpanRecord {
  const answer = attachments.resolve(answerOf(call.event))
  const error = own(call.event, 'error')
  return spanOf(call, {
    model: textAt(call.event, 'model'),
    error: text(error) ?? textAt(error, 'message'),
    input: saidOf(call.input, 'user', skip),
    output: answer === null ? SILENT : saidOf([answer], 'agent', skip),
  })
}

function toolSpan(call: Call, { attachments }: Making): SpanRecord {
  const { event } = call
  const error = own(event, 'error')
  const why = textAt(error, 'message')
  const result = attachments.resolve(own(event, 'result'))
  const said = toolSaid({
    name: textAt(event, 'function') ?? 'tool',
    callId: textAt(event, 'id'),
    args: attachments.resolve(own(event, 'arguments')),
    result:
      isObject(error) && (result === '' || result === null) ? (why ?? 'the tool failed') : result,
  })
  const output = isObject(error)
    ? { ...said.output, said: said.output.said.map((each) => ({ ...each, isError: true })) }
    : said.output
  return spanOf(call, { ...said, output, role: 'tool' })
}
