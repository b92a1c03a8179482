import { FileRefused } from '../platform/files/file-refused.ts'
import { HEAD_BYTES, makeHead } from '../../engine/import/head.ts'
import type { Source } from '../../engine/import/source.ts'
import { findImporter, type OwnFormats } from '../../engine/import/recognise.ts'
import type { Problem } from '../../engine/result.ts'
import { openMembers } from './archive.ts'
import { openDocument } from '../platform/files/byte-document.ts'
import {
  byteRange,
  byteSize,
  type ByteInput,
  decode,
  sniffEncoding,
} from '../platform/files/byte-input.ts'
import { readLines, type LineOptions } from '../platform/files/lines.ts'
import { OpenFile } from '../platform/files/open-file.ts'
import { type PageContents, looksLikePage, readPageFile } from './page-file.ts'
import { unpackedName, unpackFile } from './packed-file.ts'
import { isParquet } from './parquet.ts'
import { openTable, type TableSource } from './parquet-source.ts'
import { UNKNOWN_STORE, isSqlite } from './sqlite.ts'
import { openSqlite } from './sqlite-source.ts'
import { cannotRead } from '../platform/files/regular-file.ts'

interface ReadOptions extends LineOptions {
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** Why the system does not let a file be read; every other error is thrown again. */
export function unreadable(error: unknown, name: string): Problem {
  if (!isFileError(error)) throw error
  if (error instanceof FileRefused) return cannotRead(error, name)
  return {
    what: `the file cannot be read (${error.code})`,
    where: name,
    do: 'Check that it exists, is a file and may be read by you',
  }
}

/** Whether any format knows the content. What cannot be read at all counts as one: reading it says why. */
export async function isTranscript(
  path: string,
  signal: AbortSignal,
  formats?: OwnFormats,
): Promise<boolean> {
  try {
    return (await findImporter(await openSource(path, path, { signal }), formats)).ok
  } catch (error) {
    signal.throwIfAborted()
    if (!isFileError(error)) throw error
    return error.code !== UNKNOWN_STORE
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

/** A file as the import sees it; of an exported page that is the session in it. */
export type OpenedSource = Source & {
  readonly page: PageContents | null
  /** [I213] Its contents, if the file is packed as a whole. */
  readonly unpacked: Uint8Array | null
  /** [I146] Its rows, if it is a Parquet file. */
  readonly table: TableSource | null
}

/** The view of a file for the import. Rejects with the system's error if it cannot be read. */
export async function openSource(
  input: ByteInput,
  name: string,
  options: ReadOptions = {},
): Promise<OpenedSource> {
  const size = await byteSize(input)
  const start = await byteRange(input, 0, HEAD_BYTES)
  if (isParquet(start)) {
    return tableSource(input instanceof OpenFile ? input.path : input, { name, size }, options)
  }
  if (isSqlite(start)) return sourceOf(await openSqlite(input, options), { name, size })
  const unpacked = await unpackFile(input, start)
  if (unpacked !== null)
    return { ...(await openSource(unpacked, unpackedName(name), options)), unpacked }
  const encoding = sniffEncoding(start)
  const text = decode(start, encoding.name, encoding.bom)
  // Compressed content is unpacked later, when the file is no longer held open.
  const path = input instanceof OpenFile ? input.path : input
  if (typeof path === 'string' && looksLikePage(text)) {
    const page = await readPageFile(path, name)
    if (!page.ok) throw new FileRefused('EPAGE', page.error.what, page.error.do)
    return { ...(await openSource(page.value.session, name, options)), page: page.value }
  }
  const head = makeHead(text, size <= start.length)
  const onBytes = (done: number): void => options.onProgress?.(Math.min(done, size), size)
  const reading = { ...options, onBytes }
  return {
    name,
    size,
    head,
    lines: () => readLines(input, reading),
    document: () => openDocument(input, reading),
    members: await openMembers(path, start),
    page: null,
    unpacked: null,
    table: null,
  }
}

/** [I146] A table reads as lines; it is never one document. */
async function tableSource(
  input: ByteInput,
  { name, size }: Pick<Source, 'name' | 'size'>,
  options: ReadOptions,
): Promise<OpenedSource> {
  return sourceOf(await openTable(input, options), { name, size })
}

function sourceOf(table: TableSource, { name, size }: Pick<Source, 'name' | 'size'>): OpenedSource {
  return {
    name,
    size,
    members: null,
    page: null,
    unpacked: null,
    table,
    head: table.head,
    ...(table.columns === undefined ? { isDatabase: true } : { columns: table.columns }),
    lines: table.lines,
    document: () => Promise.reject(new Error('a table is no document')),
  }
}
