/** Replaces each unit of a removed text. */
const MASK = '•'

/**
 * [U120] A text of the same size that says nothing: every UTF-16 unit but line ends becomes a dot, words
 * and the gaps between them alike. A text of nothing but white space stays, because blank texts count
 * differently.
 */
export function maskText(text: string): string {
  return text.trim() === '' ? text : text.replace(/[^\n]/gu, (one) => MASK.repeat(one.length))
}
