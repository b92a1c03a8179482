import { createLru } from '../../../engine/lru.ts'
import { compileSignal, type MatcherOptions } from '../../../engine/matcher/signal.ts'
import { type PatternAdvice, adviceOf } from '../../../engine/matcher/pattern-advice.ts'
import type { SignalEntry } from '../../../engine/schema/domain.ts'
import { kept } from '../kept.ts'

/** Compiles signals and remembers them: one edit of a file compiles one signal. */
export interface SignalCompiler {
  /** Equal entries give the same object. */
  readonly compile: typeof compileSignal
  readonly advice: (entry: SignalEntry, options: MatcherOptions) => readonly PatternAdvice[]
}

/** Entries kept: several files of some hundreds of signals, and what was typed on the way. */
const KEPT = 20_000

export function createSignalCompiler(): SignalCompiler {
  const compiled = createLru<string, ReturnType<typeof compileSignal>>(KEPT)
  const advised = createLru<string, readonly PatternAdvice[]>(KEPT)
  return {
    compile: (entry, where, options) => {
      const key = keyOf(entry, options)
      const known = compiled.get(key)
      if (known !== undefined) return known
      const result = compileSignal(entry, where, options)
      // A problem says where it is, which is not part of the key.
      if (result.ok) compiled.set(key, result)
      return result
    },
    advice: (entry, options) =>
      kept(advised, keyOf(entry, options), () => adviceOf(entry, options)),
  }
}

function keyOf(entry: SignalEntry, { asciiBoundaries }: MatcherOptions): string {
  return `${asciiBoundaries ? 'a' : 'w'}${JSON.stringify(entry)}`
}
