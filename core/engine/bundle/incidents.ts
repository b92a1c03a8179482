import { WatcherFailureLine } from '../schema/track2.ts'
import { isLater } from './times.ts'
import type { LineCount } from './trend.ts'

export interface IncidentQuery {
  /** Incidents of this step and of no step; 13 reads all. */
  readonly step: number
  readonly most: number
  readonly until: string | null
}

export interface Incidents extends LineCount {
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
 * [A14] Incidents that are still open. `lines`: `watcher_failures.jsonl`, last line first, so that the
 * first line met of an id is its last word. A line without an id is an incident of its own.
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
    if (!isResolved(failure, query.until) && concerns(failure, query.step))
      open.push(sentence(failure))
  }
  return { open, partial: seen.size >= MAX_IDS, ...count }
}

function parseFailure(line: string | null): WatcherFailureLine | null {
  if (line === null) return null
  try {
    return WatcherFailureLine.safeParse(JSON.parse(line)).data ?? null
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

function concerns(failure: WatcherFailureLine, step: number): boolean {
  const own = failure.step ?? failure.step_id ?? null
  return step === 13 || own === null || own === step
}

function sentence(failure: WatcherFailureLine): string {
  const text = (failure.message ?? failure.error ?? 'no message').replace(/\s+/gu, ' ').trim()
  const short = text.length > MAX_MESSAGE ? `${cutWord(text, MAX_MESSAGE)} …` : text
  const step = failure.step ?? failure.step_id
  const about = [
    failure.id ?? failure.incident_id,
    typeof step === 'number' ? `step ${step}` : null,
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
