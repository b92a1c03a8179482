import type { SignalEntry } from '../../schema/domain.ts'
import { obstaclesOf } from './impossible.ts'
import type { Pattern, PatternProblem } from '../python/python-ast.ts'
import { parsePattern } from '../python/python-parser.ts'
import { pythonFlags, type MatcherOptions } from '../signal.ts'
import { superLinear, type SuperLinear } from './super-linear.ts'

/** A construct that the other dialect reads differently, at its 0-based place in the pattern. */
interface DialectNote {
  readonly at: number
  readonly what: string
  readonly do: string
}

interface Construct {
  /** Sticky; tried at every place outside classes that is not inside an escape. */
  readonly pattern: RegExp
  readonly what: string
  readonly do: string
}

const construct = (pattern: RegExp, what: string, advice: string): Construct => ({
  pattern,
  what,
  do: advice,
})

const STAYS = 'Nothing to do while the signal stays in this dialect.'

/** Constructs that `re` accepts and JavaScript rejects or interprets differently. */
const OF_PYTHON: readonly Construct[] = [
  construct(/\(\?P<\w+>/y, 'a group named as in Python', 'JavaScript writes (?<name>…).'),
  construct(/\(\?P=\w+\)/y, 'a reference by name as in Python', 'JavaScript writes \\k<name>.'),
  construct(/\(\?[aimsux]+\)/y, 'flags inside the pattern', 'JavaScript takes them as `flags`.'),
  construct(/\(\?#/y, 'a comment inside the pattern', 'JavaScript has none: use `note`.'),
  construct(/\(\?>/y, 'an atomic group, which JavaScript lacks', STAYS),
  construct(/[*+?}]\+/y, 'a possessive quantifier, which JavaScript lacks', STAYS),
  construct(/\{,\d*\}/y, 'a count without a lower end', 'JavaScript writes {0,…}.'),
  construct(/\\A/y, '\\A, the start of the text', 'JavaScript writes ^ without flag m.'),
  construct(/\\Z/y, '\\Z, the end of the text', 'JavaScript writes $ without flag m.'),
  construct(/\\a/y, '\\a, the bell character', 'JavaScript writes \\x07.'),
  construct(/\\0[0-7]/y, 'an octal escape', 'Write \\x and two hexadecimal digits.'),
  construct(
    /\$(?!\w)/y,
    '$ also stands before a line feed that ends the text; in JavaScript only at the end',
    STAYS,
  ),
]

/** Constructs that JavaScript accepts and `re` rejects or interprets differently. */
const OF_JS: readonly Construct[] = [
  construct(/\(\?<[A-Za-z_$]/y, 'a group named as in JavaScript', 'Python writes (?P<name>…).'),
  construct(/\\k</y, 'a reference by name as in JavaScript', 'Python writes (?P=name).'),
  construct(/\\[pP]\{/y, 'a Unicode property, which Python lacks', 'List the characters.'),
  construct(/\\u\{/y, 'an escape in braces', 'Python writes \\u and 4 hexadecimal digits.'),
  construct(/\\c[A-Za-z]/y, 'a control escape, which Python lacks', 'Write \\x and two digits.'),
  construct(/\[\^?\]/y, 'an empty class, which Python reads otherwise', 'Write [\\s\\S] or (?!).'),
  construct(/\\[bBwW]/y, 'JavaScript knows words of a to z, 0 to 9 and _ only', STAYS),
  construct(/\\[dD]/y, 'JavaScript knows the digits 0 to 9 only', STAYS),
  construct(/\$(?!\w)/y, '$ does not stand before a last line feed, as it does in Python', STAYS),
]

const CONSTRUCTS = { python: OF_PYTHON, js: OF_JS } as const

/** A whole class, or the escape, or the character at a place. */
const TOKEN = /\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\\[\s\S]|[\s\S]/y

/**
 * Constructs of a pattern that the other dialect refuses or reads differently, each kind once, in
 * the order of the pattern.
 */
function dialectNotes(pattern: string, dialect: 'python' | 'js'): readonly DialectNote[] {
  const open = new Set(CONSTRUCTS[dialect])
  const notes: DialectNote[] = []
  for (let at = 0; at < pattern.length;) {
    for (const one of open) {
      one.pattern.lastIndex = at
      if (!one.pattern.test(pattern)) continue
      notes.push({ at, what: one.what, do: one.do })
      open.delete(one)
    }
    TOKEN.lastIndex = at
    at += TOKEN.exec(pattern)?.[0].length ?? 1
  }
  return notes
}

/** Advice about a pattern that needs no text. `column` is 1-based in the pattern. */
export interface PatternAdvice extends PatternProblem {
  readonly rule: 'super-linear' | 'dialect' | 'cannot-match'
  readonly severity: 'error' | 'warning' | 'info'
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

function obstacleAdvice(pattern: Pattern): readonly PatternAdvice[] {
  return obstaclesOf(pattern).map((one) => ({
    rule: 'cannot-match',
    severity: SEVERITY[one.extent],
    what: `${EXTENT[one.extent]}: ${one.what}`,
    do: one.do,
    column: (one.at ?? 0) + 1,
  }))
}

/**
 * [C8] Advice on one signal by its form alone: parts that cannot match, parts that take more than linear time, and
 * parts that the other dialect reads differently. Empty for a pattern that does not compile, which is reported
 * elsewhere.
 */
export function adviceOf(entry: SignalEntry, options: MatcherOptions): readonly PatternAdvice[] {
  const signal = typeof entry === 'string' ? { pattern: entry } : entry
  const dialect = signal.dialect ?? 'python'
  // Keywords and globs match literally, in linear time.
  if (dialect !== 'python' && dialect !== 'js') return []
  // Null if the pattern is refused, or is a JavaScript pattern that Python would refuse.
  const pattern = parsePattern(signal.pattern, pythonFlags(signal.flags ?? '', options))
  const parsed = pattern.ok ? pattern.value : null
  const advice: PatternAdvice[] = []
  if (parsed !== null && dialect === 'python') advice.push(...obstacleAdvice(parsed))
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
