import type { z } from 'zod'
import type { Problem } from '../../result.ts'
import { fieldWords } from '../../schema/issue-words.ts'
import { ContextSource, ModelCall } from '../../schema/context.ts'
import { EventKind } from '../../schema/event-kind.ts'
import {
  EVENT_FIELDS,
  EventLine,
  SCHEMA_VERSION,
  SESSION_FIELDS,
  SessionHeader,
  extrasOf,
} from '../../session-file.ts'
import { draft, sessionDraft, type EventDraft, type SessionDraft } from '../shared/drafts.ts'
import { epoch, isObject, own, type JsonObject } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'

function isHeader(value: unknown): boolean {
  return own(value, 'type') === 'session' && typeof own(value, 'schemaVersion') === 'number'
}

function read(log: ImportLog): Reader {
  const sessions: SessionDraft[] = []
  let newer: Problem | null = null
  return {
    take(record) {
      if (!isHeader(record.value)) {
        takeEvent(record, sessions, log)
        return
      }
      const header = SessionHeader.safeParse(record.value)
      if (!header.success) {
        log.unusable(record, `session header: ${issueOf(header.error)}`)
      } else if (header.data.schemaVersion > SCHEMA_VERSION) {
        newer ??= tooNew(record.ref.line, header.data.schemaVersion)
      } else {
        sessions.push(sessionOf(header.data, sessions.length))
      }
    },
    drafts: () => sessions,
    refusal: () => newer,
  }
}

function tooNew(line: number, version: number): Problem {
  return {
    what: `the file has schemaVersion ${version}, this program reads up to ${SCHEMA_VERSION}`,
    where: `line ${line}`,
    do: 'Open it with a newer Turnscope',
  }
}

function sessionOf(header: SessionHeader, before: number): SessionDraft {
  const id = header.id ?? `session-${before + 1}`
  const session = {
    ...sessionDraft(id, header.thread ?? 'main', header.parent ?? null),
    title: header.title ?? id,
    startedAt: timeOf(header.startedAt),
    // The header is final, even if its start time is null.
    timed: true,
    cwd: header.cwd ?? null,
    stays: header.scratch === true,
    startedBy: header.startedBy,
    forkedFrom: header.forkedFrom,
  }
  const extras = extrasOf(header, SESSION_FIELDS)
  return extras === undefined ? session : { ...session, extras }
}

/** A number is already in epoch milliseconds; only text is parsed. */
function timeOf(value: number | string | null | undefined): number | null {
  return typeof value === 'string' ? epoch(value) : (value ?? null)
}

function takeEvent(record: RawRecord, sessions: SessionDraft[], log: ImportLog): void {
  const { value, ref } = record
  const type = own(value, 'type')
  if (typeof type === 'string' && type !== 'event') {
    log.unknown(type)
    return
  }
  const line = isObject(value) && isEventLine(value) ? value : null
  const checked = line === null ? EventLine.safeParse(value) : null
  if (checked?.success === false) {
    log.unusable(record, `event: ${issueOf(checked.error)}`)
    return
  }
  // Events before any header still belong somewhere: a torn header must not cost its session.
  if (sessions.length === 0) {
    sessions.push(sessionOf({ type: 'session', schemaVersion: SCHEMA_VERSION }, 0))
  }
  const event = line ?? checked?.data
  if (event !== undefined) sessions.at(-1)?.events.push(eventOf(event, ref))
}

const KINDS: ReadonlySet<unknown> = new Set(EventKind.options)
const LABELS = ['name', 'callId', 'model'] as const

/**
 * Accepts the same lines as `EventLine`, except those with times as text. It is far faster than the schema, which is
 * only used to describe errors.
 */
function isEventLine(value: JsonObject): value is JsonObject & EventLine {
  const { at, isError } = { at: value['at'], isError: value['isError'] }
  return (
    KINDS.has(value['kind']) &&
    typeof value['text'] === 'string' &&
    (at === undefined || at === null || Number.isFinite(at)) &&
    (isError === undefined || typeof isError === 'boolean') &&
    LABELS.every(
      (key) => value[key] === undefined || value[key] === null || typeof value[key] === 'string',
    )
  )
}

function eventOf(line: EventLine, source: RawRecord['ref']): EventDraft {
  const { kind, text, name, callId, isError } = line
  const origin = { at: timeOf(line.at), model: line.model ?? null, source }
  const { from, call, known } = factsOf(line)
  const extras = extrasOf(line, known)
  return draft(kind, text, origin, { name, callId, isError, extras, from, call })
}

interface Facts {
  readonly from?: ContextSource | undefined
  readonly call?: ModelCall | undefined
  readonly known: ReadonlySet<string>
}

const NO_FACTS: Facts = { known: EVENT_FIELDS }

/** [I10] Members called `from` and `call` that are no such facts are unknown fields, as they always were. */
function factsOf(line: EventLine): Facts {
  if (line['from'] === undefined && line['call'] === undefined) return NO_FACTS
  const from = ContextSource.strict().safeParse(line['from']).data
  const call = ModelCall.strict().safeParse(line['call']).data
  const read = [...(from === undefined ? [] : ['from']), ...(call === undefined ? [] : ['call'])]
  return { from, call, known: new Set([...EVENT_FIELDS, ...read]) }
}

function issueOf(error: z.ZodError): string {
  return fieldWords(error.issues[0], 'the line').slice(0, 200)
}

/** Turnscope's own format (`core/engine/session-file.ts`). */
export const native: Importer = {
  name: 'native',
  label: 'Turnscope JSONL',
  detect: (head) => head.objects.some(isHeader),
  split: () => ({ by: 'records' }),
  read,
}
