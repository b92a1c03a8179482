import type { ProbeOptions, ProbeResult } from '../schema/probe.ts'
import { countWords } from './words.ts'

type Reason = NonNullable<ProbeResult['skipped']>

/** What a message is judged by before anything is extracted. */
export interface Incoming {
  readonly text: string
  /** The message before it in the session; null = there was none. */
  readonly previous: string | null
  readonly options: ProbeOptions
  readonly collections: number
}

const REASONS: ReadonlyArray<readonly [Reason, (message: Incoming) => boolean]> = [
  ['off', ({ options }) => !options.enabled],
  ['reflex_command', ({ text, options }) => options.reflexCommands.includes(commandOf(text))],
  ['duplicate', ({ text, previous }) => previous !== null && text === previous],
  ['too_short', ({ text, options }) => countWords(text) < options.minWords],
  ['no_collections', ({ collections }) => collections === 0],
]

/** "/Help!" is the command `help`. */
function commandOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[/!:]/u, '')
    .replace(/[.!?]+$/u, '')
}

/** [D2] Why a message is not probed; null = it is. The first reason that holds. */
export function skipReason(message: Incoming): Reason | null {
  return REASONS.find(([, holds]) => holds(message))?.[0] ?? null
}
