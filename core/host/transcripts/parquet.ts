import { FileRefused } from '../platform/files/file-refused.ts'
import * as zlib from 'node:zlib'
import type { AsyncBuffer, Compressors, FileMetaData, SchemaTree } from 'hyparquet'
import { messageOf } from '../../engine/result.ts'
import { byteRange, byteSize, type ByteInput } from '../platform/files/byte-input.ts'
import { unpackZstd } from '../platform/files/zstd.ts'

/** [I146] Resource limits of a Parquet file, in bytes. */
interface ParquetLimits {
  /** Of a footer, which is held as a whole. */
  readonly footer: number
  /** Of one row group, unpacked: it is read as a whole. */
  readonly group: number
  /** Of one page, unpacked. */
  readonly page: number
}

const PARQUET_LIMITS: ParquetLimits = {
  footer: 64_000_000,
  group: 512_000_000,
  page: 256_000_000,
}

/** Rows of one row group, or why they cannot be read. */
interface RowGroupRows {
  /** 0-based number of its first row. */
  readonly start: number
  readonly count: number
  readonly rows: readonly unknown[]
  readonly problem: string | null
}

/** A Parquet file whose footer was read; row groups are read one at a time. */
interface ParquetFile {
  readonly rowCount: number
  /** Names of all columns, in order. */
  readonly columns: readonly string[]
  /** The first rows, at most so many: of the first row group that can be read. */
  first(most: number): Promise<readonly unknown[]>
  groups(signal?: AbortSignal): AsyncGenerator<RowGroupRows, void>
  /** One row by its 0-based number; null if it cannot be read. */
  row(number: number): Promise<unknown>
}

const MAGIC = 'PAR1'
const ENCRYPTED = 'PARE'

/** Whether a file begins as Parquet does. */
export function isParquet(start: Uint8Array): boolean {
  const magic = Buffer.from(start.buffer, start.byteOffset, Math.min(4, start.length)).toString()
  return magic === MAGIC || magic === ENCRYPTED
}

/**
 * [I146] Opens a Parquet file by its footer. Refuses one that is cut off, encrypted, or packed in a way
 * that is not read here.
 */
export async function openParquet(
  input: ByteInput,
  limits: ParquetLimits = PARQUET_LIMITS,
): Promise<ParquetFile> {
  const { parquetMetadataAsync, parquetSchema, parquetReadObjects, snappyUncompress } =
    await import('hyparquet')
  const file = await bufferOf(input)
  await checkEnd(file, limits)
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => {
    throw refused(`its footer cannot be read (${messageOf(error)})`)
  })
  const tops = parquetSchema(metadata).children
  const columns = tops.filter((column) => !isBinary(column)).map(nameOf)
  checkCodecs(metadata, columns)
  const compressors = compressorsWith(snappyUncompress, limits)

  const read = async (rowStart: number, rowEnd: number) =>
    parquetReadObjects({ file, metadata, columns: [...columns], compressors, rowStart, rowEnd })

  async function* groups(signal?: AbortSignal): AsyncGenerator<RowGroupRows, void> {
    for (const { start, count, bytes } of groupsOf(metadata, columns)) {
      signal?.throwIfAborted()
      if (bytes > limits.group) {
        const problem = `it unpacks to ${megabytes(bytes)}, at most ${megabytes(limits.group)} are read at once: write the file again with smaller row groups`
        yield { start, count, rows: [], problem }
        continue
      }
      try {
        yield { start, count, rows: await read(start, start + count), problem: null }
      } catch (error) {
        yield { start, count, rows: [], problem: messageOf(error) }
      }
    }
  }

  return {
    rowCount: Number(metadata.num_rows),
    columns: tops.map(nameOf),
    groups,
    first: async (most) => {
      for (const { start, count, bytes } of groupsOf(metadata, columns)) {
        if (bytes > limits.group) continue
        const rows = await read(start, start + Math.min(count, most)).catch(() => null)
        if (rows !== null) return rows
      }
      return []
    },
    row: async (number) => (await read(number, number + 1).catch(() => []))[0] ?? null,
  }
}

