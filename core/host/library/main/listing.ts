import { ownOf } from '../../../engine/schema/own.ts'
import { basename, dirname, join } from 'node:path'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { LibraryEntry, LibraryStats } from '../../../engine/schema/library.ts'
import type { Fingerprints, IndexRecord, LibraryIndex } from './index-file.ts'
import type { SeenFile } from '../../platform/files/walk.ts'

/** Files that may be read with one of this format by their names, relative to the library folder. */
export type CompanionsOf = (format: string | null, path: string) => readonly string[]

/** Looks among these files. The importers are loaded for it: no window waits for a scan to begin. */
export async function companionFinder(files: readonly SeenFile[]): Promise<CompanionsOf> {
  const { IMPORTERS } = await import('../../../engine/import/table.ts')
  const { FOLDER_ROUNDS } = await import('../../../engine/import/source.ts')
  const { filesIn, foldersIn } = createFolders(files)
  return (format, path) => {
    const importer = IMPORTERS.find((row) => row.name === format)
    if (importer?.companions === undefined) return []
    const name = basename(path)
    const folder = dirname(path)
    const inFolders = (wanted: readonly string[]): readonly string[] =>
      wanted.flatMap((each) => {
        const names = filesIn(joined(folder, each))
        return each === '.' ? names : names.map((inside) => `${each}/${inside}`)
      })
    const expanded = (wanted: readonly string[]): readonly string[] =>
      wanted.flatMap((each) => {
        if (!each.endsWith('/*')) return [each]
        const around = each.slice(0, -2)
        return foldersIn(joined(folder, around)).map((inside) => `${around}/${inside}`)
      })
    let neighbours = inFolders(['.', ...foldersIn(folder)])
    if (importer.companionFolders !== undefined) {
      neighbours = []
      for (let round = 0; round < FOLDER_ROUNDS; round += 1) {
        const wanted = importer.companionFolders(name, { files: neighbours, round })
        neighbours = inFolders([...new Set(expanded(wanted))])
        if (neighbours.length === 0) break
      }
    }
    return importer.companions(name, neighbours).map((found) => joined(folder, found))
  }
}

function joined(folder: string, inside: string): string {
  if (inside === '.') return folder
  return folder === '.' ? inside : `${folder}/${inside}`
}

/** The names of these files, and of the folders that they are in, by folder. */
function createFolders(files: readonly SeenFile[]) {
  const names = Map.groupBy(files, ({ path }) => dirname(path))
  const inside = Map.groupBy(names.keys(), dirname)
  const byFolder = new Map<string, readonly string[]>()
  return {
    foldersIn: (folder: string): readonly string[] =>
      (inside.get(folder) ?? []).filter((each) => each !== '.').map((each) => basename(each)),
    filesIn: (folder: string): readonly string[] => {
      const known = byFolder.get(folder)
      if (known !== undefined) return known
      const found = (names.get(folder) ?? []).map(({ path }) => basename(path))
      byFolder.set(folder, found)
      return found
    },
  }
}

/**
 * [K5] Records to list. Of files that are read together, one represents all: the file that reads the others, or the
 * first of several. Files that are not transcripts are omitted. `skipped` holds their count by reason.
 */
export function listed(records: readonly IndexRecord[]): {
  readonly records: readonly IndexRecord[]
  readonly skipped: ReadonlyMap<string, number>
} {
  const claimed = new Set(partsAlone(records))
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

/** Files that are read as part of another one and have no companions. They may come before that file. */
function partsAlone(records: readonly IndexRecord[]): readonly string[] {
  const whole = new Set(
    records.flatMap(({ path, companions }) => (companions.length > 0 ? path : [])),
  )
  return records.flatMap(({ skipped, companions }) =>
    skipped === null ? companions.filter((path) => !whole.has(path)) : [],
  )
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
    path: join(folder, path),
    name: basename(path),
    inside: inside === '.' ? '' : inside,
    bytes,
    modifiedAt,
    problem,
    ...factsOf(record),
    stats: statsOf(record, fingerprints),
  }
}

/** Facts from reading the file; empty if it was not read. */
function factsOf({ facts, problem }: IndexRecord) {
  if (facts !== null) {
    const { label, ...rest } = facts
    return { state: 'read', formatLabel: label, ...rest } as const
  }
  const state = problem === null ? 'listed' : 'failed'
  const nothing = { format: null, formatLabel: null, title: null, startedAt: null } as const
  return { state, ...nothing, sessions: 0, events: 0, problems: 0 } as const
}

/** Null until the configuration and, if given, the comparison were replayed. */
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
