import type { CompiledSignal } from '../../../engine/matcher/signal.ts'
import type { SignalEntry } from '../../../engine/schema/domain.ts'

const LETTERS = [
  ['multiline', 'm'],
  ['dotAll', 's'],
  ['verbose', 'x'],
  ['ascii', 'a'],
] as const

/**
 * An entry that compiles to a signal which matches the same texts. Whoever compiles it compares identities
 * (T6): a signal that was switched off, for one, is none that an entry could say.
 */
export function entryOf({ pattern, dialect, programs }: CompiledSignal): SignalEntry {
  const { flags: set, ascii } = programs
  if (dialect === 'keyword' || dialect === 'glob') return { pattern, dialect }
  if (set === null) return { pattern, dialect, flags: ascii.regex.flags }
  const flags = LETTERS.flatMap(([flag, letter]) => (set[flag] ? [letter] : []))
  return { pattern, dialect, flags: flags.join('') }
}
