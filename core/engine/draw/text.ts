/**
 * Widths of characters in ems, slightly more than in the bundled font, so that text that fits by this table fits in
 * every fallback sans-serif. A table instead of measurement gives the same result everywhere.
 */
const WIDTHS: ReadonlyArray<readonly [characters: RegExp, ems: number]> = [
  [/[ ijlI.,:;'|!·`]/u, 0.31],
  [/[frt()[\]{}/\\"*-]/u, 0.41],
  [/[MW@%mw—…]/u, 0.95],
  [/[A-Z0-9&+=<>#$?~_^]/u, 0.69],
  [/[\u1100-\u{10ffff}]/u, 1.05],
]
const USUAL = 0.6

function widthOf(character: string): number {
  // Quotes, dashes and spaces of typography are no wider than letters.
  if (/[\u2000-\u206f]/u.test(character) && !/[—…]/u.test(character)) return USUAL
  return WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? USUAL
}

/** Upper bound of the width of a line of text, in the units of `size`. */
export function textWidth(text: string, size: number): number {
  let ems = 0
  for (const character of text) ems += widthOf(character)
  return ems * size
}

/** Characters that are invisible, change the text direction, or are not allowed in XML. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these are meant, one by one
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\ufff9-\uffff\u{e0000}-\u{e0fff}]/gu
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Characters of a name that are used at most; wider than any picture. */
const MOST = 400

/** [U152] A text of strangers as one line: no controls, no half characters, blanks as one. */
export function cleaned(text: string): string {
  return text
    .slice(0, MOST)
    .replace(HALF, '\ufffd')
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(/ {2,}/gu, ' ')
    .trim()
}

/** [U152] The same, cut with `…` if it would be wider than `most`. */
export function fitted(text: string, most: number, size: number): string {
  const whole = cleaned(text)
  if (textWidth(whole, size) <= most && text.length <= MOST) return whole
  const characters = Array.from(whole)
  const room = most - textWidth('…', size)
  let used = 0
  let count = 0
  for (const character of characters) {
    used += widthOf(character) * size
    if (used > room) break
    count += 1
  }
  // No accent without its letter.
  while (count > 0 && /\p{M}/u.test(characters[count] ?? '')) count -= 1
  return `${characters.slice(0, count).join('').trimEnd()}…`
}

/** `1,234`, the same in every locale. */
export function figure(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/gu, ',')
}

/** `1 turn`, `1,234 turns`. */
export function many(value: number, noun: string, nouns = `${noun}s`): string {
  return `${figure(value)} ${value === 1 ? noun : nouns}`
}

/** `46 %`. Never shows 0 % for a share above zero, or 100 % for a share below the whole. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–'
  const share = Math.round((100 * part) / whole)
  if (share === 0 && part > 0) return '< 1 %'
  if (share === 100 && part < whole) return '> 99 %'
  return `${share} %`
}
