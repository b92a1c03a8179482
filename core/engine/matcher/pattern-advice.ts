import type { SignalEntry } from '../schema/domain.ts'
import { dialectNotes } from './dialect-advice.ts'
import { obstaclesOf } from './impossible.ts'
import { parsePattern } from './python-parser.ts'
import { pythonFlags, type MatcherOptions } from './signal.ts'
import { superLinear, type SuperLinear } from './super-linear.ts'

/** What can be said of a pattern without any text. `column` is 1-based in the pattern. */
export interface PatternAdvice {
  readonly rule: 'super-linear' | 'dialect' | 'cannot-match'
  readonly severity: 'error' | 'warning' | 'info'
  readonly what: string
  readonly do: string
  readonly column: number
}

const SEVERITY = { never: 'error', branch: 'warning', rare: 'warning' } as const
const EXTENT = {
  never: 'It never matches',
  branch: 'An alternative never matches',
  rare: 'It hardly ever matches',
} as const

function growthAdvice({ growth, at, pump, search }: SuperLinear): PatternAdvice {
  const repeated = JSON.stringify(pump)
  const why = search
    ? `every place of a text of repeated ${repeated} begins a search that reads to its end`
    : `a text of repeated ${repeated} can be read in many ways`
  return {
    rule: 'super-linear',
    severity: growth === 'exponential' ? 'error' : 'warning',
    what: `takes ${growth} time: ${why}`,
    do: search
      ? 'Begin with \\b or with a literal, or give the repeat a least and a most count.'
      : 'Give the repeat a most count, or make its parts exclude each other.',
    column: at + 1,
  }
}

/**
 * [C8] Advice on one signal by its form alone: what cannot match, what takes more than linear time,
 * and what the other dialect reads differently. Empty for a pattern that does not compile: that is
 * told elsewhere.
 */
export function adviceOf(entry: SignalEntry, options: MatcherOptions): readonly PatternAdvice[] {
  const signal = typeof entry === 'string' ? { pattern: entry } : entry
  const dialect = signal.dialect ?? 'python'
  // Null where the pattern is refused, or is one of JavaScript that Python would refuse.
  const pattern = parsePattern(signal.pattern, pythonFlags(signal.flags ?? '', options))
  const parsed = pattern.ok ? pattern.value : null
  const advice: PatternAdvice[] = []
  if (parsed !== null && dialect === 'python')
    for (const one of obstaclesOf(parsed))
      advice.push({
        rule: 'cannot-match',
        severity: SEVERITY[one.extent],
        what: `${EXTENT[one.extent]}: ${one.what}`,
        do: one.do,
        column: (one.at ?? 0) + 1,
      })
  const slow = parsed === null ? null : superLinear(parsed)
  if (slow !== null) advice.push(growthAdvice(slow))
  if (parsed !== null || dialect === 'js')
    for (const note of dialectNotes(signal.pattern, dialect))
      advice.push({
        rule: 'dialect',
        severity: 'info',
        what: note.what,
        do: note.do,
        column: note.at + 1,
      })
  return advice
}
