import type { Dialect, SignalEntry } from '../schema/domain.ts'
import type { Span } from '../schema/trace.ts'
import { err, messageOf, ok, type Problem, type Result } from '../result.ts'
import { literalAlternatives } from './literals.ts'
import type { Flags, PatternProblem } from './python-ast.ts'
import { translatePython, type Program, type Programs } from './python-regex.ts'
import { formOf, offsetMapper, unitOf, type TextFacts } from './text-facts.ts'
import { keptIn } from '../maps.ts'

export interface MatcherOptions {
  /** re.ASCII rules for `\b \w \d \s` and for letter case. */
  readonly asciiBoundaries: boolean
}

/** Spans of all matches of one signal in one text. */
export interface SignalSpans {
  /** The first `limit` of them. */
  readonly spans: readonly Span[]
  /** All of them, counted up to `MAX_COUNT`. */
  readonly count: number
}

/** A signal ready to run. `id`, `note` are null where the entry has none. */
export interface CompiledSignal {
  readonly id: string | null
  readonly pattern: string
  readonly dialect: Dialect
  readonly note: string | null
  readonly programs: Programs
}

/** Matches are counted up to this number a signal and text. */
export const MAX_COUNT = 1000

function compileJs(pattern: string, flags: string): Result<Programs, PatternProblem> {
  try {
    const regex = new RegExp(pattern, flags)
    regex.test('')
    const program: Program = { form: 'text', regex }
    return ok({ ascii: program, wide: program, literals: null, source: null })
  } catch (thrown) {
    const what = messageOf(thrown)
    return err({ what, column: 1, do: 'Mend the pattern, or set `dialect: python`.' })
  }
}

/** Flags of Python's `re` by the letters that an entry gives. */
export function pythonFlags(letters: string, { asciiBoundaries }: MatcherOptions): Flags {
  return {
    ignoreCase: true,
    multiline: letters.includes('m'),
    dotAll: letters.includes('s'),
    verbose: letters.includes('x'),
    ascii: asciiBoundaries || letters.includes('a'),
  }
}

const FLAGS = {
  js: { allowed: /^[imsuv]*$/, letters: 'imsuv' },
  python: { allowed: /^[aimsux]*$/, letters: 'aimsx' },
} as const

function compilePattern(
  { pattern, dialect }: Pick<CompiledSignal, 'pattern' | 'dialect'>,
  given: string | null,
  options: MatcherOptions,
): Result<Programs, PatternProblem> {
  const flags = given ?? (dialect === 'js' ? 'i' : '')
  const { allowed, letters } = FLAGS[dialect]
  if (!allowed.test(flags)) {
    const what = `flags "${flags}" are not allowed`
    return err({ what, column: 1, do: `Use letters of "${letters}".` })
  }
  if (dialect === 'js') return compileJs(pattern, flags)
  return translatePython(pattern, pythonFlags(flags, options))
}

function describe(entry: SignalEntry): Omit<CompiledSignal, 'programs'> & { flags: string | null } {
  if (typeof entry === 'string')
    return { id: null, pattern: entry, dialect: 'python', note: null, flags: null }
  return {
    id: entry.id ?? null,
    pattern: entry.pattern,
    dialect: entry.dialect ?? 'python',
    note: entry.note ?? null,
    flags: entry.flags ?? null,
  }
}

/**
 * Compiles one signal. Python patterns always ignore case; JavaScript ones have flag "i" unless the
 * entry gives its own. `where` names the signal for messages; errors add the 1-based column.
 */
export function compileSignal(
  entry: SignalEntry,
  where: string,
  options: MatcherOptions,
): Result<CompiledSignal> {
  const { flags, ...signal } = describe(entry)
  const programs = compilePattern(signal, flags, options)
  if (programs.ok) return ok({ ...signal, programs: programs.value })
  const { what, column, do: advice } = programs.error
  const problem: Problem = { what, where: `${where}, column ${column}`, do: advice }
  return err(problem)
}

/** Memo: a signal is compiled once and never changes. */
const alternatives = new WeakMap<Programs, ReadonlyArray<readonly string[]> | null>()

/**
 * [C7] Literals without which the signal cannot match: alternatives, each a list of literals that all
 * stand in the text's lower case when the signal matches by it (`WIDE` of literals.ts: any character
 * above U+007F). Null = nothing is known; JavaScript patterns never say. A text that satisfies no
 * alternative cannot match; one that does may.
 */
export function literalsOf({ programs }: CompiledSignal): ReadonlyArray<readonly string[]> | null {
  const { source } = programs
  return source === null
    ? null
    : keptIn(alternatives, programs, () => literalAlternatives(source.root))
}

function programFor(signal: CompiledSignal, facts: TextFacts): Program {
  return facts.ascii ? signal.programs.ascii : signal.programs.wide
}

/** Does the signal match anywhere in the text? */
export function testSignal(signal: CompiledSignal, facts: TextFacts): boolean {
  const { form, regex } = programFor(signal, facts)
  return regex.test(formOf(facts, form))
}

/** Memo: the same regular expression, tied to the place where it is told to begin. */
const stickies = new WeakMap<RegExp, RegExp>()

function stickyOf(regex: RegExp): RegExp {
  let sticky = stickies.get(regex)
  if (sticky === undefined) {
    sticky = new RegExp(regex.source, `${regex.flags}y`)
    stickies.set(regex, sticky)
  }
  return sticky
}

/**
 * Does the signal match beginning at this character, counted in code points? `paired`: some characters
 * of the text take two UTF-16 units.
 */
export function matchesFrom(
  signal: CompiledSignal,
  facts: TextFacts,
  from: number,
  paired: boolean,
): boolean {
  const { form, regex } = programFor(signal, facts)
  const text = formOf(facts, form)
  const sticky = stickyOf(regex)
  sticky.lastIndex = paired && text.length === facts.text.length ? unitOf(text, from) : from
  return sticky.test(text)
}

/** Where the signal matches, as `[start, end)` in UTF-16 units of the text, in order. */
export function findSpans(signal: CompiledSignal, facts: TextFacts, limit: number): SignalSpans {
  const { form, regex } = programFor(signal, facts)
  const map = offsetMapper(facts, form)
  const spans: Span[] = []
  let count = 0
  const every = new RegExp(regex.source, `${regex.flags}g`)
  for (const match of formOf(facts, form).matchAll(every)) {
    if (spans.length < limit) spans.push([map(match.index), map(match.index + match[0].length)])
    count += 1
    if (count === MAX_COUNT) break
  }
  return { spans, count }
}
