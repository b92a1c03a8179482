import { keptIn } from '../maps.ts'
import type { CompiledSignal } from './signal.ts'

const identities = new WeakMap<CompiledSignal, string>()

/**
 * [T6] The matching behaviour of a signal as text: its pattern with dialect, flags and `asciiBoundaries`. Signals with
 * equal identities match on the same texts. A search result is therefore reused if a signal moves to another domain,
 * position or id.
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
