import { readdir, stat } from '../platform/files/fenced-fs.ts'
import { basename, dirname, join } from 'node:path'
import { type BatchFolders, textOrNull } from './folders.ts'

/** What the parts hold. */
export interface Divided {
  /** In all parts. */
  readonly rows: number
  /** By part; one that is missing holds none. */
  readonly bytes: ReadonlyMap<number, number>
}

const PART_FOLDER = /^part=(\d+)$/u

/**
 * What was divided: rows, for the share that is done, and of each part the bytes, for the order of parts. The rows were
 * counted when they were written: to ask all files for theirs would take longer than many a batch.
 */
export async function measureParts(folders: BatchFolders): Promise<Divided> {
  const bytes = new Map<number, number>()
  let rows = 0
  const root = dirname(folders.divided(0))
  for (const file of await readdir(root).catch(() => [])) {
    rows += Number((await textOrNull(folders.dividedRows(join(root, file)))) ?? 0)
    const parts = await readdir(join(root, file), { recursive: true, withFileTypes: true })
    for (const { parentPath, name } of parts.filter((entry) => entry.isFile())) {
      const part = Number(PART_FOLDER.exec(basename(parentPath))?.[1])
      if (!Number.isInteger(part)) continue
      bytes.set(part, (bytes.get(part) ?? 0) + (await stat(join(parentPath, name))).size)
    }
  }
  return { rows, bytes }
}

/** Parts, the largest first: what is left at the end is small, so that threads end at about the same time. */
export function largestFirst(parts: readonly number[], { bytes }: Divided): number[] {
  return parts.toSorted((a, b) => (bytes.get(b) ?? 0) - (bytes.get(a) ?? 0))
}

/** About how many rows these parts hold: their share of all rows by bytes. */
export function rowsOf(parts: readonly number[], { rows, bytes }: Divided): number {
  const all = bytesOf([...bytes.keys()], bytes)
  return all === 0 ? 0 : Math.round((rows * bytesOf(parts, bytes)) / all)
}

const bytesOf = (parts: readonly number[], bytes: Divided['bytes']): number =>
  parts.reduce((sum, part) => sum + (bytes.get(part) ?? 0), 0)
