/** Characters that are put together at a time: more arguments than this a call may not have. */
const PIECE = 4096

/**
 * A text of characters up to U+00FF, given by their codes, in one byte each. A form made by replacing parts of a text
 * would keep two bytes per character, as the text does.
 */
export function oneByteText(length: number, codeAt: (at: number) => number): string {
  const codes: number[] = []
  let text = ''
  for (let at = 0; at < length; at += PIECE) {
    const size = Math.min(PIECE, length - at)
    codes.length = size
    for (let index = 0; index < size; index += 1) codes[index] = codeAt(at + index)
    text += String.fromCharCode(...codes)
  }
  return text
}
