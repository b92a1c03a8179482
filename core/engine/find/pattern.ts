import { type Result, err, messageOf, ok } from '../result.ts'
import type { Pattern } from './query.ts'
import { type RawValue, queryProblem } from './tokens.ts'

/** Flags that say something about a search; `g`, `y` and `d` change nothing here and are taken off. */
const IDLE_FLAGS = /[gyd]/gu
const ASCII = /^[\0-\x7F]*$/u

/** [F2, F3] A value as a pattern: a regular expression as it is written, anything else letter by letter. */
export function patternOf(value: RawValue): Result<Pattern> {
  if (value.form !== 'regex') return ok({ regexp: literal(value.text), foreign: false })
  try {
    const regexp = new RegExp(value.text, value.flags.replaceAll(IDLE_FLAGS, ''))
    return ok({ regexp, foreign: true })
  } catch (error) {
    const why = messageOf(error).replace(/^Invalid regular expression: /u, '')
    return err(
      queryProblem(
        `the regular expression cannot be used (${why})`,
        value.column,
        'Correct it, or put it in quotes to find it as plain text',
      ),
    )
  }
}

/**
 * [F2] In any case, composed or decomposed; accents count. The native search is several times faster
 * than changing the case of every text.
 */
function literal(text: string): RegExp {
  if (ASCII.test(text)) return new RegExp(escaped(text), 'i')
  const forms = new Set([text, text.normalize('NFC'), text.normalize('NFD')])
  return new RegExp([...forms].map((form) => escaped(form)).join('|'), 'iu')
}

/** A text as the source of a regular expression that matches just it. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`)
}
