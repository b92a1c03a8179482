import { readJson } from '../json-read.ts'
import type {
  BundleContext,
  BundleDiagnostic,
  BundleOptions,
  ProvenanceRecord,
} from '../schema/bundle.ts'
import type { StepData } from '../schema/step-data.ts'
import { counted } from '../result.ts'
import { diagnostic } from './diagnostics.ts'
import { readOutcomes } from './outcomes.ts'
import { isEmptyJson } from './json.ts'
import type { BundleFiles } from './ports.ts'
import { type StepNames, stepOfLine } from './step-of-line.ts'
import { foldTrend, type LineCount } from './trend.ts'
import { WatcherFailureLine } from '../schema/track2.ts'
import { isLater } from './times.ts'

interface IncidentQuery {
  /** Incidents of this step and of no step; 13 reads all. */
  readonly step: number
  readonly names: StepNames
  readonly most: number
  readonly until: string | null
}

interface Incidents extends LineCount {
  /** One sentence each, the newest first. */
  readonly open: readonly string[]
  /** Too many incidents to remember: older ones were not looked at. */
  readonly partial: boolean
}

/** Ids remembered while reading; beyond it memory would grow with the file. */
const MAX_IDS = 1_000_000
const MAX_MESSAGE = 300
const RESOLVED = new Set(['resolved', 'closed', 'fixed', 'ignored'])

/**
 * [A14] Incidents that are still open. `lines` holds `watcher_failures.jsonl`, last line first, so the first line read
 * for an id is its latest state. A line without an id counts as a separate incident.
 */
export function foldIncidents(lines: Iterable<string | null>, query: IncidentQuery): Incidents {
  const seen = new Set<string>()
  const open: string[] = []
  const count = { read: 0, malformed: 0 }
  for (const line of lines) {
    if (open.length >= query.most || seen.size >= MAX_IDS) break
    if (line?.trim() === '') continue
    count.read += 1
    const failure = parseFailure(line)
    if (failure === null) {
      count.malformed += 1
      continue
    }
    if (isLater(failure.timestamp, query.until)) continue
    const id = failure.id ?? failure.incident_id
    if (id !== undefined && seen.has(id)) continue
    if (id !== undefined) seen.add(id)
    if (!isResolved(failure, query.until) && concerns(failure, query)) open.push(sentence(failure))
  }
  return { open, partial: seen.size >= MAX_IDS, ...count }
}

function parseFailure(line: string | null): WatcherFailureLine | null {
  if (line === null) return null
  try {
    return WatcherFailureLine.safeParse(readJson(line)).data ?? null
  } catch {
    return null
  }
}

function isResolved(failure: WatcherFailureLine, until: string | null): boolean {
  const { resolved, resolved_at, status } = failure
  if (typeof resolved_at === 'string') return !isLater(resolved_at, until)
  if (resolved === true) return true
  return typeof status === 'string' && RESOLVED.has(status.toLowerCase())
}

function concerns(failure: WatcherFailureLine, { step, names }: IncidentQuery): boolean {
  const own = stepOfLine(failure, names)
  return step === 13 || own === null || own === step
}

/** [A14] The text of a line: its message, else its error, else the failure's kind and details. */
function messageOf({ message, error, failure_type: kind, details }: WatcherFailureLine): string {
  const said = message ?? error
  if (said !== null && said !== undefined) return said
  const more = typeof details === 'string' ? details : isEmptyJson(details) ? null : details
  const told = [kind, typeof more === 'string' || more === null ? more : JSON.stringify(more)]
  const parts = told.filter((part) => typeof part === 'string' && part !== '')
  return parts.length === 0 ? 'no message' : parts.join(': ')
}

function sentence(failure: WatcherFailureLine): string {
  const text = messageOf(failure).replace(/\s+/gu, ' ').trim()
  const short = text.length > MAX_MESSAGE ? `${cutWord(text, MAX_MESSAGE)} …` : text
  const step = failure.step ?? failure.step_id
  const about = [
    failure.id ?? failure.incident_id,
    typeof step === 'number' || typeof step === 'string' ? `step ${step}` : null,
    failure.run_id,
    failure.timestamp,
  ].filter((item) => typeof item === 'string')
  const severity = failure.severity ?? null
  return `${severity === null ? '' : `[${severity}] `}${short}${about.length > 0 ? ` (${about.join(', ')})` : ''}`
}

function cutWord(text: string, most: number): string {
  const at = text.lastIndexOf(' ', most)
  return text.slice(0, at > most / 2 ? at : most).replace(/[\ud800-\udbff]$/u, '')
}

