import { HEAD_BYTES, makeHead } from '../engine/import/head.ts'
import type { ByteDocument, ImportedTranscript, Source } from '../engine/import/source.ts'
import { importSource } from '../engine/import/table.ts'
import { err } from '../engine/result.ts'
import type { Result } from '../engine/result.ts'
import { byteChunks, byteRange, byteSize } from './byte-input.ts'
import type { ByteInput } from './byte-input.ts'
import { decode, sniffEncoding } from './encoding.ts'
import { readLines } from './lines.ts'
import type { LineOptions } from './lines.ts'

export interface ReadOptions extends LineOptions {
  /** Name for error messages; default: the path, or `the file`. It decides nothing. */
  readonly name?: string | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/**
 * Reads a transcript of any known format from a path or from bytes. Runs in any thread: it gives the
 * event loop a turn after each MiB, so that cancelling works. Aborting rejects with the signal's
 * reason; everything else that can go wrong is in the result.
 */
export async function readTranscript(
  input: ByteInput,
  options: ReadOptions = {},
): Promise<Result<ImportedTranscript>> {
  const name = options.name ?? (typeof input === 'string' ? input : 'the file')
  try {
    return await importSource(await openSource(input, name, options))
  } catch (error) {
    options.signal?.throwIfAborted()
    if (!isFileError(error)) throw error
    return err({
      what: `the file cannot be read (${error.code})`,
      where: name,
      do: 'Check that it exists, is a file and may be read by you',
    })
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

async function openSource(input: ByteInput, name: string, options: ReadOptions): Promise<Source> {
  const size = await byteSize(input)
  const start = await byteRange(input, 0, HEAD_BYTES)
  const encoding = sniffEncoding(start)
  const head = makeHead(decode(start, encoding.name, encoding.bom), size <= start.length)
  const onBytes = (done: number): void => options.onProgress?.(Math.min(done, size), size)
  const reading = { ...options, onBytes }
  return {
    name,
    size,
    head,
    lines: () => readLines(input, reading),
    document: () => readDocument(input, reading),
    members: null,
  }
}

/** A whole file as UTF-8 bytes. UTF-16 is transcoded; offsets are those of the file again. */
async function readDocument(input: ByteInput, options: LineOptions): Promise<ByteDocument> {
  const chunks: Buffer[] = []
  let done = 0
  for await (const chunk of byteChunks(input)) {
    options.signal?.throwIfAborted()
    chunks.push(chunk)
    done += chunk.length
    options.onBytes?.(done)
  }
  const all = Buffer.concat(chunks)
  const encoding = sniffEncoding(all)
  const isUtf8 = encoding.name === 'utf8'
  const bytes = isUtf8
    ? all.subarray(encoding.bom)
    : Buffer.from(decode(all, encoding.name, encoding.bom), 'utf8')
  return {
    bytes,
    text: (from, to) => bytes.toString('utf8', from, to),
    fileOffset: isUtf8 ? (at) => at + encoding.bom : utf16Offsets(bytes, encoding.bom),
  }
}

/** File offset of a position in transcoded bytes; positions mostly rise, so it counts on from the last. */
function utf16Offsets(bytes: Buffer, bom: number): (position: number) => number {
  let at = 0
  let units = 0
  return (position) => {
    if (position < at) {
      at = 0
      units = 0
    }
    units += bytes.toString('utf8', at, position).length
    at = position
    return bom + units * 2
  }
}
