import type { LineProblem } from '../../schema/session.ts'
import type { SourceRef } from '../../schema/event.ts'
import { compact } from './guards.ts'

/** [I9] At most so many problems are listed; all are counted. */
export const MAX_PROBLEMS = 10_000
const MAX_TYPES = 500
const PREVIEW = 160
/** Enough of a record for its preview; the rest of a large one need not be looked at. */
const SHOWN = 400

/** Nothing is lost silently: what could not be used is listed, what is left out on purpose is counted. */
export interface ImportLog {
  problem(code: LineProblem['code'], place: Place, message: string): void
  /** A record of which the format does not know the shape. */
  unusable(record: { readonly value: unknown; readonly ref: SourceRef }, message: string): void
  /** Counts a record that is deliberately not an event, by type. */
  readonly skip: (type: string) => void
  /** Counts that depend on what is still to come: these take the place of those given before. */
  readonly recount: (counts: ReadonlyMap<string, number>) => void
  /** The file has at least so many lines. */
  countLine(line: number): void
  readonly report: () => LogReport
}

export interface LogReport {
  readonly problems: readonly LineProblem[]
  readonly problemTotal: number
  readonly lines: number
  readonly skipped: Readonly<Record<string, number>>
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
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  return line.slice(0, PREVIEW).replace(/[\u0000-\u001f\u007f]/g, '\u2400')
}

export function createLog(): ImportLog {
  const problems: LineProblem[] = []
  const skipped = new Map<string, number>()
  let later: ReadonlyMap<string, number> = new Map()
  let problemTotal = 0
  let lines = 0
  const problem: ImportLog['problem'] = (code, place, message) => {
    problemTotal += 1
    if (problems.length >= MAX_PROBLEMS) return
    const { line, offset, length, file } = place
    const found = { line, offset, length, code, message, preview: preview(place.text) }
    problems.push(file === undefined ? found : { ...found, file })
  }
  return {
    problem,
    unusable: ({ value, ref }, message) =>
      problem('unknown_shape', { ...ref, text: compact(value).slice(0, SHOWN) }, message),
    skip(type) {
      // A hostile file may have a type of its own on each line.
      const known = skipped.has(type) || skipped.size < MAX_TYPES
      const key = known ? type.slice(0, 80) : 'other types'
      skipped.set(key, (skipped.get(key) ?? 0) + 1)
    },
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
