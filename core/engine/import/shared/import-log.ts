import type { SourceRef } from '../../schema/event.ts'
import type { LineProblem } from '../../schema/session.ts'
import { compact } from './guards.ts'

/** [I9] At most this many problems are listed; all of them are counted. */
export const MAX_PROBLEMS = 10_000
const MAX_TYPES = 500
const PREVIEW = 160
/** Characters of a record that are used for its preview. */
const SHOWN = 400

/** The report of an import: problems are listed, records that are skipped on purpose are counted. */
export interface ImportLog {
  problem(code: LineProblem['code'], place: Place, message: string): void
  /** Lists a record whose shape the format does not know. */
  unusable(record: { readonly value: unknown; readonly ref: SourceRef }, message: string): void
  /** Counts a record that is deliberately not an event, by type. */
  readonly skip: (type: string) => void
  /** [I108] Notes that the current record is of a kind that the format does not know. */
  readonly unknown: (kind: string) => void
  /** [I108] Marks the current record as read if its events are created later. */
  readonly used: () => void
  /** Sets counts that may still change: each call replaces the counts of the call before. */
  readonly recount: (counts: ReadonlyMap<string, number>) => void
  /** Notes that the file has at least this many lines. */
  countLine(line: number): void
  readonly report: () => LogReport
}

export interface LogReport {
  readonly problems: readonly LineProblem[]
  readonly problemTotal: number
  readonly lines: number
  readonly skipped: Readonly<Record<string, number>>
}

/** [I108] Outcome counts for the records of a file. `records` is the sum of the other three. */
export interface RecordCounts {
  readonly records: number
  /** At least one event, or a fact about the session, was made of them. */
  readonly read: number
  /** Of a kind that is deliberately no event: bookkeeping, copies, empty messages. */
  readonly skipped: number
  /** Of a kind or shape that the format does not know. */
  readonly unknown: number
}

export interface Place {
  readonly line: number
  readonly offset: number
  readonly length: number
  readonly text: string
  /** Index into the transcript's `files`; absent for the opened file itself. */
  readonly file?: number | undefined
}

/** Readable beginning of a bad line: control characters are shown as a replacement. */
function preview(line: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  return line.slice(0, PREVIEW).replace(/[\u0000-\u001f\u007f]/g, '\u2400')
}

/** A problem of a place, with the readable beginning of its text. */
export function problemAt(code: LineProblem['code'], place: Place, message: string): LineProblem {
  const { line, offset, length, file, text } = place
  const found = { line, offset, length, code, message, preview: preview(text) }
  return file === undefined ? found : { ...found, file }
}

export function createLog(): ImportLog {
  const problems: LineProblem[] = []
  const skipped = new Map<string, number>()
  let later: ReadonlyMap<string, number> = new Map()
  let problemTotal = 0
  let lines = 0
  const problem: ImportLog['problem'] = (code, place, message) => {
    problemTotal += 1
    if (problems.length < MAX_PROBLEMS) problems.push(problemAt(code, place, message))
  }
  const skip: ImportLog['skip'] = (type) => {
    // A hostile file may use a different type on each line.
    const known = skipped.has(type) || skipped.size < MAX_TYPES
    const key = known ? type.slice(0, 80) : 'other types'
    skipped.set(key, (skipped.get(key) ?? 0) + 1)
  }
  return {
    problem,
    skip,
    unknown: skip,
    used: () => undefined,
    unusable: ({ value, ref }, message) =>
      problem('unknown_shape', { ...ref, text: compact(value).slice(0, SHOWN) }, message),
    recount(counts) {
      later = counts
    },
    countLine(line) {
      lines = Math.max(lines, line)
    },
    report: () => ({
      problems,
      problemTotal,
      lines,
      skipped: Object.fromEntries(added(skipped, later)),
    }),
  }
}

function added(
  counts: ReadonlyMap<string, number>,
  others: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const all = new Map(counts)
  for (const [type, count] of others) all.set(type, (all.get(type) ?? 0) + count)
  return all
}
