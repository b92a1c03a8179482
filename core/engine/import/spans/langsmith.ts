import { NO_CONTENT, callContent } from '../shared/call-messages.ts'
import { textContent, type EventContent } from '../shared/call-parts.ts'
import {
  compact,
  entryOf,
  epoch,
  isList,
  isObject,
  listAt,
  own,
  pick,
  textAt,
} from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord } from '../source.ts'
import { answerIdOf } from './library.ts'
import { readSpans, type SpanReader } from './reader.ts'
import type { SpanRecord } from './record.ts'
import { toolContent } from './tool.ts'
import { usageOf } from '../shared/usage.ts'
import type { Recorded } from '../shared/model-calls.ts'

type Role = SpanRecord['role']

/** [I36] Types of runs. Those not here (chain, retriever, prompt, parser, embedding) surround the others. */
const ROLES: Readonly<Record<string, Role>> = { llm: 'model', tool: 'tool', agent: 'agent' }

function isRun(value: unknown): boolean {
  const hasPlace = own(value, 'dotted_order') !== undefined || own(value, 'trace_id') !== undefined
  const hasType = textAt(value, 'run_type') !== null
  const isPatch = own(value, 'outputs') !== undefined && own(value, 'end_time') !== undefined
  return hasPlace && (hasType || isPatch) && own(value, 'resourceSpans') === undefined
}

/** Runs of a batch: `{post: [run], patch: [run]}`. */
function batchOf(value: unknown): readonly unknown[] | null {
  const post = own(value, 'post')
  const patch = own(value, 'patch')
  if (!isList(post) && !isList(patch)) return null
  return [...(isList(post) ? post : []), ...(isList(patch) ? patch : [])]
}

function holds(value: unknown): boolean {
  if (isRun(value)) return true
  const list = batchOf(value) ?? own(value, 'runs') ?? value
  return (
    isList(list) && (isRun(list[0]) || (isList(value) && batchOf(list[0])?.some(isRun) === true))
  )
}

function takeRecord(record: RawRecord, spans: SpanReader, log: ImportLog): void {
  const { value, ref } = record
  const runs = batchOf(value)
  if (record.header === true) log.skip('facts about the file')
  else if (runs !== null) for (const run of runs) takeRun({ ...record, value: run }, log, spans)
  else if (isObject(value)) takeRun(record, log, spans)
  else log.problem('unknown_shape', { ...ref, text: '' }, 'not a run')
}

/** Runs may be nested; not deeper than this, so that a hostile file cannot fill the stack. */
const MAX_DEPTH = 200

function takeRun(record: RawRecord, log: ImportLog, spans: SpanReader, depth = 0): void {
  const { value, ref } = record
  const place = placeOf(value)
  if (!isObject(value) || place.id === null) {
    log.problem(
      'unknown_shape',
      { ...ref, text: '' },
      'not a run: it has neither an id nor an order',
    )
    return
  }
  spans.take(spanOf(value, place, log), ref)
  const inner = own(value, 'child_runs')
  if (!isList(inner) || inner.length === 0) return
  if (depth >= MAX_DEPTH) {
    log.problem('unknown_shape', { ...ref, text: '' }, `runs nested more than ${MAX_DEPTH} deep`)
    return
  }
  const { id, trace } = place
  for (const run of inner) {
    const child = isObject(run) ? { parent_run_id: id, trace_id: trace, ...run } : run
    takeRun({ ...record, value: child }, log, spans, depth + 1)
  }
}

/** Position of a run in its trace; `start` in microseconds. */
type Place = Pick<SpanRecord, 'id' | 'parent' | 'trace' | 'start'>

const STEP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{6})Z(.+)$/

/**
 * [I36] `dotted_order` is `<start>Z<id>` of each run from the outermost to this one. It gives id, parent, trace and an
 * order to the microsecond, even if a patch omits the id.
 */
function placeOf(run: unknown): Place {
  const { first, above, last } = stepsOf(textAt(run, 'dotted_order') ?? '')
  const startTime = epoch(own(run, 'start_time'))
  const started = startTime === null ? null : startTime * 1000
  const id = textAt(run, 'id') ?? idOf(last)
  return {
    id,
    parent: textAt(run, 'parent_run_id') ?? idOf(above),
    trace: textAt(run, 'trace_id') ?? idOf(first) ?? id,
    start: last === null ? started : micros(last),
  }
}

type Step = RegExpExecArray | null

/** The first step of an order and its last two; a hostile order may have very many. */
function stepsOf(order: string): {
  readonly first: Step
  readonly above: Step
  readonly last: Step
} {
  const tail = order.slice(-400).split('.')
  return {
    first: STEP.exec(order.slice(0, 200).split('.', 1)[0] ?? ''),
    above: tail.length > 1 ? STEP.exec(tail.at(-2) ?? '') : null,
    last: STEP.exec(tail.at(-1) ?? ''),
  }
}

function idOf(step: Step): string | null {
  return step?.[8] ?? null
}

function micros(step: RegExpExecArray): number {
  const [year, month, day, hour, minute, second, micro] = step.slice(1, 8).map(Number)
  const ms = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
  return ms * 1000 + (micro ?? 0)
}

