import { ownOf } from '../../../engine/schema/own.ts'
import { basename, dirname, join } from 'node:path'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { LibraryEntry, LibraryStats } from '../../../engine/schema/library.ts'
import type { Fingerprints, IndexRecord, LibraryIndex } from './index-file.ts'
import type { SeenFile } from '../../files/walk.ts'

/** Files that are read with one of this format, relative to the library folder. */
export type CompanionsOf = (format: string | null, path: string) => readonly string[]

/** Looks among these files. The importers are loaded for it: no window waits for a scan to begin. */
export async function companionFinder(files: readonly SeenFile[]): Promise<CompanionsOf> {
  const { IMPORTERS } = await import('../../../engine/import/table.ts')
  const neighboursOf = createNeighbours(files)
  return (format, path) => {
    const importer = IMPORTERS.find((row) => row.name === format)
    if (importer?.companions === undefined) return []
    const folder = dirname(path)
    return importer
      .companions(basename(path), neighboursOf(path))
      .map((name) => (folder === '.' ? name : `${folder}/${name}`))
  }
}

/** Paths relative to the folder of a file, of all files in it and below; made once a folder. */
function createNeighbours(files: readonly SeenFile[]): (path: string) => readonly string[] {
  const byFolder = new Map<string, readonly string[]>()
  return (path) => {
    const folder = dirname(path)
    const known = byFolder.get(folder)
    if (known !== undefined) return known
    const prefix = folder === '.' ? '' : `${folder}/`
    const inside = files.flatMap((file) =>
      file.path.startsWith(prefix) ? [file.path.slice(prefix.length)] : [],
    )
    byFolder.set(folder, inside)
    return inside
  }
}

/**
 * [K5] Records that are listed: the first of files that are read together stands for them, and files
 * that are no transcripts are left out. `skipped` says how many, and why.
 */
export function listed(records: readonly IndexRecord[]): {
  readonly records: readonly IndexRecord[]
  readonly skipped: ReadonlyMap<string, number>
} {
  const claimed = new Set<string>()
  const skipped = new Map<string, number>()
  const shown: IndexRecord[] = []
  for (const record of records) {
    const reason = claimed.has(record.path) ? 'part of another transcript' : record.skipped
    if (reason !== null) {
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
      continue
    }
    shown.push(record)
    for (const path of record.companions) claimed.add(path)
  }
  return { records: shown, skipped }
}

/** A record as the window sees it, with the stats of one configuration. */
export function entryOf(
  folder: string,
  record: IndexRecord,
  fingerprints: Fingerprints,
): Immutable<LibraryEntry> {
  const { path, bytes, modifiedAt, problem } = record
  const inside = dirname(path)
  return {
    ...{ path: join(folder, path), name: basename(path), inside: inside === '.' ? '' : inside },
    ...{ bytes, modifiedAt, problem },
    ...factsOf(record),
    stats: statsOf(record, fingerprints),
  }
}

/** What reading the file showed, and nothing where it was not read. */
function factsOf({ facts, problem }: IndexRecord) {
  if (facts !== null) {
    const { label, ...rest } = facts
    return { state: 'read', formatLabel: label, ...rest } as const
  }
  const state = problem === null ? 'listed' : 'failed'
  const nothing = { format: null, formatLabel: null, title: null, startedAt: null } as const
  return { state, ...nothing, sessions: 0, events: 0, problems: 0 } as const
}

/** Null until both the configuration and, where there is one, the comparison were replayed. */
function statsOf(
  record: IndexRecord,
  { base, pair }: Fingerprints,
): Immutable<LibraryStats> | null {
  const stats = ownOf(record.stats, base)
  const flips = pair === null ? null : ownOf(record.flips, pair)
  return stats === undefined || flips === undefined ? null : { ...stats, flips }
}

/** Whether nothing has to be read or replayed to answer for this record. */
export function isComplete(record: IndexRecord, fingerprints: Fingerprints): boolean {
  if (record.skipped !== null || record.problem !== null) return true
  return statsOf(record, fingerprints) !== null
}

/** Listed entries of an index. */
export function entriesOf(index: LibraryIndex, fingerprints: Fingerprints) {
  const { records } = listed(index.records)
  return {
    entries: records.map((record) => entryOf(index.folder, record, fingerprints)),
    stale: index.scannedAt === null || records.some((record) => !isComplete(record, fingerprints)),
  }
}
