import type { Session } from '../schema/session.ts'
import { headerOf, lineOf } from '../session-file.ts'
import { jsonText } from '../json-text.ts'
import { redactText, redactValue, type RedactField, type RedactOptions } from './redact.ts'

/**
 * [R7, I10] A session as lines of the native format, yielded one by one, so that a session of any size can be written.
 * With `options`, every text is redacted, including title, folder, ids, names and unknown fields. The only writer
 * behind export, `turnscope convert` and the review.
 */
export function* sessionLines(session: Session, options: RedactOptions | null): Generator<string> {
  const redact: RedactField | null =
    options === null ? null : (text, field) => redactText(text, options, field)
  for (const record of sessionRecords(session)) {
    yield `${jsonText(redact === null ? record : redactValue(record, redact))}\n`
  }
}

/** The same as unredacted values: the head of the session, then its events in order. */
export function* sessionRecords(session: Session): Generator<Readonly<Record<string, unknown>>> {
  yield headerOf(session)
  for (const event of session.events) yield lineOf(event, session.texts)
}
