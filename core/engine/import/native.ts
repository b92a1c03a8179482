import { err, ok } from '../result.ts'
import type { Problem, Result } from '../result.ts'
import { EVENT_FIELDS, EventLine, SCHEMA_VERSION, SESSION_FIELDS } from '../session-file.ts'
import { SessionHeader, extrasOf } from '../session-file.ts'
import { epoch, isObject, own } from './guards.ts'
import type { Head } from './head.ts'
import type { Ledger } from './ledger.ts'
import { eachRecord } from './records.ts'
import type { Importer, RawRecord, Sessions, Source } from './source.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Session = Omit<Mutable<Sessions[number]>, 'events'> & {
  readonly events: Array<Sessions[number]['events'][number]>
}

function isHeader(value: unknown): boolean {
  return own(value, 'type') === 'session' && typeof own(value, 'schemaVersion') === 'number'
}

function detect(head: Head): boolean {
  return head.objects.some(isHeader)
}

async function parse(source: Source, ledger: Ledger): Promise<Result<Sessions>> {
  const sessions: Session[] = []
  const newer: Problem[] = []
  await eachRecord(source, ledger, {}, (record) => {
    if (!isHeader(record.value)) {
      takeEvent(record, sessions, ledger)
      return
    }
    const header = SessionHeader.safeParse(record.value)
    if (!header.success) {
      const place = { ...record.ref, text: JSON.stringify(record.value).slice(0, 400) }
      ledger.problem('unknown_shape', place, `session header: ${issueOf(header.error)}`)
    } else if (header.data.schemaVersion > SCHEMA_VERSION) {
      newer.push(tooNew(source.name, record.ref.line, header.data.schemaVersion))
    } else {
      sessions.push(sessionOf(header.data, sessions.length))
    }
  })
  if (newer[0] !== undefined) return err(newer[0])
  return ok(sessions.filter((session) => session.events.length > 0))
}

function tooNew(name: string, line: number, version: number): Problem {
  return {
    what: `the file has schemaVersion ${version}, this program reads up to ${SCHEMA_VERSION}`,
    where: `${name}, line ${line}`,
    do: 'Open it with a newer Turnscope',
  }
}

function sessionOf(header: SessionHeader, before: number): Session {
  const id = header.id ?? `session-${before + 1}`
  return {
    ...extrasOf(header, SESSION_FIELDS),
    id,
    title: header.title ?? id,
    thread: header.thread ?? 'main',
    parent: header.parent ?? null,
    startedAt: timeOf(header.startedAt),
    cwd: header.cwd ?? null,
    events: [],
  }
}

/** A number is epoch milliseconds as it stands; only text needs reading. */
function timeOf(value: number | string | null | undefined): number | null {
  return typeof value === 'string' ? epoch(value) : (value ?? null)
}

function takeEvent(record: RawRecord, sessions: Session[], ledger: Ledger): void {
  const { value, ref } = record
  const type = own(value, 'type')
  if (typeof type === 'string' && type !== 'event') {
    ledger.skip(type)
    return
  }
  const line = EventLine.safeParse(value)
  if (!line.success || !isObject(value)) {
    const message = line.success ? 'not an object' : issueOf(line.error)
    const text = JSON.stringify(value).slice(0, 400)
    ledger.problem('unknown_shape', { ...ref, text }, `event: ${message}`)
    return
  }
  // Events before any header still belong somewhere: a torn header must not cost its session.
  if (sessions.length === 0) {
    sessions.push(sessionOf({ type: 'session', schemaVersion: SCHEMA_VERSION }, 0))
  }
  const session = sessions.at(-1)
  session?.events.push(eventOf(line.data, session.events.length, ref))
}

function eventOf(
  line: EventLine,
  seq: number,
  source: RawRecord['ref'],
): Session['events'][number] {
  return {
    ...extrasOf(line, EVENT_FIELDS),
    seq,
    kind: line.kind,
    text: line.text,
    at: timeOf(line.at),
    name: line.name ?? null,
    callId: line.callId ?? null,
    isError: line.isError ?? false,
    model: line.model ?? null,
    source,
  }
}

function issueOf(error: { readonly issues: readonly Issue[] }): string {
  const issue = error.issues[0]
  if (issue === undefined) return 'unexpected shape'
  return `${issue.path.map(String).join('.') || 'value'}: ${issue.message.slice(0, 160)}`
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Turnscope's own format (`core/engine/session-file.ts`). */
export const native: Importer = { name: 'native', label: 'Turnscope JSONL', detect, parse }
