import type { FileHandle } from 'node:fs/promises'
import { lstat } from '../platform/files/fenced-fs.ts'
import { openRegular } from '../platform/files/regular-file.ts'
import { type BatchFolders, writeWhole } from './folders.ts'
import type { Plan } from './plan-schema.ts'

/** Of so many lines, the place of one is remembered: at a kilobyte a line, 256 kB are read for a row, and 0.1 % kept. */
export const LINE_STEP = 256
const CHUNK = 4 * 1024 * 1024
const LINE_FEED = 10
const NUMBER_BYTES = 8
const COMPRESSED = /\.(?:gz|zst)$/iu

/** Bytes at which lines of a file begin, as far as it was looked through. */
interface LineStarts {
  /** Offsets at which lines 0, LINE_STEP, 2 × LINE_STEP … begin. */
  readonly starts: readonly number[]
  /** Looks on until this line (0-based) or the end of the file. */
  readonly lookTo: (line: number) => Promise<void>
}

/** @param known starts that were found before, from line 0 on */
export function createLineStarts(
  file: Pick<FileHandle, 'read'>,
  known: readonly number[] = [0],
): LineStarts {
  const starts = [...known]
  /** The line that begins at the byte `at`, behind all that was looked at. */
  const end = { line: (starts.length - 1) * LINE_STEP, at: starts.at(-1) ?? 0, isWhole: false }
  const buffer = Buffer.allocUnsafe(CHUNK)
  return {
    starts,
    lookTo: async (line) => {
      while (!end.isWhole && (starts.length - 1) * LINE_STEP < line) {
        const { bytesRead } = await file.read(buffer, 0, CHUNK, end.at)
        if (bytesRead === 0) end.isWhole = true
        const chunk = buffer.subarray(0, bytesRead)
        for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) {
          end.line += 1
          if (end.line % LINE_STEP === 0) starts.push(end.at + at + 1)
        }
        end.at += bytesRead
      }
    },
  }
}

/** Whether lines of this source can be found by their place: a file of this machine, as it is. */
export function hasPlaces(kind: Plan['files'][number]['kind'], path: string): boolean {
  return kind === 'lines' && !COMPRESSED.test(path)
}

/** [F142] Writes the offsets of lines of a source, so that a row is found without reading all bytes before it. */
export async function writeLineStarts(
  folders: BatchFolders,
  at: number,
  { kind, path }: Plan['files'][number],
): Promise<void> {
  if (!hasPlaces(kind, path)) return
  // An address: DuckDB reads it.
  if ((await lstat(path).catch(() => null)) === null) return
  const file = await openRegular(path)
  try {
    const { starts, lookTo } = createLineStarts(file)
    await lookTo(Number.POSITIVE_INFINITY)
    const bytes = Buffer.alloc(starts.length * NUMBER_BYTES)
    for (const [index, start] of starts.entries()) bytes.writeDoubleLE(start, index * NUMBER_BYTES)
    await writeWhole(folders.lineStarts(at), bytes)
  } finally {
    await file.close()
  }
}

/**
 * Reads the line starts that a batch wrote for a source of `size` bytes. [F143] They are untrusted data. Offsets that
 * are impossible for this file are ignored, and the file is scanned instead.
 */
export function readLineStarts(bytes: Buffer, size: number): readonly number[] {
  const starts = Array.from({ length: Math.floor(bytes.length / NUMBER_BYTES) }, (_, index) =>
    bytes.readDoubleLE(index * NUMBER_BYTES),
  )
  const isSound = starts.every(
    (start, index) => Number.isInteger(start) && start <= size && start > (starts[index - 1] ?? -1),
  )
  return isSound && starts[0] === 0 ? starts : [0]
}
