import { NO_CONTENT, callContent } from '../shared/call-messages.ts'
import { compact, entryOf, epoch, isList, isObject, own, pick, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord } from '../source.ts'
import { readSpans, type SpanReader } from './reader.ts'
import { EMPTY_SPAN, type SpanRecord } from './record.ts'
import { toolContent } from './tool.ts'

/** [I185] Types of spans; all others surround these. */
const ROLES: Readonly<Record<string, SpanRecord['role']>> = {
  generation: 'model',
  response: 'model',
  function: 'tool',
  agent: 'agent',
}

function isSpan(value: unknown): boolean {
  return own(value, 'object') === 'trace.span' && isObject(own(value, 'span_data'))
}

function isRecord(value: unknown): boolean {
  return isSpan(value) || (own(value, 'object') === 'trace' && textAt(value, 'id') !== null)
}

function holds(value: unknown): boolean {
  const list = isList(value) ? value : own(value, 'data')
  return isRecord(value) || (isList(list) && isRecord(list[0]))
}

function takeRecord({ value, ref }: RawRecord, spans: SpanReader, log: ImportLog): void {
  const list = isSpan(value) ? undefined : own(value, 'data')
  // A page of an export. It holds no other page.
  if (isList(list)) for (const one of list) takeOne({ value: one, ref }, spans, log)
  else takeOne({ value, ref }, spans, log)
}

function takeOne({ value, ref }: RawRecord, spans: SpanReader, log: ImportLog): void {
  if (isSpan(value)) spans.take(spanOf(value, log), ref)
  else if (isRecord(value)) log.skip('trace')
  else log.problem('unknown_shape', { ...ref, text: '' }, 'neither a trace nor a span')
}

function spanOf(value: unknown, log: ImportLog): SpanRecord {
  const data = own(value, 'span_data')
  const role = entryOf(ROLES, textAt(data, 'type') ?? '') ?? 'other'
  const at = epoch(own(value, 'started_at'))
  const name = textAt(data, 'name') ?? textAt(data, 'type') ?? ''
  const error = own(value, 'error')
  return {
    ...EMPTY_SPAN,
    id: textAt(value, 'id'),
    parent: textAt(value, 'parent_id'),
    trace: textAt(value, 'trace_id'),
    name,
    role,
    at,
    start: at,
    agent: role === 'agent' ? name : null,
    endAt: epoch(own(value, 'ended_at')),
    model: textAt(data, 'model') ?? textAt(own(data, 'response'), 'model'),
    library: 'openai-agents',
    error: isObject(error) ? (textAt(error, 'message') ?? compact(error)) : textAt(value, 'error'),
    ...contentOf(data, role, name, log),
    facts: pick(data, ['type', 'handoffs', 'from_agent', 'to_agent', 'triggered']),
  }
}

function contentOf(
  data: unknown,
  role: SpanRecord['role'],
  name: string,
  log: ImportLog,
): Pick<SpanRecord, 'input' | 'output'> {
  const input = own(data, 'input')
  const output = own(data, 'output') ?? own(own(data, 'response'), 'output')
  if (role === 'tool')
    return toolContent({ name, callId: null, args: input, result: output ?? undefined })
  if (role !== 'model') return { input: NO_CONTENT, output: NO_CONTENT }
  const isGiven = (given: unknown): boolean => given !== undefined && given !== null
  return {
    input: isGiven(input) ? callContent(input, 'user', log.skip) : NO_CONTENT,
    output: isGiven(output) ? callContent(output, 'agent', log.skip) : NO_CONTENT,
  }
}

/** Traces of OpenAI's Agents SDK, as its processors export them. */
export const agentsSdk: Importer = {
  name: 'agents-sdk',
  label: 'Traces of the OpenAI Agents SDK',
  detect: (head) => head.values.some(holds),
  split: () => ({ by: 'records', lists: ['data'] }),
  read: readSpans(takeRecord),
}
