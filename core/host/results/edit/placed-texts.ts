import type { TextNeeds } from '../../../engine/rows/line-literals.ts'
import { createOpenSessions } from '../../../engine/rows/open-sessions.ts'
import { formatProblem } from '../../../engine/result.ts'
import { textOf } from '../../../engine/schema/event.ts'
import type { EventKind } from '../../../engine/schema/event-kind.ts'
import type { ClassifyKinds } from '../../../engine/schema/preset.ts'
import { databaseFailure, openDatabase, quoted } from '../../batch/duckdb.ts'
import { isUnreadable } from '../../batch/plain-lines.ts'
import { type OrderType, normalized } from '../../batch/tables.ts'
import type { FormatsOf } from '../../transcripts/own-formats.ts'
import { openTranscript } from '../../transcripts/transcript.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import type { SourceFile } from '../source-file.ts'

/** A text with the place of its turn: a row of a table, or a turn of a session. */
export interface Placed {
  readonly text: string
  readonly row: number
  readonly session: string | null
  readonly turn: number
}

const PORTION = 2048

const KINDS: ReadonlyArray<readonly [keyof ClassifyKinds, EventKind]> = [
  ['user', 'user'],
  ['tool', 'tool_result'],
  ['agent', 'agent'],
]

interface TableOptions {
  readonly classify: ClassifyKinds
  readonly scratch: string
  readonly order: OrderType
  /** Conditions on a text; other texts are skipped. Null: unknown. */
  readonly needs: TextNeeds | null
}

/** [F132] Whether a text holds all literals of an alternative, or a mark, in any case. */
function mayMatch({ alternatives, marks }: TextNeeds): string {
  const holds = (literal: string) => `contains(lower(message), ${quoted(literal)})`
  const ways = [
    ...alternatives.map((all) => all.map(holds).join(' AND ')),
    ...marks.map((mark) => `contains(message, ${quoted(mark)}) OR ${holds(mark)}`),
  ]
  return `(${ways.map((way) => `(${way})`).join(' OR ')})`
}

/**
 * Texts of rows that may be turns. Which are, the results say. What says that lines cannot be read (F134) is thrown as
 * it is.
 */
export async function* tableTexts(
  { planned, path }: SourceFile,
  { classify, scratch, order, needs }: TableOptions,
): AsyncGenerator<readonly Placed[], void, undefined> {
  if (planned.kind === 'transcript' || planned.columns === undefined) return
  const table = { path, kind: planned.kind, columns: planned.columns }
  const kinds = KINDS.flatMap(([name, kind]) => (classify[name] ? [quoted(kind)] : []))
  const database = await openDatabase({ threads: 2, memoryMb: 400, scratch })
  try {
    await database.run(`SET allowed_paths = [${quoted(path)}]`)
    await database.run('SET enable_external_access = false')
    const rows = await database.connection.stream(
      `SELECT row::DOUBLE AS row, message FROM (${normalized(table, 0, order)})
       WHERE reason IS NULL AND message IS NOT NULL AND kind IN (${[...kinds, "''"].join(', ')})
         AND ${needs === null ? 'true' : mayMatch(needs)}`,
    )
    for (;;) {
      const chunk = await rows.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return
      const [numbers = [], texts = []] = chunk.getColumns()
      yield numbers.map((row, at) => ({
        text: String(texts[at] ?? ''),
        row: Number(row),
        session: null,
        turn: 0,
      }))
    }
  } catch (error) {
    throw isUnreadable(error, table) ? error : databaseFailure(error, path)
  } finally {
    database.close()
  }
}

interface TranscriptOptions {
  readonly classify: ClassifyKinds
  readonly formats: FormatsOf
}

/** Texts of the turns of a transcript, numbered as the batch did. */
export async function* transcriptTexts(
  { planned, path }: SourceFile,
  { classify, formats }: TranscriptOptions,
): AsyncGenerator<readonly Placed[], void, undefined> {
  const opened = await openTranscript(path, { formats })
  // The batch could not read it either, so the results contain none of its turns.
  if (!opened.ok) {
    if (planned.size === 0) return
    throw refusal({ what: formatProblem(opened.error), where: path, do: 'Check the file' })
  }
  let portion: Placed[] = []
  try {
    for (const { id, events, texts } of opened.value.transcript.sessions) {
      const session = `${planned.path}#${id}`
      const open = createOpenSessions<{
        readonly session: string
        readonly turn: number
        readonly kind: EventKind
        readonly message: string
      }>(classify, 1)
      let turn = 0
      for (const [at, event] of events.entries()) {
        const message = textOf(event, texts)
        const taken = open.take({ session, turn: at, kind: event.kind, message })
        for (const { row, of } of taken.ok ? taken.value : []) {
          if (of === null) continue
          turn += 1
          portion.push({ text: row.message, row: 0, session, turn })
        }
        if (portion.length < PORTION) continue
        yield portion
        portion = []
      }
    }
    if (portion.length > 0) yield portion
  } finally {
    opened.value.close()
  }
}
