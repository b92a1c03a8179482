import { compilePipeline } from '../rules/pipelines.ts'
import { createCutOffRun } from '../platform/guard/cut-off-run.ts'
import { createTimeLimit } from '../platform/guard/guard.ts'
import { valueOrRefuse } from '../platform/threads/refusal.ts'
import { initialBeliefState } from '../../engine/pipeline.ts'
import { counted } from '../../engine/result.ts'
import { createTurnClassifier } from '../rows/classify-turns.ts'
import type { Database } from './duckdb.ts'
import type { BatchOptions } from './options.ts'
import { askTable } from './plain-lines.ts'
import type { Plan } from './plan-schema.ts'
import { normalized, type Table } from './tables.ts'

const SAMPLE = 2000
/** Bytes of a row of the results, as they were measured. */
const BYTES_OF_ROW = 60

/** Lines about the files, the columns found in them, first rows, and an estimate of time and size from a sample. */
export async function samplePlan(
  database: Database,
  plan: Plan,
  options: BatchOptions,
): Promise<readonly string[]> {
  const tables = plan.files.flatMap(({ path, kind, columns }): Table[] =>
    columns === undefined || kind === 'transcript' ? [] : [{ path, kind, columns }],
  )
  const transcripts = plan.files.length - tables.length
  const lines = [
    ...tables.slice(0, TABLES_SHOWN).map(tableLine),
    ...(tables.length > TABLES_SHOWN
      ? [`… and ${counted(tables.length - TABLES_SHOWN, 'more table')}`]
      : []),
    ...(transcripts > 0 ? [counted(transcripts, 'transcript')] : []),
  ]
  const [first] = tables
  return first === undefined
    ? lines
    : [...lines, ...(await sampleTable(database, first, plan, options))]
}

const TABLES_SHOWN = 20

function tableLine({ path, kind, columns }: Table): string {
  const { session, turn, message, kind: kinds } = columns
  return `${path}: ${kind}; session = ${session}, turn = ${turn ?? 'the order of rows'}, message = ${message}, kind = ${kinds ?? 'user'}`
}

async function sampleTable(
  database: Database,
  table: Table,
  plan: Plan,
  options: BatchOptions,
): Promise<readonly string[]> {
  const found = await askTable(table, (path) =>
    database.rows(
      `SELECT session, place::VARCHAR, kind, coalesce(message, ''), reason FROM (${normalized({ ...table, path }, 0, plan.order)}) LIMIT ${SAMPLE}`,
    ),
  )
  const rows = found.map(([session, place, kind, message, reason]) => ({
    shown: [session, place, kind].map((cell) => (cell === null ? '' : String(cell))).join(' '),
    message: String(message),
    reason: reason === null ? null : String(reason),
  }))
  const first = rows
    .slice(0, 5)
    .map(({ shown, message, reason }) =>
      reason === null
        ? `  ${shown}: ${JSON.stringify(message.slice(0, 60))}`
        : `  cannot be used: ${reason}`,
    )
  const messages = rows.flatMap(({ message, reason }) => (reason === null ? [message] : []))
  return [...first, estimateLine(messages, plan, options)]
}

/** From the bytes of a sample to those of all files. */
function estimateLine(messages: readonly string[], plan: Plan, options: BatchOptions): string {
  const bytes = plan.files.reduce((sum, { size }) => sum + size, 0)
  const times = bytes / Math.max(1, messages.join('').length)
  const rows = Math.round(times * messages.length)
  const minutes = Math.ceil((secondsOf(messages, options) * times) / options.threads / 60)
  const [results, meanwhile] = [rows * BYTES_OF_ROW, bytes].map((size) => Math.ceil(size / 1e6))
  return `about ${rows} rows in ${counted(plan.parts, 'part')}, ${minutes} min with ${counted(options.threads, 'thread')}, ${results} MB of results and ${meanwhile} MB while it runs`
}

/** Processor time of the sample, in seconds. */
function secondsOf(messages: readonly string[], { base }: BatchOptions): number {
  const compiled = valueOrRefuse(compilePipeline(base))
  const parts = { limit: createTimeLimit(), cutOffs: createCutOffRun() }
  const classifier = createTurnClassifier(compiled, parts)
  const turns = messages.map((message) => ({ message, of: { state: initialBeliefState } }))
  const before = process.cpuUsage()
  classifier.run(turns)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
