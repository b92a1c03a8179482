import type { ImportedTranscript } from '../../engine/import/source.ts'
import { textOf, type SessionEvent } from '../../engine/schema/event.ts'
import type { Session } from '../../engine/schema/session.ts'

/**
 * Whether a transcript only goes on where an earlier one ended: the same sessions in the same places,
 * each beginning with the same events. `deep`: of another reading of the file, so that events are to
 * be compared by what they say; else they are the same objects.
 */
export function continues(
  before: ImportedTranscript,
  now: ImportedTranscript,
  deep: boolean,
): boolean {
  return before.sessions.every((session, at) => {
    const other = now.sessions[at]
    if (other?.id !== session.id || other.thread !== session.thread) return false
    const { events } = other
    return session.events.every((event, seq) => {
      const same = events[seq]
      if (same === undefined || !deep) return event === same
      // Texts are fetched last: all else must agree first.
      return factsAgree(event, same) && textOf(event, session.texts) === textOf(same, other.texts)
    })
  })
}

function factsAgree(a: SessionEvent, b: SessionEvent): boolean {
  return (
    a.kind === b.kind &&
    a.at === b.at &&
    a.name === b.name &&
    a.callId === b.callId &&
    a.isError === b.isError &&
    a.model === b.model &&
    a.chars === b.chars
  )
}

/** Sessions that did not change stay the objects they were, with all that is known of them. */
export function keepingSame(
  before: ImportedTranscript,
  now: ImportedTranscript,
): ImportedTranscript {
  const sessions = now.sessions.map((session, at) => {
    const old = before.sessions[at]
    return old !== undefined && isSame(old, session) ? old : session
  })
  return { ...now, sessions }
}

function isSame(a: Session, b: Session): boolean {
  return (
    a.events.length === b.events.length &&
    a.id === b.id &&
    a.thread === b.thread &&
    a.parent === b.parent &&
    a.title === b.title &&
    a.cwd === b.cwd &&
    a.startedAt === b.startedAt &&
    a.events.every((event, seq) => event === b.events[seq])
  )
}
