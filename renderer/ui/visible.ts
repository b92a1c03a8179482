import { withoutCodes } from '../../core/engine/terminal-codes.ts'
import { markLookAlikes } from './look-alike.ts'

/** Characters of a name that are put into the page; the whole name is one tooltip or copy away. */
export const MOST_NAME = 200
const HEAD = 140
const TAIL = 50
/** A tooltip is laid out as a whole too. */
const MOST_TITLE = 10_000

/**
 * Control characters except tab and line breaks, bidirectional controls, zero-width characters, and tags. The joiners
 * U+200C and U+200D are kept, because scripts and emoji need them.
 */
const HIDDEN =
  /(?![\t\n\r])\p{Cc}|[\xAD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

/** [U16] The text with a mark such as ⟨U+202E⟩ in the place of each character that hides or turns text. */
export function visible(text: string): string {
  return text.replace(
    HIDDEN,
    (hidden) => `⟨U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}

/** [U16] [B25] A text of a transcript: without codes of the terminal, with a mark for each other hidden character. */
export function readable(text: string): string {
  return visible(withoutCodes(text))
}

/** [U16] [U20] A name of any length, with all marks. */
function nameText(name: string): string {
  return markLookAlikes(visible(name))
}

/** Cut at `at`, or one code unit earlier if that would split a character. */
function before(text: string, at: number): string {
  const part = text.slice(0, at)
  return part.isWellFormed() ? part : part.slice(0, -1)
}

function after(text: string, at: number): string {
  const part = text.slice(at)
  return part.isWellFormed() ? part : part.slice(1)
}

/** [U17] A name as it is put into the page: visible, and of a length that costs nothing to lay out. */
export function shortName(name: string): string {
  const whole = nameText(name.length > 4 * MOST_NAME ? ends(name, 2 * MOST_NAME) : name)
  return whole.length <= MOST_NAME
    ? whole
    : `${before(whole, HEAD)}…${after(whole, whole.length - TAIL)}`
}

/** Characters of a pattern that a line can show on the widest screen. */
const MOST_CODE = 300

/** [U17] The beginning of a pattern for a line that is cut at its width; the whole one is a tooltip or Tune away. */
export function shortCode(text: string): string {
  const whole = visible(text.slice(0, 2 * MOST_CODE))
  return whole.length <= MOST_CODE ? whole : `${before(whole, MOST_CODE)}…`
}

function ends(text: string, each: number): string {
  return `${before(text, each)}…${after(text, text.length - each)}`
}

/** The whole name for a tooltip, as far as a tooltip can show it. */
export function titleOf(name: string): string {
  const whole = nameText(name.slice(0, MOST_TITLE))
  return name.length <= MOST_TITLE ? whole : `${whole}… (${name.length} characters)`
}
