import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from '../../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { quantiseRow } from './kernel/quantise.ts'
import { SEGMENT_ROWS, Segment, strideOf } from './kernel/segment.ts'

/** The files do not match the database. */
export class Damage extends Error {}

/** A row of floats does not match its codes. Detected when it is scored, not when it is opened. */
export class RowDamage extends Damage {}

/** The state of the files according to the database. */
export interface Extent {
  readonly generation: number
  readonly dimensions: number
  readonly rows: number
  /** CRC-32 of all rows of codes. */
  readonly crc: number
}

/** Rows per write, to limit the memory of an append. */
const BATCH_ROWS = 1024

/** Names of the files of one generation: 32-bit floats, and codes with their scale. */
export function fileNames(generation: number): readonly [string, string] {
  return [`vectors-${generation}.f32`, `vectors-${generation}.codes`]
}

/**
 * [D30] Vectors of a collection: rows of 32-bit floats in one file, their codes in another, both only
 * ever appended to. Rows behind the committed ones do not count: the next append writes over them.
 * Codes are in memory, floats are read when a row is scored. All calls are synchronous.
 */
export class VectorFiles {
  readonly #floats: number
  readonly #codes: number
  readonly #dimensions: number
  readonly #row: Float32Array
  readonly #rowBytes: Uint8Array
  readonly generation: number
  readonly segments: Segment[] = []
  #rows = 0
  #crc = 0

  /** Opens the files of a generation and reads its codes. Throws Damage if they do not match. */
  constructor(folder: string, extent: Extent) {
    const [floats, codes] = fileNames(extent.generation)
    const flags = constants.O_RDWR | (extent.rows === 0 ? constants.O_CREAT : 0)
    this.#floats = openSync(join(folder, floats), flags, 0o600)
    try {
      this.#codes = openSync(join(folder, codes), flags, 0o600)
    } catch (error) {
      closeSync(this.#floats)
      throw error
    }
    this.generation = extent.generation
    this.#dimensions = extent.dimensions
    this.#row = new Float32Array(extent.dimensions)
    this.#rowBytes = new Uint8Array(this.#row.buffer)
    try {
      this.load(extent)
    } catch (error) {
      this.close()
      throw error
    }
  }

  get extent(): Extent {
    const { generation } = this
    return { generation, dimensions: this.#dimensions, rows: this.#rows, crc: this.#crc }
  }

  /** Reads codes up to `extent`, where another process has appended. */
  load(extent: Extent): void {
    const stride = strideOf(this.#dimensions)
    if (fstatSync(this.#codes).size < extent.rows * stride) throw new Damage('codes are missing')
    if (fstatSync(this.#floats).size < extent.rows * this.#rowBytes.length)
      throw new Damage('vectors are missing')
    while (this.#rows < extent.rows) {
      const bytes = this.#room(extent.rows - this.#rows)
      readAll(this.#codes, bytes, this.#rows * stride)
      this.#crc = crc32(bytes, this.#crc)
      this.#rows += bytes.length / stride
    }
    if (this.#crc !== extent.crc || this.#rows !== extent.rows)
      throw new Damage('the checksum of its codes is another')
  }

  /** Appends rows and makes them durable. They count once the database says so. */
  append(vectors: readonly Float32Array[]): void {
    const stride = strideOf(this.#dimensions)
    for (let from = 0; from < vectors.length;) {
      const batch = vectors.slice(from, from + BATCH_ROWS)
      const floats = new Float32Array(batch.length * this.#dimensions)
      const bytes = new Uint8Array(floats.buffer)
      const codes = new Uint8Array(batch.length * stride)
      batch.forEach((vector, index) => {
        floats.set(vector, index * this.#dimensions)
        const row = codes.subarray(index * stride, (index + 1) * stride)
        quantiseRow(vector, row)
        const size = this.#rowBytes.length
        const crc = crc32(bytes.subarray(index * size, (index + 1) * size))
        new DataView(row.buffer, row.byteOffset).setUint32(stride - 8, crc, true)
      })
      writeAll(this.#floats, bytes, this.#rows * this.#rowBytes.length)
      writeAll(this.#codes, codes, this.#rows * stride)
      this.#keep(codes)
      from += batch.length
    }
    fdatasyncSync(this.#floats)
    fdatasyncSync(this.#codes)
  }

  /** [D30] Cuts off data of a process that ended during an append. */
  cutTail(): void {
    const ends = [
      [this.#floats, this.#rows * this.#rowBytes.length],
      [this.#codes, this.#rows * strideOf(this.#dimensions)],
    ] as const
    for (const [fd, end] of ends) if (fstatSync(fd).size > end) ftruncateSync(fd, end)
  }

  /** One row, checked. The array is used again by the next call. Throws Damage. */
  vector(slot: number): Float32Array {
    const size = this.#rowBytes.length
    readAll(this.#floats, this.#rowBytes, slot * size)
    const segment = this.segments[Math.floor(slot / SEGMENT_ROWS)]
    if (segment?.checksum(slot % SEGMENT_ROWS) !== crc32(this.#rowBytes))
      throw new RowDamage(`the checksum of vector ${slot} is another`)
    return this.#row
  }

  drop(slot: number): void {
    this.segments[Math.floor(slot / SEGMENT_ROWS)]?.drop(slot % SEGMENT_ROWS)
  }

  /** Bytes of both files. */
  size(): number {
    return fstatSync(this.#floats).size + fstatSync(this.#codes).size
  }

  /** Closes both files, even if closing the first one fails. */
  close(): void {
    try {
      closeSync(this.#floats)
    } finally {
      closeSync(this.#codes)
    }
  }

  /** Room for the next rows in one segment, at most `rows` of them. */
  #room(rows: number): Uint8Array {
    let last = this.segments.at(-1)
    if (last === undefined || last.rows === SEGMENT_ROWS) {
      last = new Segment(this.#dimensions, Math.min(rows, SEGMENT_ROWS))
      this.segments.push(last)
    }
    return last.extend(Math.min(rows, SEGMENT_ROWS - last.rows))
  }

  #keep(codes: Uint8Array): void {
    const stride = strideOf(this.#dimensions)
    this.#crc = crc32(codes, this.#crc)
    for (let at = 0; at < codes.length;) {
      const bytes = this.#room((codes.length - at) / stride)
      bytes.set(codes.subarray(at, at + bytes.length))
      at += bytes.length
      this.#rows += bytes.length / stride
    }
  }
}

function readAll(fd: number, into: Uint8Array, position: number): void {
  for (let done = 0; done < into.length;) {
    const count = readSync(fd, into, done, into.length - done, position + done)
    if (count === 0) throw new Damage('a file ends too early')
    done += count
  }
}

function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(fd, bytes, done, bytes.length - done, position + done)
}
