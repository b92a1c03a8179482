import { isUtf8 } from 'node:buffer'
import { appendFile, mkdir, rm, writeFile } from '../platform/files/fenced-fs.ts'
import { processFolder } from '../platform/files/process-folder.ts'
import { dirname, join } from 'node:path'
import { messageOf } from '../../engine/result.ts'
import { LINE_FAULTS, LONGEST_LINE, type Table } from './tables.ts'
import { type Transform, pipeline } from 'node:stream'
import * as zlib from 'node:zlib'
import { openRegular } from '../platform/files/regular-file.ts'

/** Messages of DuckDB about a line that stops the reading of the whole file. */
const UNREADABLE =
  /state machine reached an invalid state|maximum line size|Expected Number of Columns: 1 |Invalid unicode/iu

const LINE_FEED = 10
const RETURN = 13
const SEPARATOR = 1
const SPACE = 32
const FEED = Buffer.of(LINE_FEED)
const FAULTS = {
  long: Buffer.from(LINE_FAULTS.long),
  encoding: Buffer.from(LINE_FAULTS.encoding),
  json: Buffer.from(LINE_FAULTS.json),
} as const

/**
 * [F134] A line, without its line feed, as DuckDB reads lines: what would end the reading of the file is replaced by its
 * reason, which is no JSON. Carriage returns count as spaces, and at its end as nothing.
 */
export function plainLine(line: Buffer): Buffer {
  if (line.length > LONGEST_LINE - 2) return FAULTS.long
  if (!isUtf8(line)) return FAULTS.encoding
  // JSON has no such character, and it would end the column.
  if (line.includes(SEPARATOR)) return FAULTS.json
  if (!line.includes(RETURN)) return line
  let end = line.length
  while (line[end - 1] === RETURN) end -= 1
  return Buffer.from(line.subarray(0, end)).map((byte) =>
    byte === RETURN ? SPACE : byte,
  ) as Buffer
}

/** Address of a remote source. DuckDB reads it, but it is not copied. */
const ADDRESS = /^[a-z][a-z\d+.-]+:\/\//iu

/** True if a file of lines could not be read because of some lines, and can be copied without them. */
export function isUnreadable(
  error: unknown,
  { kind, path }: { readonly kind: string; readonly path: string },
): boolean {
  const isHere = !ADDRESS.test(path)
  return kind === 'lines' && isHere && canUnpack(path) && UNREADABLE.test(messageOf(error))
}

interface CopyOptions {
  readonly signal?: AbortSignal
  /** Bytes of the lines that are copied, to the end of a line. */
  readonly most?: number
}

/** Rewrites a file of lines uncompressed, each line through `plainLine`. The copy has the same number of lines. */
export async function copyPlain(
  from: string,
  to: string,
  { signal, most = Infinity }: CopyOptions,
): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await writeFile(to, '', { mode: 0o600 })
  let begun: Buffer = Buffer.alloc(0)
  let copied = 0
  for await (const chunk of unpackedChunks(from)) {
    signal?.throwIfAborted()
    copied += chunk.length
    const lines: Buffer[] = []
    let place = 0
    for (let feed = chunk.indexOf(LINE_FEED); feed >= 0; feed = chunk.indexOf(LINE_FEED, place)) {
      lines.push(plainLine(Buffer.concat([begun, chunk.subarray(place, feed)])), FEED)
      begun = Buffer.alloc(0)
      place = feed + 1
    }
    await appendFile(to, Buffer.concat(lines))
    // Of a line that is too long already, no more is kept than says so.
    if (begun.length <= LONGEST_LINE) begun = Buffer.concat([begun, chunk.subarray(place)])
    // If more lines follow, the last line is incomplete, so it is left out.
    if (copied >= most) return
  }
  if (begun.length > 0) await appendFile(to, plainLine(begun))
}

/** Bytes of a file from which its columns, and what orders its turns, are found. */
const BEGINNING = 64 * 1024 * 1024

/**
 * [F134] Queries a table. If one of its lines stops the reading, queries a copy without such lines.
 * @param most bytes of the table to query: its columns are at the beginning
 */
export async function askTable<T>(
  table: Pick<Table, 'kind' | 'path'>,
  ask: (path: string) => Promise<T>,
  most = BEGINNING,
): Promise<T> {
  try {
    return await ask(table.path)
  } catch (error) {
    if (!isUnreadable(error, table)) throw error
    const folder = processFolder('turnscope-lines')
    try {
      const copy = join(folder, 'beginning.jsonl')
      await copyPlain(table.path, copy, { most })
      return await ask(copy)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/**
 * [F134] Processes a whole table. If one of its lines stops the reading, repeats with a copy at `to` without such
 * lines.
 */
export async function readWhole(
  table: Table,
  {
    to,
    signal,
    undo,
  }: { readonly to: string; readonly signal: AbortSignal; readonly undo: () => Promise<void> },
  read: (table: Table) => Promise<void>,
): Promise<void> {
  try {
    await read(table)
  } catch (error) {
    if (!isUnreadable(error, table)) throw error
    await undo()
    try {
      await copyPlain(table.path, to, { signal })
      await read({ ...table, path: to })
    } finally {
      await rm(to, { force: true })
    }
  }
}

const CHUNK = 4 * 1024 * 1024

/**
 * Functions that unpack files, by file name ending. Null if this Node cannot unpack them: Node 20 has no support for
 * Zstandard.
 */
const UNPACKERS: ReadonlyArray<readonly [RegExp, (() => Transform) | null]> = [
  [/\.gz$/iu, () => zlib.createGunzip({ chunkSize: CHUNK })],
  [
    /\.zst$/iu,
    'createZstdDecompress' in zlib ? () => zlib.createZstdDecompress({ chunkSize: CHUNK }) : null,
  ],
]

const unpackerOf = (path: string) => UNPACKERS.find(([ending]) => ending.test(path))

/** Whether this Node can unpack such a file, or need not. */
function canUnpack(path: string): boolean {
  return unpackerOf(path)?.[1] !== null
}

/** [F134] The uncompressed content of a regular file, in chunks of a few megabytes. Throws if it is damaged. */
async function* unpackedChunks(path: string): AsyncGenerator<Buffer, void, undefined> {
  const file = await openRegular(path)
  try {
    const unpack = unpackerOf(path)?.[1]
    const stream = file.createReadStream({ highWaterMark: CHUNK, autoClose: false })
    if (!unpack) yield* stream
    else {
      const unpacked = unpack()
      // The consumer of the stream receives the error.
      pipeline(stream, unpacked, () => undefined)
      yield* unpacked
    }
  } finally {
    await file.close()
  }
}
