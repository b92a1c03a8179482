import { type DomainSet, compileDomains } from '../../../engine/matcher/domains.ts'
import { type MatcherOptions, compileSignal } from '../../../engine/matcher/signal.ts'
import type { Problem } from '../../../engine/result.ts'
import type { DomainFile, SignalEntry } from '../../../engine/schema/domain.ts'
import type { DraftProblem } from '../../../engine/schema/lab.ts'
import type { DomainText } from './text-places.ts'
import { createLru } from '../../../engine/lru.ts'
import { type PatternAdvice, adviceOf } from '../../../engine/matcher/advice/pattern-advice.ts'
import { getOrMake } from '../../platform/get-or-make.ts'

const keyOf = (entry: SignalEntry): string => JSON.stringify(entry)

interface CompiledText {
  /** Null if a pattern cannot be compiled. */
  readonly set: DomainSet | null
  /** Patterns that cannot be compiled, and advice about the others. */
  readonly problems: readonly DraftProblem[]
}

/** `saved`: the file as it is; advice is given on what differs from it, lint has the rest. */
type TextCompiler = (
  text: DomainText,
  files: { readonly file: DomainFile; readonly saved: DomainFile },
  options: MatcherOptions,
) => CompiledText

/** Compiles the signals of a text. Reuses signals compiled before. */
export function createTextCompiler(): TextCompiler {
  const compiler = createSignalCompiler()
  return (text, { file, saved }, options) => {
    const old = new Set(saved.domains.flatMap(({ signals }) => signals.map(keyOf)))
    const problems = file.domains.flatMap(({ name, signals }, domain) =>
      signals.flatMap((entry, signal) =>
        remarksOn(compiler, entry, { ...options, advise: !old.has(keyOf(entry)) }).map(
          ({ column, ...remark }): DraftProblem => {
            const place = text.place(domain, signal, column)
            return { ...remark, ...place, domain: name, signal }
          },
        ),
      ),
    )
    const broken = problems.some(({ severity }) => severity === 'error')
    const set = broken ? null : compileDomains(file, options, compiler.compile)
    return { set: set?.ok === true ? set.value : null, problems }
  }
}

type Remark = Pick<DraftProblem, 'severity' | 'rule' | 'what' | 'do'> & { readonly column: number }

function remarksOn(
  compiler: SignalCompiler,
  entry: SignalEntry,
  { advise, ...options }: MatcherOptions & { readonly advise: boolean },
): readonly Remark[] {
  const result = compiler.compile(entry, '', options)
  if (result.ok) {
    if (!advise) return []
    // A pattern that never matches is the author's mistake, and no reason to skip the rest. It becomes a warning.
    return compiler
      .advice(entry, options)
      .map((each) => ({ ...each, severity: each.severity === 'error' ? 'warning' : each.severity }))
  }
  const { what, do: advice } = result.error
  return [{ severity: 'error', rule: 'pattern', what, do: advice, column: columnOf(result.error) }]
}

/** The column that a problem of a pattern names. */
function columnOf({ where }: Problem): number {
  return Number(/column (\d+)$/u.exec(where)?.[1] ?? 1)
}

/** Compiles signals and remembers them: one edit of a file compiles one signal. */
interface SignalCompiler {
  /** Equal entries give the same object. */
  readonly compile: typeof compileSignal
  readonly advice: (entry: SignalEntry, options: MatcherOptions) => readonly PatternAdvice[]
}

/** Maximum cached entries: several files with hundreds of signals, and intermediate states of typing. */
const KEPT = 20_000

function createSignalCompiler(): SignalCompiler {
  const compiled = createLru<string, ReturnType<typeof compileSignal>>(KEPT)
  const advised = createLru<string, readonly PatternAdvice[]>(KEPT)
  return {
    compile: (entry, where, options) => {
      const key = compiledKey(entry, options)
      const known = compiled.get(key)
      if (known !== undefined) return known
      const result = compileSignal(entry, where, options)
      // A problem contains its place, which is not part of the key, so it is not cached.
      if (result.ok) compiled.set(key, result)
      return result
    },
    advice: (entry, options) =>
      getOrMake(advised, compiledKey(entry, options), () => adviceOf(entry, options)),
  }
}

function compiledKey(entry: SignalEntry, { asciiBoundaries }: MatcherOptions): string {
  return `${asciiBoundaries ? 'a' : 'w'}${keyOf(entry)}`
}
