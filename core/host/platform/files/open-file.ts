import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { type KnownFile, openKnown } from './regular-file.ts'

/** Bytes that are read when a file is opened: most transcripts are not longer. */
const FIRST_BYTES = 1 << 18

/**
 * [I147] A regular file that is opened once. Format recognition, sealing and reading share this handle, and mostly its
 * first bytes, which are read once. Its size is the size at the time of opening.
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
    // If the file was truncated meanwhile, it ends where its bytes end.
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

  /** Its first bytes: the whole file if it has at most `FIRST_BYTES`; empty after `letGo`. */
  get start(): Buffer {
    return this.#start
  }

  /** The handle, for readers from a given position. This object owns it; callers must not close it. */
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

  /** The bytes `[offset, offset + length)`, fewer if the file ended earlier. Callers must not modify them. */
  async range(offset: number, length: number): Promise<Buffer> {
    const end = Math.min(offset + length, this.size)
    if (end <= offset) return Buffer.alloc(0)
    if (end <= this.#start.length) return this.#start.subarray(offset, end)
    const buffer = Buffer.allocUnsafe(end - offset)
    return buffer.subarray(0, await fill(await this.handle(), buffer, offset))
  }

  /** Releases handle and bytes. Later reads open the file again. */
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