async function bufferOf(input: ByteInput): Promise<AsyncBuffer> {
  const byteLength = await byteSize(input)
  return {
    byteLength,
    slice: async (start, end = byteLength) => {
      const from = start < 0 ? Math.max(0, byteLength + start) : start
      const bytes = await byteRange(input, from, Math.max(0, end - from))
      return bytes.buffer.slice(
        bytes.byteOffset,
        bytes.byteOffset + bytes.byteLength,
      ) as ArrayBuffer
    },
  }
}

const WRITE_AGAIN = 'Write it again, or open another file'

function refused(what: string, advice = WRITE_AGAIN): FileRefused {
  return new FileRefused('EPARQUET', `this Parquet file cannot be read: ${what}`, advice)
}

/** The last eight bytes: the length of the footer, and the magic. */
async function checkEnd(file: AsyncBuffer, limits: ParquetLimits): Promise<void> {
  const end = Buffer.from(await file.slice(Math.max(0, file.byteLength - 8)))
  const magic = end.subarray(-4).toString('latin1')
  if (magic === ENCRYPTED) throw refused('its footer is encrypted', 'Decrypt it first')
  if (file.byteLength < 12 || magic !== MAGIC)
    throw refused(
      'it ends without its footer',
      'It was cut off, or is still being written: get it again, whole',
    )
  const footer = end.readUInt32LE(0)
  if (footer > limits.footer || footer > file.byteLength - 12)
    throw refused(`its footer says that it has ${footer} bytes, which cannot be`)
}

const nameOf = ({ element }: SchemaTree): string => element.name

/** A column of raw bytes (images, audio) holds no text; it is not read. */
function isBinary({ element, children }: SchemaTree): boolean {
  if (children.length > 0) return children.every(isBinary)
  const { type, converted_type: converted, logical_type: logical } = element
  if (type !== 'BYTE_ARRAY' && type !== 'FIXED_LEN_BYTE_ARRAY') return false
  return converted === undefined && logical === undefined
}

/** Codecs that Node unpacks, zstd, and snappy, which comes with the library. */
const CODECS = new Set<string>(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD'])

function checkCodecs({ row_groups: groups }: FileMetaData, columns: readonly string[]): void {
  for (const group of groups) {
    for (const { meta_data: meta } of group.columns) {
      if (meta === undefined || !columns.includes(meta.path_in_schema[0] ?? '')) continue
      if (CODECS.has(meta.codec)) continue
      throw refused(
        `its column ${meta.path_in_schema.join('.')} is packed with ${meta.codec}`,
        `Write it again with one of ${[...CODECS].join(', ')}`,
      )
    }
  }
}

type Unpack = (bytes: Uint8Array, to: Uint8Array) => void

/** The page declares its sizes. Sizes beyond the limit are refused. */
function compressorsWith(snappy: Unpack, { page }: ParquetLimits): Compressors {
  const sized = (size: number): number => {
    if (size >= 0 && size <= page) return size
    throw new Error(`a page says that it unpacks to ${megabytes(size)}`)
  }
  const options = (size: number) => ({ maxOutputLength: Math.max(1, sized(size)) })
  return {
    SNAPPY: (bytes, size) => {
      const to = new Uint8Array(sized(size))
      snappy(bytes, to)
      return to
    },
    GZIP: (bytes, size) => zlib.gunzipSync(bytes, options(size)),
    BROTLI: (bytes, size) => zlib.brotliDecompressSync(bytes, options(size)),
    ZSTD: (bytes, size) => unpackZstd(bytes, sized(size)),
  }
}

interface GroupPlace {
  readonly start: number
  readonly count: number
  /** Unpacked, of the columns that are read. */
  readonly bytes: number
}

function groupsOf(metadata: FileMetaData, columns: readonly string[]): readonly GroupPlace[] {
  let start = 0
  return metadata.row_groups.map((group) => {
    const count = Number(group.num_rows)
    const bytes = group.columns.reduce((sum, { meta_data: meta }) => {
      const isRead = meta !== undefined && columns.includes(meta.path_in_schema[0] ?? '')
      return isRead ? sum + Number(meta.total_uncompressed_size) : sum
    }, 0)
    const place = { start, count, bytes }
    start += count
    return place
  })
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`
}
