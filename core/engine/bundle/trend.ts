import { readJson } from '../json-read.ts'
import { ownOf } from '../schema/own.ts'
import type { TrendSummary } from '../schema/bundle.ts'
import { RunHistoryLine } from '../schema/track2.ts'
import { isRecord } from './json.ts'
import { type StepNames, stepOfLine } from './step-of-line.ts'
import { isLater } from './times.ts'

export interface TrendQuery {
  readonly step: number
  readonly names: StepNames
  /** Names of the step's key metrics, in order. */
  readonly metrics: readonly string[]
  /** Newest runs of the step that count. */
  readonly window: number
  readonly flatWithin: number
  readonly until: string | null
}

/** Line counts from reading a history backwards. */
export interface LineCount {
  /** Lines read that are not blank. */
  readonly read: number
  readonly malformed: number
}

export interface Trends extends LineCount {
  readonly trends: readonly TrendSummary[]
  readonly runs: number
}

/**
 * [A13] Returns how the key metrics of a step changed over its newest runs. Reading stops when the window is full. A
 * metric with fewer than two numbers has no trend.
 * @param lines lines of `run_history.jsonl`, last line first
 */
export function foldTrend(lines: Iterable<string | null>, query: TrendQuery): Trends {
  /** By metric, the newest first: only numbers are kept, so that a wide window stays small. */
  const values = query.metrics.map((): number[] => [])
  const count = { runs: 0, read: 0, malformed: 0 }
  for (const line of lines) {
    if (line?.trim() === '') continue
    count.read += 1
    const run = parseRun(line, query)
    if (run === 'malformed') count.malformed += 1
    if (typeof run === 'string' || isLater(run.timestamp, query.until)) continue
    for (const [index, metric] of query.metrics.entries()) {
      const value = valueOf(run, metric)
      if (value !== null) values[index]?.push(value)
    }
    count.runs += 1
    if (count.runs >= query.window) break
  }
  const trends = query.metrics.flatMap((metric, index) => {
    const found = values[index]?.toReversed() ?? []
    return found.length < 2 ? [] : [summarise(metric, found, query)]
  })
  return { trends, ...count }
}

/** A line of another step is looked at no further: most lines are. */
function parseRun(
  line: string | null,
  { step, names }: TrendQuery,
): RunHistoryLine | 'other' | 'malformed' {
  let value: unknown
  try {
    value = readJson(line ?? '')
  } catch {
    return 'malformed'
  }
  const own = isRecord(value) ? stepOfLine(value, names) : null
  if (own === null) return 'malformed'
  return own === step ? (RunHistoryLine.safeParse(value).data ?? 'malformed') : 'other'
}

function valueOf(run: RunHistoryLine, metric: string): number | null {
  for (const place of [run.metrics, run.results, run]) {
    const value = isRecord(place) && Object.hasOwn(place, metric) ? ownOf(place, metric) : undefined
    if (typeof value === 'number' && Number.isFinite(value)) return value
  }
  return null
}

function summarise(
  metric: string,
  values: readonly number[],
  { window, flatWithin }: TrendQuery,
): TrendSummary {
  const level = mean(values.map(Math.abs))
  const change = fittedChange(values)
  const flat = Math.abs(change) <= flatWithin * level && !isOneWay(values)
  const direction = flat ? 'flat' : change > 0 ? 'rising' : 'falling'
  return { metric_name: metric, direction, recent_values: [...values], window_size: window }
}

/** Change over the window by a least-squares line, so that one outlier at an end has little effect. */
function fittedChange(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const centre = mean(values)
  let joint = 0
  let spread = 0
  for (const [at, value] of values.entries()) {
    joint += (at - middle) * (value - centre)
    spread += (at - middle) ** 2
  }
  return (joint / spread) * (values.length - 1)
}

/** Values that all go one way: of fewer, chance makes such a row too often (one in four of four). */
const ONE_WAY = 5

/** Every run went the same way: that is no noise, however small the steps. */
function isOneWay(values: readonly number[]): boolean {
  if (values.length < ONE_WAY) return false
  const signs = new Set(
    values.slice(1).map((value, at) => Math.sign(value - (values[at] ?? value))),
  )
  return signs.size === 1 && !signs.has(0)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
