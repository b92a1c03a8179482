import { hash } from 'node:crypto'
import { dirname, join, posix } from 'node:path'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { LibraryEntry } from '../../../engine/schema/library.ts'
import type { Fingerprints, IndexRecord, LibraryIndex } from './index-file.ts'
import { companionFinder, type CompanionsOf, entryOf, isComplete, listed } from './listing.ts'
import type { Reading } from '../../../wire/internal/session.ts'
import type { SeenFile, Walk } from '../../platform/files/walk.ts'

/** Configurations whose stats an index keeps. */
const KEPT_CONFIGS = 8

/** Larger files are listed but not read in the background. The operator decides whether to open one. */
const MOST_BYTES = 1_000_000_000

/** State of a scan. */
export interface ScanPlan {
  readonly folder: string
  /** All files as known now. Unchanged files keep their indexed data. */
  readonly records: Map<string, IndexRecord>
  /** Files to read, shallow ones first. */
  readonly jobs: readonly SeenFile[]
  readonly companionsOf: CompanionsOf
  /** All files by path. */
  readonly sizes: ReadonlyMap<string, SeenFile>
  /** Paths that the index knew and the folder no longer has, absolute. */
  readonly removed: readonly string[]
  readonly walk: Walk
}

/** [K3] Compares a walk with the index: unchanged files are not read again. */
export async function planScan(
  index: LibraryIndex,
  walk: Walk,
  fingerprints: Fingerprints,
): Promise<ScanPlan> {
  const companionsOf = await companionFinder(walk.files)
  const sizes = new Map(walk.files.map((file) => [file.path, file]))
  const known = new Map(index.records.map((record) => [record.path, record]))
  const records = new Map<string, IndexRecord>()
  for (const file of walk.files) {
    const old = known.get(file.path)
    const near = companionsOf(old?.facts?.format ?? null, file.path)
    // Which of them are its own was seen when it was read.
    const companions = old?.companions.filter((path) => sizes.has(path)) ?? []
    const stamp = stampOf(file, { companions, near, sizes })
    records.set(file.path, old?.stamp === stamp ? old : { ...freshRecord(file, stamp), companions })
  }
  const isListed = new Set(listed([...records.values()]).records.map(({ path }) => path))
  const jobs = walk.files.filter(({ path }) => {
    const record = records.get(path)
    return record !== undefined && isListed.has(path) && !isComplete(record, fingerprints)
  })
  const removed = index.records
    .filter(({ path, skipped }) => skipped === null && !records.has(path))
    .map(({ path }) => join(index.folder, path))
  return { folder: index.folder, records, jobs, companionsOf, sizes, removed, walk }
}

interface Around {
  /** Files that are read with it. */
  readonly companions: readonly string[]
  /** Files that may be, by their names: a new one may be its own. */
  readonly near: readonly string[]
  readonly sizes: ReadonlyMap<string, SeenFile>
}

/** [K3] Size and time of a file and of those read with it, and which others were looked at for it. */
function stampOf(
  file: Pick<SeenFile, 'bytes' | 'modifiedAt'>,
  { companions, near, sizes }: Around,
): string {
  const files = [file, ...companions.flatMap((path) => sizes.get(path) ?? [])]
  const stamps = files.map(({ bytes, modifiedAt }) => `${bytes}:${modifiedAt}`)
  if (near.length > 0) stamps.push(hash('sha256', near.join('\n'), 'base64url').slice(0, 8))
  return stamps.join(' ')
}

function freshRecord(file: SeenFile, stamp: string): IndexRecord {
  const { path, bytes, modifiedAt } = file
  const problem =
    bytes <= MOST_BYTES
      ? null
      : {
          what: 'larger than 1 GB, so it is not read in the background',
          where: path,
          do: 'Open it to see it',
        }
  return {
    path,
    bytes,
    modifiedAt,
    stamp,
    companions: [],
    facts: null,
    problem,
    skipped: null,
    stats: {},
    flips: {},
  }
}

/** Updates the record of a file with the result of reading it. */
export function takeReading(
  plan: ScanPlan,
  file: SeenFile,
  reading: Reading,
  { base, pair }: Fingerprints,
): void {
  const old = plan.records.get(file.path) ?? freshRecord(file, '')
  const record = withReading(plan, old, reading)
  if (reading.kind === 'read') {
    const { flips, ...stats } = reading.stats
    plan.records.set(file.path, {
      ...record,
      stats: { ...old.stats, [base]: stats },
      flips: pair === null || flips === null ? old.flips : { ...old.flips, [pair]: flips },
    })
  } else plan.records.set(file.path, record)
}

function withReading(plan: ScanPlan, old: IndexRecord, reading: Reading): IndexRecord {
  if (reading.kind === 'skipped') return { ...old, skipped: reading.reason }
  if (reading.kind === 'failed') return { ...old, problem: reading.problem }
  const { format, label, title, startedAt, sessions, events, problems } = reading
  const facts = { format, label, title, startedAt, sessions, events, problems }
  const folder = dirname(old.path)
  const companions = reading.companions.map((name) => posix.join(folder, name))
  const around = { companions, near: plan.companionsOf(format, old.path), sizes: plan.sizes }
  return { ...old, facts, companions, stamp: stampOf(old, around), problem: null, skipped: null }
}

/** The index after a scan, or in the middle of one (`scannedAt` stays then). */
export function indexAfter(
  index: LibraryIndex,
  plan: ScanPlan,
  fingerprints: Fingerprints,
  scannedAt: number | null,
): LibraryIndex {
  const now = [fingerprints.base, fingerprints.pair].filter((key) => key !== null)
  const used = [...index.used.filter((key) => !now.includes(key)), ...now].slice(-KEPT_CONFIGS)
  const keep = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => used.includes(key)))
  const records = [...plan.records.values()].map((record) => ({
    ...record,
    stats: keep(record.stats),
    flips: keep(record.flips),
  }))
  const skipped = Object.fromEntries(plan.walk.skipped)
  return { ...index, records, used, skipped, scannedAt: scannedAt ?? index.scannedAt }
}

/** Entries that a window is shown of these files now. */
export function shownNow(
  plan: ScanPlan,
  files: readonly SeenFile[],
  fingerprints: Fingerprints,
): ReadonlyArray<Immutable<LibraryEntry>> {
  const wanted = new Set(files.map(({ path }) => path))
  return listed([...plan.records.values()])
    .records.filter(({ path }) => wanted.has(path))
    .map((record) => entryOf(plan.folder, record, fingerprints))
}
