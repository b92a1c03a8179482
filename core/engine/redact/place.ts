const MARK = /\[REDACTED:[a-z]{1,9}\]/u
const MARK_BEFORE = /\[REDACTED:[a-z]{1,9}\]$/u
const MARK_BEHIND = /^\[REDACTED:[a-z]{1,9}\]/u
/**
 * [F33] A terminal colour code or a percent escape before a value. It ends with a letter or digit that does not belong
 * to the value.
 */
const ENDS_BY_ITSELF =
  /(?:(?:\p{Cc}|\\(?:u001b|x1b|033|e))\[[0-9;]{0,12}m|\[(?:[0-9]{1,3};){0,4}[0-9]{1,3}m|%[0-9a-f]{2})$/iu

/** Not behind a letter or digit; but `\n` and its like, as JSON writes them, are no letters. */
export function startsWord(text: string, at: number): boolean {
  if (at === 0) return true
  // A redacted value before an anchor counts as a word, as the original did [R5].
  if (text[at - 1] === ']') return !MARK_BEFORE.test(text.slice(Math.max(0, at - 24), at))
  if (!/[A-Za-z0-9]/u.test(text[at - 1] ?? '')) return true
  let slashes = 0
  while (text[at - 2 - slashes] === '\\') slashes += 1
  if (slashes % 2 === 1 && /[bfnrt]/u.test(text[at - 1] ?? '')) return true
  const before = text.slice(Math.max(0, at - 24), at)
  return /\\u[\da-f]{4}$/iu.test(before) || ENDS_BY_ITSELF.test(before)
}

/** [R4] A span does not begin inside `\n` or `\u00e9`, because the remainder would not be JSON. */
export function afterEscape(text: string, start: number, end: number): number {
  let slashes = 0
  while (text[start - 1 - slashes] === '\\') slashes += 1
  if (slashes % 2 === 0) return start
  if (/[bfnrt]/u.test(text[start] ?? '')) return Math.min(end, start + 1)
  return /^u[\da-f]{4}/iu.test(text.slice(start, start + 5)) ? Math.min(end, start + 5) : start
}

/** [R5] Text that was redacted earlier is left unchanged, and so is text attached to it. */
export function touchesMark(text: string, start: number, end: number): boolean {
  // A dot between a mark and what hangs on it: the rest of an address whose beginning was a key.
  const joint = /[.+_-]/u.test(text[start - 1] ?? '') ? start - 1 : start
  if (text[joint - 1] === ']' && MARK_BEFORE.test(text.slice(Math.max(0, joint - 24), joint))) {
    return true
  }
  if (text[end] === '[' && MARK_BEHIND.test(text.slice(end, end + 24))) return true
  return (
    MARK.test(text.slice(Math.max(0, start - 20), Math.min(text.length, end + 20))) &&
    inMark(text, start, end)
  )
}

function inMark(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - 24)
  for (const mark of text.slice(from, end + 24).matchAll(new RegExp(MARK, 'gu'))) {
    const at = from + mark.index
    if (at < end && at + mark[0].length > start) return true
  }
  return false
}
