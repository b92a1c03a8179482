/** Characters that are put together at a time: more arguments than this a call may not have. */
const PIECE = 4096

/**
 * A text of characters up to U+00FF, given by their codes, in one byte each. A form that was made by replacing
 * parts of a text keeps two bytes a character, as the text does, whatever stands in it.
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
