import { type SessionEvent, type SessionTexts, textOf } from '../schema/event.ts'
import { ASKED_CHARS } from './acts/message.ts'

/** [V78] An output with the user message before it; null if that message is not known. */
export interface SaidOutput {
  readonly text: string
  readonly asked: string | null
}

/**
 * [V78] Maps an output's `seq` to the beginning of the last user message before it; null if none precedes it. Texts are
 * fetched lazily.
 */
export function askedIn({ events, texts }: SessionTexts): (seq: number) => string | null {
  const before = new Map<number, SessionEvent>()
  let last: SessionEvent | null = null
  for (const event of events) {
    if (event.kind === 'user') last = event
    else if (event.kind === 'agent' && last !== null) before.set(event.seq, last)
  }
  return (seq) => {
    const event = before.get(seq)
    return event === undefined ? null : textOf(event, texts).slice(0, ASKED_CHARS)
  }
}
