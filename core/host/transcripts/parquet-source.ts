import { readJson } from '../../engine/json-read.ts'
import { headOfValues } from '../../engine/import/head.ts'
import type { RawLine } from '../../engine/import/source.ts'
import type { ByteInput } from '../platform/files/byte-input.ts'
import type { LineOptions } from '../platform/files/lines.ts'
import { openParquet } from './parquet.ts'

/** The rows of a table, as lines of JSON. */
export interface TableSource {
  /** Absent for a database. */
  readonly columns?: readonly string[]
  readonly head: ReturnType<typeof headOfValues>
  readonly lines: () => AsyncGenerator<readonly RawLine[]>
  /** One row as it is read, by its 0-based number. */
  readonly text: (row: number) => Promise<string>
}

/** Rows that identify a file, and rows per batch. */
const HEAD_ROWS = 50
const BATCH = 200

/**
 * [I146] Opens a Parquet file so that every format of JSON lines reads its rows: each row is one line, an
 * object with a field for each column. `offset` of a line is the number of its row, from 0.
 */
export async function openTable(input: ByteInput, options: LineOptions): Promise<TableSource> {
  const file = await openParquet(input)
  const values = (await file.first(HEAD_ROWS)).map(plain)

  async function* lines(): AsyncGenerator<readonly RawLine[]> {
    for await (const { start, count, rows, problem } of file.groups(options.signal)) {
      if (problem !== null) {
        const last = start + count
        const broken = `rows ${start + 1} to ${last} cannot be read (one row group): ${problem}`
        yield [{ ...lineOf(start, ''), broken }]
      }
      for (let at = 0; at < rows.length; at += BATCH) {
        options.signal?.throwIfAborted()
        yield rows
          .slice(at, at + BATCH)
          .map((row, index) => lineOf(start + at + index, textOf(row)))
      }
      options.onBytes?.(start + count)
    }
  }

  return {
    columns: file.columns,
    head: headOfValues(values),
    lines,
    text: async (row) => textOf(await file.row(row)),
  }
}

function lineOf(row: number, text: string): RawLine {
  const rest = { unterminated: false, nul: false, tooLong: false }
  return { text, offset: row, length: text.length, line: row + 1, ...rest }
}

function textOf(row: unknown): string {
  return JSON.stringify(plain(row))
}

/** Columns of conversations, which some data sets hold as JSON text. */
const CONVERSATIONS = new Set([
  'messages',
  'conversation',
  'conversations',
  'trajectory',
  'prompt',
  'response',
  'chosen',
  'rejected',
])

/**
 * A row in JSON form: large integers as numbers if they are exact, else as text; times as ISO text; bytes as their
 * count. Null fields are omitted, because a struct has all fields that any row has.
 */
function plain(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return plainValue(row)
  const members = Object.entries(row).map(([name, value]): [string, unknown] => {
    const isText = CONVERSATIONS.has(name) && typeof value === 'string'
    return [name, isText ? parsedText(value) : plainValue(value)]
  })
  return answered(Object.fromEntries(members.filter(([, value]) => value !== undefined)))
}

/** Appends the response to a prompt that is a list of messages. */
function answered({ prompt, response, ...rest }: Readonly<Record<string, unknown>>): unknown {
  const answer =
    typeof response === 'string' ? [{ role: 'assistant', content: response }] : response
  if (Array.isArray(prompt) && Array.isArray(answer) && rest['messages'] === undefined)
    return { ...rest, messages: [...(prompt as unknown[]), ...(answer as unknown[])] }
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(response === undefined ? {} : { response }),
    ...rest,
  }
}

function plainValue(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value === 'bigint') {
    const isExact = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    return isExact ? Number(value) : String(value)
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) return value.map((item: unknown) => plainValue(item) ?? null)
  if (typeof value !== 'object') return value
  const members = Object.entries(value).map(([name, member]) => [name, plainValue(member)] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

/** A list or object that was written as text; every other text stays one. */
function parsedText(text: string): unknown {
  const first = text.trimStart().charAt(0)
  if (first !== '[' && first !== '{') return text
  try {
    return readJson(text)
  } catch {
    return text
  }
}
