import { Readable } from 'node:stream'
import {
  RandomAccessReader,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  type Entry,
} from 'yauzl'
import { err, ok, type Result } from '../../engine/result.ts'
import { byteRange, byteSize, type ByteInput } from '../platform/files/byte-input.ts'

/** An entry of a zip directory. `name` is decoded but not changed: a backslash stays one. */
interface DirectoryEntry {
  readonly name: string
  readonly entry: Entry
}

/** The central directory of a zip file (zip64 too), in its order. */
export async function readDirectory(
  input: ByteInput,
  maxEntries: number,
): Promise<Result<readonly DirectoryEntry[]>> {
  const size = await byteSize(input)
  const reader = new BlockReader(input)
  try {
    const zip = await fromRandomAccessReaderPromise(reader, size, {
      decodeStrings: false,
      validateEntrySizes: false,
      autoClose: false,
    })
    if (zip.entryCount > maxEntries) return tooMany(zip.entryCount, maxEntries)
    const entries: DirectoryEntry[] = []
    for await (const entry of zip.eachEntry()) {
      const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry
      entries.push({ name: getFileNameLowLevel(flags, fileNameRaw, extraFields, true), entry })
    }
    return ok(entries)
  } catch (error) {
    if (reader.failure !== null) throw reader.failure
    return err({
      what: `the directory of the archive is damaged or cut off (${messageOf(error)})`,
      where: 'the end of the file',
      do: 'Copy or download the archive again, or repair it (for example with zip -FF)',
    })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'unknown'
}

function tooMany(count: number, most: number): Result<never> {
  return err({
    what: `the archive has ${count} members, more than the ${most} that are allowed`,
    where: 'its directory',
    do: 'Split it, or unpack it and open the files you need',
  })
}

const BLOCK = 1 << 20

/** Reads blocks of 1 MiB and serves from them: a directory is read in pieces of a few dozen bytes. */
class BlockReader extends RandomAccessReader {
  /** The error of the file system that ended reading, if one did. */
  failure: Error | null = null
  readonly #input: ByteInput
  #block: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(input: ByteInput) {
    super()
    this.#input = input
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from([byteRange(this.#input, start, end - start)])
  }

  override read(...[buffer, offset, length, position, done]: ReadArguments): void {
    const from = position - this.#start
    if (from >= 0 && from + length <= this.#block.length) {
      this.#block.copy(buffer, offset, from, from + length)
      done(null, length)
      return
    }
    byteRange(this.#input, position, Math.max(BLOCK, length)).then(
      (block) => {
        this.#block = block
        this.#start = position
        done(null, block.copy(buffer, offset, 0, length))
      },
      (error: unknown) => {
        this.failure = error instanceof Error ? error : new Error('the file cannot be read')
        done(this.failure, 0)
      },
    )
  }
}

type ReadArguments = [
  buffer: Buffer,
  offset: number,
  length: number,
  position: number,
  done: (error: Error | null, bytesRead: number) => void,
]
