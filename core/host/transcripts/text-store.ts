import {
  closeSync,
  constants,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from '../platform/files/fenced-fs.ts'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refusal } from '../platform/threads/refusal.ts'
import type { TextStore } from '../../engine/import/shared/drafts.ts'

interface TextStoreOptions {
  /** Maximum bytes in memory; later bytes go to a file. */
  readonly memoryBytes?: number
  /** Bytes of one chunk. */
  readonly chunkBytes?: number
  /** Folder of the temporary file. */
  readonly folder?: string
}

const MEMORY = 8 << 20
const CHUNK = 1 << 20
/** Bytes per read of the file, because texts are mostly requested in order. */
const READ_AHEAD = 256 << 10
/** Before each text: how it is written, and its length in bytes. */
const HEADER = 5
const UTF8 = 0
/** A text with half a surrogate pair has no UTF-8: it is kept unit for unit. */
const UTF16 = 1

interface Chunk {
  /** Position of its first byte among all bytes that were put. */
  readonly start: number
  readonly bytes: Buffer
}

interface Spill {
  readonly fd: number
  size: number
}

/** A question may still be under way when the file is closed. */
const givenBack = () =>
  refusal({
    what: 'the texts of this file were given back',
    where: 'this session',
    do: 'Open the file again',
  })

/**
 * [I50] Texts of an open file, packed as UTF-8. The first 8 MB stay in memory, the rest goes to a
 * private temporary file that has no name from the moment it is open (on Windows: that is deleted
 * when it is closed), so that no way to end leaves it behind. Reads are synchronous.
 */
export class DiskTextStore implements TextStore {
  readonly #memoryBytes: number
  readonly #chunkBytes: number
  readonly #folder: string
  readonly #kept: Chunk[] = []
  #keptEnd = 0
  #spill: Spill | null = null
  /** The chunk in progress. */
  #tail = Buffer.alloc(0)
  #tailStart = 0
  #filled = 0
  #closed = false
  #ahead: Chunk = { start: 0, bytes: Buffer.alloc(0) }

  constructor({
    memoryBytes = MEMORY,
    chunkBytes = CHUNK,
    folder = tmpdir(),
  }: TextStoreOptions = {}) {
    this.#memoryBytes = memoryBytes
    this.#chunkBytes = chunkBytes
    this.#folder = folder
  }

  put(text: string): number {
    if (this.#closed) throw givenBack()
    const plain = text.isWellFormed()
    const encoding = plain ? 'utf8' : 'utf16le'
    // If the longest possible encoding fits, the bytes need not be counted first.
    const fits = this.#filled + HEADER + text.length * 3 <= this.#tail.length
    if (!fits) this.#room(HEADER + Buffer.byteLength(text, encoding))
    const at = this.#filled
    const bytes = this.#tail.write(text, at + HEADER, encoding)
    this.#tail.writeUInt8(plain ? UTF8 : UTF16, at)
    this.#tail.writeUInt32LE(bytes, at + 1)
    this.#filled += HEADER + bytes
    return this.#tailStart + at
  }

  get(position: number): string {
    if (this.#closed) throw givenBack()
    const header = this.#bytesAt(position, HEADER)
    const plain = header.readUInt8(0) === UTF8
    const bytes = header.readUInt32LE(1)
    return this.#bytesAt(position + HEADER, bytes).toString(plain ? 'utf8' : 'utf16le')
  }

  /** Bytes held in memory, and in the file. */
  size(): { readonly memory: number; readonly file: number } {
    const memory = this.#keptEnd + this.#tail.length + this.#ahead.bytes.length
    return { memory, file: this.#spill?.size ?? 0 }
  }

  /** Gives memory and file back; texts cannot be had any more. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#kept.length = 0
    this.#tail = Buffer.alloc(0)
    this.#ahead = { start: 0, bytes: this.#tail }
    if (this.#spill === null) return
    handles.unregister(this)
    closeSync(this.#spill.fd)
  }

  #room(bytes: number): void {
    if (this.#filled + bytes <= this.#tail.length) return
    if (this.#filled > 0) this.#flush()
    this.#tailStart += this.#filled
    this.#filled = 0
    // A chunk that went to the file can be written over.
    const isFree = this.#spill !== null && this.#tail.length === this.#chunkBytes
    if (isFree && bytes <= this.#chunkBytes) return
    this.#tail = Buffer.allocUnsafeSlow(Math.max(bytes, this.#chunkBytes))
  }

  /** Moves the current chunk to its final place. */
  #flush(): void {
    const bytes = this.#tail.subarray(0, this.#filled)
    if (this.#spill === null && this.#keptEnd + this.#filled <= this.#memoryBytes) {
      this.#kept.push({ start: this.#tailStart, bytes })
      this.#keptEnd += this.#filled
      return
    }
    if (this.#spill === null) {
      this.#spill = { fd: openPrivate(this.#folder), size: 0 }
      handles.register(this, this.#spill.fd, this)
    }
    writeAll(this.#spill, bytes)
  }

  /** `[position, position + length)` of all bytes. */
  #bytesAt(position: number, length: number): Buffer {
    if (position >= this.#tailStart) {
      return within({ start: this.#tailStart, bytes: this.#tail }, position, length)
    }
    if (position < this.#keptEnd) return within(chunkOf(this.#kept, position), position, length)
    const { start, bytes } = this.#ahead
    if (position < start || position + length > start + bytes.length) {
      this.#ahead = readAhead(this.#spill, position, { least: length, base: this.#keptEnd })
    }
    return within(this.#ahead, position, length)
  }
}

/** Closes the file of a store that is no longer referenced, because its transcript was replaced and read again. */
const handles = new FinalizationRegistry<number>((fd) => closeSync(fd))

function within(chunk: Chunk, position: number, length: number): Buffer {
  const from = position - chunk.start
  return chunk.bytes.subarray(from, from + length)
}

/** The chunk that holds a position, by bisection: texts never straddle two. */
function chunkOf(chunks: readonly Chunk[], position: number): Chunk {
  let low = 0
  let high = chunks.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((chunks[middle]?.start ?? 0) <= position) low = middle
    else high = middle - 1
  }
  const found = chunks[low]
  if (found === undefined) throw new RangeError('there is no text here')
  return found
}

/** `O_TEMPORARY` of Windows: the file goes when its last handle does. */
const DELETE_ON_CLOSE = 0x40

function openPrivate(folder: string): number {
  const path = join(folder, `turnscope-${process.pid}-${randomBytes(9).toString('hex')}`)
  const { O_RDWR, O_CREAT, O_EXCL } = constants
  const windows = process.platform === 'win32'
  const fd = openSync(path, O_RDWR | O_CREAT | O_EXCL | (windows ? DELETE_ON_CLOSE : 0), 0o600)
  if (!windows) unlinkSync(path)
  return fd
}

function writeAll(spill: Spill, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(spill.fd, bytes, done, bytes.length - done, spill.size + done)
  }
  spill.size += bytes.length
}

interface Span {
  readonly least: number
  /** Position of the file's first byte. */
  readonly base: number
}

function readAhead(spill: Spill | null, position: number, { least, base }: Span): Chunk {
  if (spill === null) throw new RangeError('there is no text here')
  const from = position - base
  const bytes = Buffer.allocUnsafeSlow(Math.min(Math.max(least, READ_AHEAD), spill.size - from))
  let filled = 0
  while (filled < bytes.length) {
    const read = readSync(spill.fd, bytes, filled, bytes.length - filled, from + filled)
    if (read === 0) throw new RangeError('there is no text here')
    filled += read
  }
  return { start: position, bytes }
}
