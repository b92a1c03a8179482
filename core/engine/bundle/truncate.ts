import { dropBlanks, isBlank } from '../python-text.ts'

/** [A11] Marks omitted text, on a separate line. It counts towards the budget. */
export const MARKER = '[... truncated to fit token budget ...]'

/** Maximum distance before the limit at which the start of a word is searched, in UTF-16 units. */
const LOOK_BACK = 64

const BREAK_AFTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Po}\p{Ps}\p{Pe}]/u
/** Characters that belong to the preceding one: marks, joiners and the characters they join. */
const JOINS = /[\p{M}\u200d]/u

/**
 * [A11] The longest beginning of a text that fits, cut at a word. `fits` must hold for the beginnings
 * of a text that fits. Line breaks and indentation stay; blanks at the cut go.
 */
export function fittingPrefix(text: string, fits: (prefix: string) => boolean): string {
  // Galloping search keeps the work proportional to the size of the answer, not of the text.
  let low = 0
  let high = 256
  while (high < text.length && fits(text.slice(0, high))) {
    low = high
    high *= 2
  }
  high = Math.min(high, text.length)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(text.slice(0, middle))) low = middle
    else high = middle - 1
  }
  let prefix = atWord(text, low)
  // A real tokenizer may count a shorter text higher: step back until it holds.
  while (prefix !== '' && !fits(prefix)) prefix = atWord(text, prefix.length - 1)
  return prefix
}

function atWord(text: string, limit: number): string {
  return text.slice(0, dropBlanks(text, 0, wordBorder(text, limit)))
}

function wordBorder(text: string, limit: number): number {
  if (limit >= text.length || limit <= 0) return Math.max(0, Math.min(limit, text.length))
  if (isBlank(text.charCodeAt(limit))) return limit
  const least = Math.max(0, limit - LOOK_BACK)
  for (let at = limit; at > least; at -= 1) if (isBlank(text.charCodeAt(at - 1))) return at
  // No blanks: Chinese, Japanese, minified JSON. A character or a bracket ends there.
  for (let at = limit; at > least; at -= 1) if (canBreak(text, at)) return at
  return splitsPair(text, limit) ? limit - 1 : limit
}

function canBreak(text: string, at: number): boolean {
  if (splitsPair(text, at) || JOINS.test(text.slice(at, at + 1))) return false
  const pair = splitsPair(text, at - 1)
  return BREAK_AFTER.test(text.slice(pair ? at - 2 : at - 1, at))
}

/** Whether `at` splits a surrogate pair. */
function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
