import { foldersOf } from '../../../batch/folders.ts'
import { LINE_STEP, hasPlaces, readLineStarts } from '../../../batch/line-starts.ts'
import { LONG_TEXT_BYTES, readBytes } from '../../../platform/files/regular-file.ts'
import type { SourceFile } from '../../source-file.ts'
import type { EditTask } from '../work.ts'

/** A source of lines, and where every 256th of them begins. */
export interface PlacedLines {
  readonly source: SourceFile
  readonly column: string
  readonly starts: readonly number[]
}

/** [F132] The sources whose lines can be looked through in stretches: those of which the batch wrote down where lines begin. */
export async function placedLines(
  folder: string,
  sources: readonly SourceFile[],
): Promise<readonly PlacedLines[]> {
  const placed: PlacedLines[] = []
  for (const [at, source] of sources.entries()) {
    const { kind, size, columns, path } = source.planned
    if (columns === undefined || !hasPlaces(kind, path)) continue
    const file = foldersOf(folder).lineStarts(at)
    const bytes = await readBytes(file, LONG_TEXT_BYTES).catch(() => null)
    if (bytes === null) continue
    placed.push({ source, column: columns.message, starts: readLineStarts(bytes, size) })
  }
  return placed
}

/**
 * Bytes of a stretch: it takes a tenth of a second or two, so that progress moves and Cancel is not felt. Where every
 * line is parsed and looked through, fewer.
 */
const STRETCH_BYTES = { some: 16 * 1024 * 1024, all: 2 * 1024 * 1024 } as const

/** @param lines which of them are looked through: all, or some that hold a literal */
export function* stretchesOf(
  placed: readonly PlacedLines[],
  lines: keyof typeof STRETCH_BYTES,
): Generator<EditTask, void, undefined> {
  for (const { source, column, starts } of placed) {
    const { planned, path } = source
    let from = 0
    for (let step = 0; step < starts.length; step += 1) {
      const begin = starts[from] ?? 0
      const end = starts[step + 1]
      if (end !== undefined && end - begin < STRETCH_BYTES[lines]) continue
      const least = (end === undefined ? step : step + 1) * LINE_STEP
      const next = { least, most: end === undefined ? least + LINE_STEP - 1 : least }
      const place = { from: begin, to: end ?? planned.size, line: from * LINE_STEP, next }
      yield { kind: 'look', file: planned.path, path, column, ...place }
      from = step + 1
    }
  }
}
