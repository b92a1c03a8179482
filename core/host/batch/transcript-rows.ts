import type { DuckDBAppender } from '@duckdb/node-api'
import { formatProblem } from '../../engine/result.ts'
import { textOf } from '../../engine/schema/event.ts'
import type { FormatsOf } from '../transcripts/own-formats.ts'
import { openTranscript } from '../transcripts/transcript.ts'
import type { Database } from './duckdb.ts'

/** Rows are sent on in portions, because a transcript may be larger than memory. */
const PORTION = 10_000

interface Row {
  readonly row: number
  readonly session?: string
  readonly seq?: number
  readonly said?: readonly [kind: string | null, message: string | null]
  /** Why it cannot be used. */
  readonly reason?: string
}

function appendText(appender: DuckDBAppender, text: string | null): void {
  if (text === null) appender.appendNull()
  else appender.appendVarchar(text)
}

/**
 * [F114] The events of a transcript as rows of the table `said`: their line is the row (0-based), and their place
 * among the events of the session is the order. A file that cannot be read is one row that says why.
 */
export async function appendTranscript(
  { connection }: Database,
  {
    path,
    at,
    formats,
  }: { readonly path: string; readonly at: number; readonly formats: FormatsOf },
): Promise<void> {
  const appender = await connection.createAppender('said')
  const append = ({ row, session, seq = 0, said = [null, null], reason }: Row) => {
    appender.appendInteger(at)
    appender.appendBigInt(BigInt(row))
    appendText(appender, session ?? null)
    // Nothing but its place among the events orders them.
    appender.appendNull()
    appender.appendBigInt(BigInt(seq))
    for (const text of [...said, reason ?? null]) appendText(appender, text)
    appender.endRow()
  }
  const opened = await openTranscript(path, { formats })
  if (!opened.ok) {
    append({ row: 0, reason: formatProblem(opened.error) })
    appender.closeSync()
    return
  }
  const { transcript } = opened.value
  try {
    let count = 0
    for (const { id, events, texts } of transcript.sessions) {
      const session = `${path}#${id}`
      for (const event of events) {
        const { kind, seq, source } = event
        append({ row: source.line - 1, session, seq, said: [kind, textOf(event, texts)] })
        count += 1
        if (count % PORTION === 0) appender.flushSync()
      }
    }
    for (const { line, message } of transcript.problems) append({ row: line - 1, reason: message })
  } finally {
    appender.closeSync()
    opened.value.close()
  }
}
