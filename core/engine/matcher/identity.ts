import { keptIn } from '../maps.ts'
import type { CompiledSignal } from './signal.ts'

const identities = new WeakMap<CompiledSignal, string>()

/**
 * [T6] What a signal matches, as text: its pattern with dialect, flags and `asciiBoundaries`. Signals
 * with equal identities match on the same texts, so what was looked for once is never looked for
 * again, whatever domain, place or id it moves to.
 */
export function identityOf(signal: CompiledSignal): string {
  return keptIn(identities, signal, () => {
    const { identity } = signal.programs
    if (identity !== null) return identity
    // A signal that was switched off keeps its pattern but runs another program, which decides.
    const { form, regex } = signal.programs.wide
    return `${form === 'text' ? 'js' : form} /${regex.source}/${regex.flags}`
  })
}
