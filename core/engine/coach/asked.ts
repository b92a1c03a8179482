import { type SessionEvent, type SessionTexts, textOf } from '../schema/event.ts'
import { ASKED_CHARS } from './acts/message.ts'

/** [V78] An output with what the person said before it; null where that is not known. */
export interface SaidOutput {
  readonly text: string
  readonly asked: string | null
}

/**
 * [V78] The beginning of the person's last message before each output of the agent, by the output's `seq`;
 * null for an output that none came before. A text is fetched when it is asked for.
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
