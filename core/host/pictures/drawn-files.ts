import type { SeenFile } from '../platform/files/walk.ts'

/** [U152] Files of a folder that one picture looks at. */
const MOST_FILES = 2_000

/** Ordered by path. The order of reading does not matter. */
export function drawnFiles(files: readonly SeenFile[]) {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return { files: sorted.slice(0, MOST_FILES), left: Math.max(0, sorted.length - MOST_FILES) }
}
