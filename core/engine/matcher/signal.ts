import type { Dialect, SignalEntry } from '../schema/domain.ts'
import type { Span } from '../schema/trace.ts'
import { err, messageOf, ok, type Problem, type Result } from '../result.ts'
import { literalAlternatives } from './literals.ts'
import type { Flags, PatternProblem } from './python/python-ast.ts'
import type { Program, Programs } from './python/python-programs.ts'
import { translatePython } from './python/python-regex.ts'
import { nestedTooDeep } from './nesting.ts'
import { globRegex } from './paths.ts'
import { formOf, offsetMapper, unitOf, type TextFacts, type TextForm } from './text-facts.ts'
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

/** A signal ready to run. `id` and `note` are null if the entry has none. */
export interface CompiledSignal {
  readonly id: string | null
  readonly pattern: string
  readonly dialect: Dialect
  readonly note: string | null
  readonly programs: Programs
  /** [K14] 1 unless the entry says otherwise. */
  readonly weight: number
  readonly group: string | null
  /** [K15] */
  readonly excludes: boolean
}

/** [C15] Creates the signal's programs now, instead of when a text first needs them. */
export function writeOut({
  programs: { literals, ascii, wide },
}: CompiledSignal): readonly unknown[] {
  return [literals, ascii, wide]
}

/** Matches are counted up to this number a signal and text. */
export const MAX_COUNT = 1000

/** A program for every text that no automaton reads. */
function plainProgram(form: TextForm, regex: RegExp): Programs {
  const program: Program = { form, regex }
  return {
    ascii: program,
    wide: program,
    literals: null,
    source: null,
    flags: null,
    identity: null,
  }
}

function compileJs(pattern: string, flags: string): Result<Programs, PatternProblem> {
  const deep = nestedTooDeep(pattern, flags)
  if (deep !== null) return err(deep)
  try {
    const regex = new RegExp(pattern, flags)
    regex.test('')
    return ok(plainProgram('text', regex))
  } catch (thrown) {
    const what = messageOf(thrown)
    const column = brokenColumn(pattern, flags)
    return err({ what, column, do: 'Mend the pattern, or set `dialect: python`.' })
  }
}

/**
 * [K17] JavaScript's error message has no position. Returns the first character after the longest prefix that compiles,
 * from 1. There an unclosed group or class begins.
 */
function brokenColumn(pattern: string, flags: string): number {
  for (let length = Math.min(pattern.length - 1, MOST_TRIED); length > 0; length -= 1)
    if (compiles(pattern.slice(0, length), flags)) return length + 1
  return 1
}

/** Of longer patterns only the beginning is looked at. */
const MOST_TRIED = 500

/** [K17] The error of a JavaScript pattern under flag `i`, and its column; null if it is valid. */
export function brokenPattern(pattern: string): PatternProblem | null {
  const compiled = compileJs(pattern, 'i')
  return compiled.ok ? null : compiled.error
}

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}

/** [K11] The keyword as it is, in lower case; the text comes in lower case too. */
function keywordRegex(keyword: string): RegExp {
  return new RegExp(keyword.toLowerCase().replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
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

const FLAGS: Readonly<Record<Dialect, { readonly allowed: RegExp; readonly letters: string }>> = {
  js: { allowed: /^[imsuv]*$/, letters: 'imsuv' },
  python: { allowed: /^[aimsux]*$/, letters: 'aimsx' },
  keyword: { allowed: /^$/, letters: '' },
  glob: { allowed: /^$/, letters: '' },
}

function compilePattern(
  { pattern, dialect }: Pick<CompiledSignal, 'pattern' | 'dialect'>,
  given: string | null,
  options: MatcherOptions,
): Result<Programs, PatternProblem> {
  const flags = given ?? (dialect === 'js' ? 'i' : '')
  const { allowed, letters } = FLAGS[dialect]
  if (!allowed.test(flags)) {
    const what = `flags "${flags}" are not allowed`
    const advice = letters === '' ? 'Leave them out.' : `Use letters of "${letters}".`
    return err({ what, column: 1, do: advice })
  }
  if (dialect === 'js') return compileJs(pattern, flags)
  if (dialect === 'keyword') return ok(plainProgram('jsLower', keywordRegex(pattern)))
  if (dialect === 'glob') return ok(plainProgram('paths', globRegex(pattern)))
  return translatePython(pattern, pythonFlags(flags, options))
}

function describe(entry: SignalEntry): Omit<CompiledSignal, 'programs'> & { flags: string | null } {
  if (typeof entry === 'string')
    return { id: null, pattern: entry, dialect: 'python', note: null, flags: null, ...COUNTS_ONE }
  return {
    id: entry.id ?? null,
    pattern: entry.pattern,
    dialect: entry.dialect ?? 'python',
    note: entry.note ?? null,
    flags: entry.flags ?? null,
    weight: entry.weight ?? 1,
    group: entry.group ?? null,
    excludes: entry.excludes ?? false,
  }
}

const COUNTS_ONE = { weight: 1, group: null, excludes: false } as const

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
 * [C7] Literals without which the signal cannot match: alternatives, each a list of literals that all occur in the
 * text's lower case if the signal matches by it (`WIDE` of literals.ts: any character above U+007F). Null if unknown;
 * JavaScript patterns never provide literals. A text that satisfies no alternative cannot match; one that does may
 * match.
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

/** Cache: the same regular expression with the sticky flag, which matches only at `lastIndex`. */
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

/** The spans of the signal's matches, as `[start, end)` in UTF-16 units of the text, in order. */
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
