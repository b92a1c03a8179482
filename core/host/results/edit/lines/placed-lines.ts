import { foldersOf } from '../../../batch/folders.ts'
import { LINE_STEP, hasPlaces, readLineStarts } from '../../../batch/line-starts.ts'
import { LONG_TEXT_BYTES, readBytes } from '../../../files/regular-file.ts'
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

/** A stretch takes some hundredths of a second, so that Cancel is not felt, and starting one costs nothing beside it. */
const STRETCH_BYTES = 32 * 1024 * 1024

export function* stretchesOf(placed: readonly PlacedLines[]): Generator<EditTask, void, undefined> {
  for (const { source, column, starts } of placed) {
    const { planned, path } = source
    let from = 0
    for (let step = 0; step < starts.length; step += 1) {
      const begin = starts[from] ?? 0
      const end = starts[step + 1]
      if (end !== undefined && end - begin < STRETCH_BYTES) continue
      const least = (end === undefined ? step : step + 1) * LINE_STEP
      const next = { least, most: end === undefined ? least + LINE_STEP - 1 : least }
      const place = { from: begin, to: end ?? planned.size, line: from * LINE_STEP, next }
      yield { kind: 'look', file: planned.path, path, column, ...place }
      from = step + 1
    }
  }
}
