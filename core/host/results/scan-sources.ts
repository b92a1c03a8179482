import type { DuckDBAppender } from '@duckdb/node-api'
import { createOpenSessions } from '../../engine/rows/open-sessions.ts'
import { formatProblem } from '../../engine/result.ts'
import { textOf } from '../../engine/schema/event.ts'
import type { EventKind } from '../../engine/schema/event-kind.ts'
import type { ClassifyKinds } from '../../engine/schema/preset.ts'
import { databaseFailure, openDatabase, quoted } from '../batch/duckdb.ts'
import { normalized } from '../batch/tables.ts'
import type { FormatsOf } from '../files/own-formats.ts'
import { openTranscript } from '../files/transcript.ts'
import { refusal } from '../shared/refusal.ts'
import type { Results } from './results.ts'
import { type SourceFile, findSource } from './source-file.ts'
import type { TextScanner } from './text-scanner.ts'

interface ScanOptions {
  readonly scanner: TextScanner
  readonly classify: ClassifyKinds
  readonly base: string
  readonly formats: FormatsOf
  readonly scratch: string
  readonly signal: AbortSignal
  /** Bytes of sources that were looked through. */
  readonly onBytes: (done: number, total: number) => void
}

/** A text, and where its turn stands: a row of a table, or a turn of a session. */
interface Placed {
  readonly text: string
  readonly row: number
  readonly session: string | null
  readonly turn: number
}

const PORTION = 2048

/** [F146] Looks for signals in the texts of all sources; what is found stands in the table `hits`, by row or by turn. */
export async function scanSources(results: Results, options: ScanOptions): Promise<void> {
  const { files } = results
  const { database } = results.editor
  const { base, signal, onBytes } = options
  await database.run(
    'CREATE OR REPLACE TABLE hits (file VARCHAR, row BIGINT, session VARCHAR, turn INTEGER, signal INTEGER)',
  )
  const appender = await database.connection.createAppender('hits')
  const { plan } = files.manifest
  const total = plan.files.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  try {
    for (const planned of plan.files) {
      onBytes(done, total)
      const source = await findSource(files, planned.path, base)
      const portions =
        planned.kind === 'transcript'
          ? transcriptTexts(source, options)
          : tableTexts(results, source, options)
      for await (const portion of portions) {
        signal.throwIfAborted()
        appendHits(appender, planned.path, portion, options.scanner)
      }
      done += planned.size
    }
  } finally {
    appender.closeSync()
  }
}

function appendHits(
  appender: DuckDBAppender,
  file: string,
  portion: readonly Placed[],
  scanner: TextScanner,
): void {
  for (const [signal, texts] of scanner.scan(portion.map(({ text }) => text)))
    for (const at of texts) {
      const placed = portion[at]
      if (placed === undefined) continue
      appender.appendVarchar(file)
      appender.appendBigInt(BigInt(placed.row))
      if (placed.session === null) appender.appendNull()
      else appender.appendVarchar(placed.session)
      appender.appendInteger(placed.turn)
      appender.appendInteger(signal)
      appender.endRow()
    }
  appender.flushSync()
}

const KINDS: ReadonlyArray<readonly [keyof ClassifyKinds, EventKind]> = [
  ['user', 'user'],
  ['tool', 'tool_result'],
  ['agent', 'agent'],
]

/** Texts of rows that may be turns. Which are, the results say. */
async function* tableTexts(
  results: Results,
  { planned, path }: SourceFile,
  { classify, scratch }: Pick<ScanOptions, 'classify' | 'scratch'>,
): AsyncGenerator<readonly Placed[], void, undefined> {
  if (planned.kind === 'transcript' || planned.columns === undefined) return
  const { order } = results.files.manifest.plan
  const table = { path, kind: planned.kind, columns: planned.columns }
  const kinds = KINDS.flatMap(([name, kind]) => (classify[name] ? [quoted(kind)] : []))
  const database = await openDatabase({ threads: 2, memoryMb: 400, scratch })
  try {
    await database.run(`SET allowed_paths = [${quoted(path)}]`)
    await database.run('SET enable_external_access = false')
    const rows = await database.connection.stream(
      `SELECT row::DOUBLE AS row, message FROM (${normalized(table, 0, order)})
       WHERE reason IS NULL AND message IS NOT NULL AND kind IN (${[...kinds, "''"].join(', ')})`,
    )
    for (;;) {
      const chunk = await rows.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return
      const [numbers = [], texts = []] = chunk.getColumns()
      yield numbers.map((row, at) => ({
        ...{ text: String(texts[at] ?? ''), row: Number(row), session: null, turn: 0 },
      }))
    }
  } catch (error) {
    throw databaseFailure(error, path)
  } finally {
    database.close()
  }
}

/** Texts of the turns of a transcript, numbered as the batch did. */
async function* transcriptTexts(
  { planned, path }: SourceFile,
  { classify, formats }: Pick<ScanOptions, 'classify' | 'formats'>,
): AsyncGenerator<readonly Placed[], void, undefined> {
  const opened = await openTranscript(path, { formats })
  // The batch could not read it either: none of its turns is in the results.
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
