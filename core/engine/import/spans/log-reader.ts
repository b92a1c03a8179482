import type { SessionDraft } from '../shared/drafts.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { tellSpan, type Told } from './conventions.ts'
import type { LogRecord } from './log-record.ts'
import { createLogSessions } from './log-sessions.ts'
import type { SpanReader } from './reader.ts'
import { EMPTY_SPAN } from './record.ts'
import type { SpanSessions } from './sessions.ts'

/** Collects the logs of a file: what they tell of spans, and sessions of their own. */
export interface LogReader {
  readonly take: (record: LogRecord) => void
  readonly drafts: () => Iterable<SessionDraft>
  /** [I152] Conversations in which somebody says something. */
  readonly words: () => ReadonlySet<string>
  /** Makes the sessions anew, beside those of spans. Returns how many events spans tell already. */
  readonly build: (spans: SpanSessions) => number
}

/** [I149] [I151] [I152] */
export function createLogReader(log: ImportLog, spans: Pick<SpanReader, 'tell'>): LogReader {
  const sessions = createLogSessions(log)
  const seen = new Set<string>()
  const calls = createCalls()
  let built: readonly SessionDraft[] = []
  return {
    take(record) {
      // An exporter that got no answer sends the same again.
      const print = `${record.group ?? record.home}\0${record.print}`
      if (record.order !== null && seen.has(print)) {
        log.skip('log repeated')
        return
      }
      seen.add(print)
      const told = toldOf(record, log)
      if (told === null) sessions.take(record)
      else spans.tell({ ...spanOf(record, told), id: calls.of(record, told) }, record.source)
    },
    drafts: () => [sessions.pool(), ...built],
    words: sessions.words,
    build({ spoken }) {
      const made = sessions.build(spoken)
      built = made.sessions
      return made.left
    },
  }
}

/** [I151] The messages or judgements that a GenAI event tells; null for any other, and for one without words. */
function toldOf({ name, event, attributes }: LogRecord, log: ImportLog): Told | null {
  if (!event.startsWith('gen_ai.')) return null
  const told = tellSpan(name, attributes, [{ name, attributes }], log.skip)
  const says = told.input.events.length + told.output.events.length + told.notes.length > 0
  return says ? told : null
}

function spanOf({ group, home, trace, order, at, attributes }: LogRecord, told: Told) {
  return {
    ...EMPTY_SPAN,
    ...told,
    ...{
      role: 'model' as const,
      name: 'model call',
      trace: trace ?? group ?? home,
      start: order,
      at,
    },
    ...{ endAt: told.output.events.length > 0 ? at : null, group: told.group ?? group },
    library: typeof attributes.get('gen_ai.system') === 'string' ? 'gen_ai' : null,
  }
}

/** Spans of events; of those that name none, those up to an answer are one call. */
function createCalls() {
  const open = new Map<string, { nth: number; answered: boolean }>()
  return {
    of({ group, home, trace, span }: LogRecord, { input, output }: Told): string {
      if (span !== null) return span
      const key = trace ?? group ?? home
      const call = open.get(key) ?? { nth: 1, answered: false }
      if (call.answered && input.events.length > 0) call.nth += 1
      call.answered = output.events.length > 0 || (call.answered && input.events.length === 0)
      open.set(key, call)
      return `log-call-${call.nth}`
    },
  }
}
