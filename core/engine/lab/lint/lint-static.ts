import { createLru } from '../../lru.ts'
import { keptIn } from '../../maps.ts'
import { adviceOf, type PatternAdvice } from '../../matcher/advice/pattern-advice.ts'
import { compileSignal, type CompiledSignal, type MatcherOptions } from '../../matcher/signal.ts'
import type { DomainFile, SignalEntry } from '../../schema/domain.ts'
import { aboutSignal, type Finding } from './lint-finding.ts'

/** A signal as written in the file. */
interface Written {
  readonly domain: string
  readonly index: number
  readonly entry: Exclude<SignalEntry, string>
  readonly signal: CompiledSignal
}

function writtenSignals(file: DomainFile, options: MatcherOptions): readonly Written[] {
  return file.domains.flatMap(({ name, signals }) =>
    signals.flatMap((given, index) => {
      const entry = typeof given === 'string' ? { pattern: given } : given
      const compiled = compileSignal(entry, name, options)
      return compiled.ok ? [{ domain: name, index, entry, signal: compiled.value }] : []
    }),
  )
}

/**
 * Memo by what decides the advice: pure, so sharing it changes no answer. An edit changes one of
 * hundreds of patterns, and each takes milliseconds.
 */
const known = createLru<string, readonly PatternAdvice[]>(2000)

function adviceKey(written: Written, { asciiBoundaries }: MatcherOptions): string {
  return `${asciiBoundaries ? 'a' : ''}${identity(written)}`
}

function adviceFor(written: Written, options: MatcherOptions): readonly PatternAdvice[] {
  return keptIn(known, adviceKey(written, options), () => adviceOf(written.entry, options))
}

/** Advice by what decides it; see `learnAdvice`. */
export type KnownAdvice = ReadonlyArray<readonly [key: string, advice: readonly PatternAdvice[]]>

/** [F107] The advice on every distinct signal of a file, recomputed. */
export function adviceToKeep(file: DomainFile, options: MatcherOptions): KnownAdvice {
  const all = writtenSignals(file, options).map(
    (written) => [adviceKey(written, options), adviceOf(written.entry, options)] as const,
  )
  return [...new Map(all)]
}

/** [F107] Stores advice that the same matcher computed earlier. */
export function learnAdvice(kept: KnownAdvice): void {
  for (const [key, advice] of kept) known.set(key, advice)
}

/**
 * Computes the advice on every signal, one per step, so that a host can run other work in between. Results are cached,
 * and `lintPatterns` then returns without delay.
 */
export function* adviceSteps(
  file: DomainFile,
  options: MatcherOptions,
): Generator<{ readonly done: number; readonly total: number }, null, undefined> {
  const all = writtenSignals(file, options)
  for (const [done, written] of all.entries()) {
    adviceFor(written, options)
    yield { done: done + 1, total: all.length }
  }
  return null
}

function advised(written: Written, options: MatcherOptions): readonly Finding[] {
  return adviceFor(written, options).map(({ column, ...said }) => {
    return { ...aboutSignal(written, said), patternColumn: column }
  })
}

/** Identity of a signal: the scan cannot distinguish signals with the same identity. */
function identity({ entry }: Written): string {
  const { pattern, dialect = 'python', flags = dialect === 'js' ? 'i' : '' } = entry
  return JSON.stringify([dialect, flags.split('').sort().join(''), pattern])
}

function named({ domain, index, entry }: Written): string {
  return `${domain}/${entry.id ?? String(index + 1)}`
}

function duplicates(all: readonly Written[]): readonly Finding[] {
  const first = new Map<string, Written>()
  return all.flatMap((written) => {
    const key = identity(written)
    const earlier = first.get(key)
    if (earlier === undefined) {
      first.set(key, written)
      return []
    }
    const same = earlier.domain === written.domain
    return aboutSignal(written, {
      rule: 'duplicate',
      severity: 'warning',
      what: `It is the same pattern as ${named(earlier)}${same ? ': one piece of evidence counts twice' : ', so the two domains always rise together'}.`,
      do: same ? 'Delete one of them.' : 'Keep it where it belongs.',
    })
  })
}

/**
 * [T15] Findings about the patterns of a domain file alone, without any text: `cannot-match`, `dialect`, `super-linear`
 * (C8), and `duplicate` for a pattern that is written twice. Signals that do not compile are left out; loading reports
 * those.
 */
export function lintPatterns(file: DomainFile, options: MatcherOptions): readonly Finding[] {
  const all = writtenSignals(file, options)
  // [K11] A hook is written in one language: what another one reads otherwise is of no use there.
  const isSaid = ({ rule }: Finding) => file.kind !== 'skill-rules' || rule !== 'dialect'
  return [...all.flatMap((written) => advised(written, options)).filter(isSaid), ...duplicates(all)]
}
