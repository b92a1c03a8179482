import { createHash, type Hash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { stat } from './fenced-fs.ts'
import type { RawLine } from '../../../engine/import/source.ts'
import { byteRange, sniffEncoding } from './byte-input.ts'
import type { OpenFile } from './open-file.ts'
import { type LineOptions, createLineCutter } from './lines.ts'
import { openRegular } from './regular-file.ts'

/** Bytes at both ends of the data read, used to recognize the file. */
const EDGE = 4096
const CHUNK = 1 << 18
const HASH = 'sha256'
/** Fewer bytes than a byte order mark: not read before there are more, or the file stays so small. */
const SMALLEST = 4

/**
 * State of a file since the last read. `grown` means that it may have grown. `other`: truncated, rotated, replaced or
 * rewritten.
 */
export type FileState = 'same' | 'grown' | 'other' | 'gone'

/** Identifies the data read from a file, to check later whether offsets in it are still valid. */
export interface Seal {
  readonly size: number
  readonly head: Buffer
  readonly tail: Buffer
}

interface TailOptions extends LineOptions {
  readonly take: (last: RawLine) => boolean
  /** The file if it is already open. The caller still owns it. */
  readonly held?: OpenFile | null | undefined
}

/** [I53] A file of lines that is read as far as it goes, and later on from there. */
export class FileTail {
  readonly path: string
  readonly #cutter = createLineCutter()
  #identity: string | null = null
  #seen = { size: -1, changed: -1 }
  /** The new data does not continue the old file. */
  #broken = false
  #head = Buffer.alloc(0)
  #tail = Buffer.alloc(0)

  /** Hash of all bytes taken; null if `holdsAll` is not used. */
  readonly #hash: Hash | null

  /** @param hashed so that `holdsAll` can be asked */
  constructor(path: string, hashed = false) {
    this.path = path
    this.#hash = hashed ? createHash(HASH) : null
  }

  position(): number {
    return this.#cutter.position()
  }

  /** The last line, if it is held back. */
  held(): RawLine | null {
    return this.#cutter.rest()
  }

  seal(): Seal {
    return { size: this.position(), head: this.#head, tail: this.#tail }
  }

  /**
   * Lines that came since the last time. The unfinished last one is held back unless `take` says
   * that it is to be used as it is.
   */
  async *read(options: TailOptions): AsyncGenerator<readonly RawLine[]> {
    const { held = null } = options
    if (held === null) {
      const file = await openRegular(this.path)
      try {
        const info = await file.stat({ bigint: true })
        const chunks = chunksFrom(file, this.position(), spaceFor(info.size))
        yield* this.#readFrom(chunks, info, options)
      } finally {
        await file.close()
      }
    } else yield* this.#readFrom(chunksOf(held), held.info, options)
    const last = this.#cutter.rest()
    if (this.#broken || last === null || !options.take(last)) return
    this.#cutter.give()
    yield [last]
  }

  /** Looks at the disk. */
  async look(): Promise<FileState> {
    if (this.#broken) return 'other'
    const info = await stat(this.path, { bigint: true }).catch(() => null)
    if (info?.isFile() !== true) return 'gone'
    if (this.#identity !== null && identityOf(info) !== this.#identity) return 'other'
    const now = { size: Number(info.size), changed: Number(info.mtimeNs) }
    if (now.size === this.#seen.size && now.changed === this.#seen.changed) return 'same'
    if (now.size < this.position()) return 'other'
    return (await holds(this.path, this.seal())) ? 'grown' : 'other'
  }

  /** [I148] Whether the file still begins with all the bytes read from it. False if they were not hashed. */
  async holdsAll(): Promise<boolean> {
    if (this.#broken || this.#hash === null) return false
    const now = createHash(HASH)
    const file = await openRegular(this.path)
    try {
      let left = this.position()
      for await (const chunk of chunksFrom(file, 0, CHUNK)) {
        now.update(chunk.subarray(0, left))
        left -= Math.min(left, chunk.length)
        if (left === 0) break
      }
      return left === 0 && now.digest('hex') === this.#hash.copy().digest('hex')
    } finally {
      await file.close()
    }
  }

  async *#readFrom(
    chunks: AsyncGenerator<Buffer>,
    info: BigIntStats,
    { signal, onBytes }: TailOptions,
  ): AsyncGenerator<readonly RawLine[]> {
    this.#identity ??= identityOf(info)
    this.#broken ||= this.#identity !== identityOf(info)
    if (this.#broken) {
      await chunks.return(undefined)
      return
    }
    this.#seen = { size: Number(info.size), changed: Number(info.mtimeNs) }
    for await (const chunk of chunks) {
      signal?.throwIfAborted()
      const at = this.position()
      if (at + chunk.length < SMALLEST) return
      // Half a unit at the end of the file waits for its other half.
      const unit = at === 0 ? unitOf(chunk) : this.#cutter.unit()
      const whole = chunk.subarray(0, chunk.length - ((at + chunk.length) % unit))
      const lines = this.#cutter.take(whole)
      this.#broken = lines === null
      if (lines === null) return
      this.#note(whole)
      onBytes?.(this.position())
      yield lines
      if (whole.length < chunk.length) return
    }
  }

  #note(chunk: Buffer): void {
    this.#hash?.update(chunk)
    const missing = EDGE - this.#head.length
    if (missing > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, missing)])
    this.#tail =
      chunk.length >= EDGE
        ? Buffer.from(chunk.subarray(-EDGE))
        : Buffer.concat([this.#tail, chunk]).subarray(-EDGE)
  }
}

/** Bytes of a file from a position on; the next ones are on their way while these are looked at. */
async function* chunksFrom(file: FileHandle, from: number, size: number): AsyncGenerator<Buffer> {
  const buffers = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)] as const
  let at = from
  let turn = 0
  let coming = file.read(buffers[0], 0, size, at)
  try {
    for (;;) {
      const { bytesRead, buffer } = await coming
      if (bytesRead === 0) return
      at += bytesRead
      turn = 1 - turn
      coming = file.read(buffers[turn === 0 ? 0 : 1], 0, size, at)
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    // The file must not be closed under a read.
    await coming.catch(() => undefined)
  }
}

/** A held file from its beginning. A short file ends where it ended when it was opened. */
async function* chunksOf(held: OpenFile): AsyncGenerator<Buffer> {
  const { start, size } = held
  if (start.length > 0) yield start
  if (start.length < size) yield* chunksFrom(await held.handle(), start.length, CHUNK)
}

function unitOf(start: Buffer): number {
  return sniffEncoding(start).name === 'utf8' ? 1 : 2
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev} ${ino}`
}

/** A little more than there is, so that one read sees the end. */
function spaceFor(size: bigint): number {
  return size > BigInt(CHUNK) ? CHUNK : Number(size) + SMALLEST
}

/** Whether a file still begins and ends (at the sealed size) as it did. */
export async function holds(path: string, { size, head, tail }: Seal): Promise<boolean> {
  const [first, last] = await Promise.all([
    byteRange(path, 0, head.length),
    byteRange(path, size - tail.length, tail.length),
  ])
  return first.equals(head) && last.equals(tail)
}

/** Seals a file as it was when it was opened. */
export async function sealOf(file: OpenFile): Promise<Seal> {
  const { size } = file
  const length = Math.min(size, EDGE)
  const head = await file.range(0, length)
  const tail = await file.range(size - length, length)
  // Copies: the bytes around them need not stay in memory.
  return { size, head: Buffer.from(head), tail: Buffer.from(tail) }
}
