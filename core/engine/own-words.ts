import type { SelfSignalOptions } from './schema/self-signal.ts'
import { SELF_SIGNAL_OPTIONS } from './self-signal/options.ts'
import { maskSelfSignals, stripSelfSignal } from './self-signal/response.ts'

/** The coach has no preset, so self-signals are read with the options of `recommended`. */
const READING = Object.fromEntries(
  Object.entries(SELF_SIGNAL_OPTIONS).map(([name, { value }]) => [name, value]),
) as SelfSignalOptions // the table has every option, with a value of its type

/**
 * [V50] The agent's words to the user, with unchanged offsets. Self-signals are for the harness, so their XML is
 * blanked out before the coach's rules read the text as prose.
 */
export function ownWords(text: string): string {
  return maskSelfSignals(text, READING)
}

/** [V50] The same for a model: the text without its self-signals. */
export function withoutSelfSignals(text: string): string {
  return stripSelfSignal(text, READING)
}
