import type { SeenFile } from '../platform/files/walk.ts'

/** [U152] Files of a folder that one picture looks at. */
const MOST_FILES = 2_000

/** In the order of their paths: in which order they are read is nobody's business. */
export function drawnFiles(files: readonly SeenFile[]) {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return { files: sorted.slice(0, MOST_FILES), left: Math.max(0, sorted.length - MOST_FILES) }
}