function spanOf(run: unknown, place: Place, log: ImportLog): SpanRecord {
  const metadata = own(own(run, 'extra'), 'metadata')
  const type = textAt(run, 'run_type') ?? ''
  const role = entryOf(ROLES, type) ?? 'other'
  const at = epoch(own(run, 'start_time'))
  const isRoot = place.parent === null
  return {
    ...place,
    group: threadOf(run, metadata),
    name: textAt(run, 'name') ?? '',
    role,
    agent: textAt(metadata, 'lc_agent_name', 'agent_name'),
    at: at ?? (place.start === null ? null : Math.floor(place.start / 1000)),
    endAt: epoch(own(run, 'end_time')),
    model: modelOf(run, metadata),
    library: libraryIn(run),
    answerId: answerIdOf(own(run, 'outputs')),
    error: textAt(run, 'error'),
    ...contentIn(run, role, isRoot, log),
    notes: feedbackOf(run),
    facts: factsOf(run),
    usage: runUsage(run),
  }
}

/** [X19] Places of the counts of a run, the most exact first; the API writes them as its own members. */
function runUsage(run: unknown): Recorded | null {
  const outputs = own(run, 'outputs')
  const [batch] = listAt(outputs, 'generations')
  const [generation] = isList(batch) ? batch : [batch]
  const message = own(own(generation, 'message'), 'kwargs') ?? own(generation, 'message')
  const output = own(outputs, 'output')
  const places = [
    own(outputs, 'usage_metadata'),
    own(message, 'usage_metadata'),
    own(own(output, 'kwargs') ?? output, 'usage_metadata'),
    own(own(own(run, 'extra'), 'metadata'), 'usage_metadata'),
    own(outputs, 'usage'),
    own(own(outputs, 'llm_output'), 'token_usage'),
    run,
  ]
  return places.map(usageOf).find((found) => found !== null) ?? null
}

/** [I113] The library that made the run: LangChain's tracer, or a client that LangSmith's SDK wraps. */
function libraryIn(run: unknown): string | null {
  const library = textAt(own(own(run, 'extra'), 'runtime'), 'library')
  return library === 'langsmith' ? 'a client that LangSmith wraps' : library
}

/** [I36] The thread that the metadata name. */
function threadOf(run: unknown, metadata: unknown): string | null {
  for (const key of ['session_id', 'thread_id', 'conversation_id']) {
    const id = textAt(metadata, key)
    if (id !== null) return id
  }
  return textAt(run, 'thread_id')
}

function modelOf(run: unknown, metadata: unknown): string | null {
  const outputs = own(run, 'outputs')
  const told = textAt(outputs, 'model') ?? textAt(own(outputs, 'llm_output'), 'model_name')
  return told ?? textAt(metadata, 'ls_model_name') ?? textAt(own(run, 'inputs'), 'model')
}

function contentIn(
  run: unknown,
  role: Role,
  isRoot: boolean,
  log: ImportLog,
): Pick<SpanRecord, 'input' | 'output'> {
  const skip = (type: string): void => log.skip(type)
  if (['inputs_s3_urls', 'outputs_s3_urls'].some((key) => isFilled(own(run, key))))
    skip('payload that is not in the file')
  if (role === 'tool') return toolIn(run)
  // Runs around model calls repeat their messages. The outermost run is used if the calls have none.
  const isPatch = textAt(run, 'run_type') === null
  if (role === 'other' && !isRoot && !isPatch) return { input: NO_CONTENT, output: NO_CONTENT }
  const inputs = own(run, 'inputs')
  const outputs = own(run, 'outputs')
  return {
    input: isFilled(inputs) ? callContent(only(inputs), 'user', skip) : NO_CONTENT,
    output: isFilled(outputs) ? callContent(only(outputs), 'agent', skip) : NO_CONTENT,
  }
}

function toolIn(run: unknown): Pick<SpanRecord, 'input' | 'output'> {
  const inputs = own(run, 'inputs')
  const outputs = own(run, 'outputs')
  const input = own(inputs, 'input')
  const output = own(outputs, 'output')
  return toolContent({
    name: textAt(run, 'name') ?? 'tool',
    callId: textAt(inputs, 'tool_call_id') ?? textAt(output, 'tool_call_id'),
    args: input ?? inputs,
    result: isFilled(outputs) ? (output ?? outputs) : undefined,
  })
}

function isFilled(value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length > 0
  return isList(value) ? value.length > 0 : value !== undefined && value !== null
}

/** `{output: "text"}` is that text; other objects are kept whole. */
function only(value: unknown): unknown {
  const keys = isObject(value) ? Object.keys(value) : []
  const inner = keys.length === 1 && keys[0] !== 'messages' ? own(value, keys[0] ?? '') : null
  return typeof inner === 'string' ? inner : value
}

function feedbackOf(run: unknown): readonly EventContent[] {
  const stats = own(run, 'feedback_stats')
  if (!isObject(stats)) return []
  return Object.keys(stats)
    .slice(0, 100)
    .map((name) => textContent('meta', compact(stats[name]), name))
}

const FACTS = ['run_type', 'status', 'total_tokens', 'tags', 'session_name']

function factsOf(run: unknown): Readonly<Record<string, unknown>> {
  return pick(run, FACTS)
}

/** Runs of LangSmith: batches of its SDKs (`post`, `patch`), exports of its API, nested or not. */
export const langsmith: Importer = {
  name: 'langsmith',
  label: 'LangSmith runs',
  detect: (head) => head.values.some(holds),
  split: ({ head }) => ({
    by: 'records',
    lists: head.values.some((value) => batchOf(value) !== null) ? [] : ['runs'],
  }),
  read: readSpans(takeRecord),
}
