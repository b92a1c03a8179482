import { flatText } from '../shared/content-blocks.ts'
import { compact, isList, isObject, own, textAt } from '../shared/guards.ts'
import { readAnyPart } from '../shared/said-parts.ts'
import {
  event,
  result,
  skip,
  takeSpoken,
  timeAt,
  type PartReader,
  type Place,
  type Said,
  type Voice,
} from '../shared/said.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import { splitReminders } from '../shared/user-text.ts'
import type { Importer, RawRecord } from '../source.ts'
import { noteUsage } from '../shared/usage.ts'

/** Its records look like those of Claude Code, whose session ids have no such beginning. */
const OWN_ID = /^session-[0-9a-f]{8}-/u

const SPOKEN: readonly string[] = ['user', 'assistant']

function isRecord(value: unknown): boolean {
  const type = textAt(value, 'type')
  return (
    SPOKEN.includes(type ?? '') &&
    OWN_ID.test(textAt(value, 'sessionId') ?? '') &&
    isObject(own(value, 'message'))
  )
}

interface Thread {
  readonly writer: SessionWriter
  /** Calls that were said: the next record of an answer begins with the last call again. */
  readonly called: Set<string>
}

interface State {
  readonly threads: Map<string, Thread>
}

type Reading = SessionsReading & State

function threadOf(value: unknown, reading: Reading): Thread {
  const id = textAt(value, 'sessionId')
  const aside = own(value, 'isSidechain') === true
  const key = `${id ?? ''}${aside ? ' sidechain' : ''}`
  const known = reading.threads.get(key)
  if (known !== undefined) return known
  const name = aside ? `${id ?? 'session'}/sidechain` : id
  const writer = reading.writers.open(name, aside ? 'sidechain' : 'main', aside ? id : null)
  const thread = { writer, called: new Set<string>() }
  reading.threads.set(key, thread)
  return thread
}

function take(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const type = textAt(value, 'type')
  const message = own(value, 'message')
  if (type === null || (SPOKEN.includes(type) && !isRecord(value))) {
    reading.log.unusable(record, 'not a record of a session: it has no type, message or session')
    return
  }
  if (!isObject(message)) {
    reading.log.skip(type)
    return
  }
  const { writer, called } = threadOf(value, reading)
  writer.session.cwd ??= textAt(value, 'cwd')
  const origin = { at: timeAt(value, 'timestamp'), model: textAt(message, 'model'), source: ref }
  const place: Place = { origin, writer, log: reading.log }
  const before = writer.count()
  const content = own(message, 'content')
  const voice = voiceOf(value, type)
  const outcome = own(value, 'toolUseResult')
  takeSpoken(content, readerOf(called, outcome, reading.log.used), voice, place)
  noteUsage(writer, before, message)
  if (writer.count() === before) reading.log.skip(`${type} without content`)
}

function voiceOf(value: unknown, type: string): Voice {
  if (type === 'assistant') return { kind: 'agent' }
  if (type !== 'user') return { kind: 'meta', name: type }
  if (own(value, 'isMeta') === true)
    return { kind: 'user', fallback: { kind: 'injected', rule: 'isMeta', always: false } }
  const aside = own(value, 'isSidechain') === true
  return {
    kind: 'user',
    fallback: { kind: aside ? 'subagent_prompt' : 'user', rule: null, always: false },
  }
}

/** [I138] A call is said once; the text of a result is inside of the answer of the function. */
function readerOf(called: Set<string>, outcome: unknown, used: () => void): PartReader {
  return (part) => {
    if (textAt(part, 'type') === 'tool_result') return resultOf(part, outcome)
    const found = readAnyPart(part)
    if (typeof found === 'string') return found
    return found.map((said): Said => {
      if (said.as !== 'call' || said.id === null) return said
      if (called.has(said.id)) {
        used()
        return skip('call that the record before has')
      }
      called.add(said.id)
      return said
    })
  }
}

function resultOf(part: unknown, outcome: unknown): readonly Said[] {
  const status = textAt(outcome, 'status')
  const isError = own(part, 'is_error') === true || (status !== null && status !== 'success')
  const { rest, reminders } = splitReminders(textIn(own(part, 'content')))
  const id = textAt(part, 'tool_use_id')
  return [
    result(textAt(outcome, 'toolName'), id, rest, isError),
    ...reminders.map((text) => event('injected', text, 'system-reminder')),
  ]
}

/** `{responseParts: {functionResponse: {response: {output}}}}`, or a list of them beside other parts. */
function textIn(content: unknown): string {
  const given = own(content, 'responseParts')
  if (given === undefined) return flatText(content)
  return (isList(given) ? given : [given]).map(partText).join('\n')
}

function partText(part: unknown): string {
  const response = own(own(part, 'functionResponse'), 'response')
  return textAt(response, 'output', 'error') ?? textAt(part, 'text') ?? compact(response ?? part)
}

/** [I138] iFlow CLI sessions. */
export const iflow: Importer = {
  name: 'iflow',
  label: 'iFlow CLI session (JSONL)',
  detect: (head) => head.objects.some(isRecord),
  split: () => ({ by: 'records' }),
  read: readSessions<State>(() => ({ threads: new Map() }), take),
}
