import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { type KnownFile, openKnown } from './regular-file.ts'

/** Bytes that are read when a file is opened: most transcripts are not longer. */
const FIRST_BYTES = 1 << 18

/**
 * [I147] A regular file that is opened once. Recognising, sealing and reading it all ask this one handle, and
 * most of them what was read of it at once. It has the size that it had when it was opened.
 */
export class OpenFile {
  readonly path: string
  readonly info: BigIntStats
  /** Bytes when it was opened. */
  readonly size: number
  #start: Buffer
  #file: FileHandle | null
  /** The handle that is being opened: two readers at a time share it. */
  #opening: Promise<FileHandle> | null = null

  private constructor(path: string, { file, info }: KnownFile, start: Buffer) {
    this.path = path
    this.info = info
    this.#start = start
    this.#file = file
    // A file that was cut off meanwhile ends where its bytes do.
    const size = Number(info.size)
    this.size = start.length < Math.min(size, FIRST_BYTES) ? start.length : size
  }

  /** Opens a file, and reads its beginning. Rejects with the system's error. */
  static async open(path: string): Promise<OpenFile> {
    const known = await openKnown(path)
    try {
      const room = Buffer.allocUnsafeSlow(Math.min(Number(known.info.size), FIRST_BYTES))
      return new OpenFile(path, known, room.subarray(0, await fill(known.file, room, 0)))
    } catch (error) {
      await known.file.close()
      throw error
    }
  }

  get isOpen(): boolean {
    return this.#file !== null
  }

  /** Its first bytes: all of them where it is not longer than `FIRST_BYTES`; none when it was let go. */
  get start(): Buffer {
    return this.#start
  }

  /** The handle, for whoever reads from a position on. It stays this object's, and must not be closed. */
  async handle(): Promise<FileHandle> {
    if (this.#file !== null) return this.#file
    this.#opening ??= this.#reopen()
    return this.#opening
  }

  async #reopen(): Promise<FileHandle> {
    try {
      const { file } = await openKnown(this.path)
      this.#file = file
      return file
    } finally {
      this.#opening = null
    }
  }

  /** The bytes `[offset, offset + length)`, fewer where it ended earlier. They are not to be written to. */
  async range(offset: number, length: number): Promise<Buffer> {
    const end = Math.min(offset + length, this.size)
    if (end <= offset) return Buffer.alloc(0)
    if (end <= this.#start.length) return this.#start.subarray(offset, end)
    const buffer = Buffer.allocUnsafe(end - offset)
    return buffer.subarray(0, await fill(await this.handle(), buffer, offset))
  }

  /** Gives handle and bytes back. It is opened again where it is asked for more. */
  async letGo(): Promise<void> {
    await this.#opening?.catch(() => undefined)
    const file = this.#file
    this.#file = null
    this.#start = Buffer.alloc(0)
    await file?.close()
  }
}

/** Reads until the buffer is full or the file ends; returns how many bytes there were. */
async function fill(file: FileHandle, buffer: Buffer, position: number): Promise<number> {
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}
