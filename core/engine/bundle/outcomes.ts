import { parseJson } from '../result.ts'
import { OutcomeRecord } from '../schema/bundle.ts'
import { OutcomeFile } from '../schema/track2.ts'
import type { BundleFiles } from './ports.ts'
import { isLater, timeOf } from './times.ts'

/** [A12] Folder of the summaries that Chapter 13 has curated. */
const FOLDER = 'chapter13/summaries'
const MAX_BYTES = 1_048_576

export interface OutcomeQuery {
  /** 13 reads the outcomes of all steps. */
  readonly step: number
  readonly most: number
  readonly mostFiles: number
  /** ISO time; later outcomes count as not yet known. Null means all. */
  readonly until: string | null
}

export interface Outcomes {
  readonly outcomes: readonly OutcomeRecord[]
  /** Files that gave at least one outcome to the bundle, in order of reading. */
  readonly used: readonly string[]
  /** Records and whole files that could not be used, by path. */
  readonly malformed: ReadonlyArray<{ readonly path: string; readonly count: number }>
}

interface Found {
  readonly record: OutcomeRecord
  readonly path: string
  /** Place among all records read: a tie of times is broken by it. */
  readonly place: number
}

/**
 * [A12] The newest outcomes of a step. Names of files decide which are read (the last ones by code
 * point), times in the records decide the order; undated ones come last.
 */
export function readOutcomes(files: BundleFiles, query: OutcomeQuery): Outcomes {
  const names = files
    .list(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .toReversed()
    .slice(0, query.mostFiles)
  const found: Found[] = []
  const malformed: Array<{ path: string; count: number }> = []
  for (const name of names) {
    const path = `${FOLDER}/${name}`
    const { records, bad } = readFile(files, path)
    if (bad > 0) malformed.push({ path, count: bad })
    for (const record of records) {
      if (query.step !== 13 && record.step !== query.step) continue
      if (isLater(record.timestamp, query.until)) continue
      found.push({ record, path, place: found.length })
    }
  }
  const kept = found.toSorted(newestFirst).slice(0, query.most)
  const used = new Set(kept.map(({ path }) => path))
  return {
    outcomes: kept.map(({ record }) => record),
    used: names.map((name) => `${FOLDER}/${name}`).filter((path) => used.has(path)),
    malformed,
  }
}

function newestFirst(a: Found, b: Found): number {
  return timeOf(b.record.timestamp) - timeOf(a.record.timestamp) || a.place - b.place
}

function readFile(
  files: BundleFiles,
  path: string,
): { readonly records: readonly OutcomeRecord[]; readonly bad: number } {
  const read = files.read(path, MAX_BYTES)
  if (read.kind !== 'ok') return { records: [], bad: 1 }
  const value = parseJson(read.text)
  const file = value.ok ? OutcomeFile.safeParse(value.value) : null
  if (file?.success !== true) return { records: [], bad: 1 }
  const { data } = file
  const items: readonly unknown[] = Array.isArray(data)
    ? data
    : 'outcomes' in data
      ? data.outcomes
      : [data]
  const parsed = items.map((item) => OutcomeRecord.safeParse(item))
  return {
    records: parsed.flatMap(({ data: record }) => record ?? []),
    bad: parsed.filter(({ success }) => !success).length,
  }
}