/** [A3] Files of A3.2, relative to the root. */
const HISTORY = 'run_history.jsonl'
const FAILURES = 'watcher_failures.jsonl'

export type Retrieved = Pick<
  BundleContext,
  'recent_outcomes' | 'trend_summary' | 'open_incidents'
> & {
  readonly provenance: readonly ProvenanceRecord[]
  readonly diagnostics: readonly BundleDiagnostic[]
}

interface Query {
  readonly step: StepData
  /** Names that a line may use for a step instead of its number. */
  readonly names: StepNames
  readonly options: BundleOptions
  /** Records later than this ISO time are not known yet. Null = all. */
  readonly until: string | null
}

/**
 * [A3] Track 2: outcomes, trends and open incidents from the files of A3.2. A file that is not there
 * is nothing; what cannot be used is counted. Files that were read are recorded with their hash.
 */
export function retrieve(files: BundleFiles, { step, names, options, until }: Query): Retrieved {
  const provenance: ProvenanceRecord[] = []
  const diagnostics: BundleDiagnostic[] = []
  const outcomes = readOutcomes(files, {
    step: step.step_id,
    most: options.outcomes,
    mostFiles: options.summaryFiles,
    until,
  })
  for (const path of outcomes.used) provenance.push(...hashed(files, path, null))
  for (const { path, count } of outcomes.malformed)
    diagnostics.push(malformed(path, counted(count, 'record')))
  const trend = readLines(files, HISTORY, options.scanBytes, (lines) =>
    foldTrend(lines, {
      step: step.step_id,
      names,
      metrics: step.key_metrics,
      window: options.trendWindow,
      flatWithin: options.flatWithin,
      until,
    }),
  )
  const incidents = readLines(files, FAILURES, options.scanBytes, (lines) =>
    foldIncidents(lines, {
      step: step.step_id,
      names,
      most: options.incidents,
      until,
    }),
  )
  for (const { found } of [trend, incidents]) {
    provenance.push(...found.provenance)
    diagnostics.push(...found.diagnostics)
  }
  return {
    recent_outcomes: outcomes.outcomes,
    trend_summary: trend.value?.trends ?? [],
    open_incidents: incidents.value?.open ?? [],
    provenance,
    diagnostics,
  }
}

interface LinesRead {
  readonly read: number
  readonly malformed: number
  readonly partial?: boolean
}

function readLines<T extends LinesRead>(
  files: BundleFiles,
  path: string,
  scanBytes: number | null,
  fold: (lines: Iterable<string | null>) => T,
) {
  const provenance: ProvenanceRecord[] = []
  const diagnostics: BundleDiagnostic[] = []
  const found = { provenance, diagnostics }
  const source = files.newestLines(path, scanBytes)
  if (source.kind === 'unreadable')
    diagnostics.push(
      diagnostic('source_unreadable', `${path} cannot be read: ${source.reason}`, { path }),
    )
  if (source.kind !== 'ok') return { value: null, found }
  const walk = watched(source.lines)
  const value = fold(walk.lines)
  provenance.push(...hashed(files, path, scanBytes))
  if (value.malformed > 0)
    diagnostics.push(
      malformed(path, `${value.malformed} of ${counted(value.read, 'line')} that were read`),
    )
  if (value.partial === true || (source.partial && walk.ended()))
    diagnostics.push(
      diagnostic('source_partial', `${path}: only the newest part was read`, { path }),
    )
  return { value, found }
}

/** Wraps the lines and reports afterwards whether the reader consumed all readable lines. */
function watched(lines: Iterable<string | null>) {
  let ended = false
  function* walk(): Generator<string | null> {
    yield* lines
    ended = true
  }
  return { lines: walk(), ended: () => ended }
}

function malformed(path: string, what: string): BundleDiagnostic {
  return diagnostic('lines_malformed', `${path}: ${what} could not be used`, { path })
}

/** [A15] The hash of a long history covers its last bytes, and says so. */
function hashed(
  files: BundleFiles,
  path: string,
  fromEnd: number | null,
): readonly ProvenanceRecord[] {
  const answer = files.digest(path, fromEnd)
  if (answer.kind !== 'ok') return []
  const whole = fromEnd === null || answer.size <= fromEnd
  const sha256 = whole ? answer.sha256 : `LAST_${fromEnd}_BYTES:${answer.sha256}`
  return [{ path, sha256, size_bytes: answer.size }]
}
