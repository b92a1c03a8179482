/** What JSON says of a character below U+0100 that it does not write as it is. */
const ESCAPE = Buffer.from('\\u00')
/** Numbers, words and structures of JSON may be written in many ways; a text of letters and digits in one or escaped. */
const IS_PLAIN_TEXT = /^(?![-+.\d]+(?:e[-+]?\d+)?$)(?!(?:true|false|null)$)[^[{]/iu

/**
 * Which lines of JSON may belong to a session: never false for one that does, false for most others. Whether a line
 * holds a word is known long before it is parsed.
 */
export function mayHoldSession(session: string): (line: Buffer) => boolean {
  const word = longestWord(session)
  return word === null ? () => true : (line) => line.includes(word) || line.includes(ESCAPE)
}

/** The longest run of ASCII letters and digits, or null where the text may stand in a line in another way. */
function longestWord(session: string): Buffer | null {
  if (!IS_PLAIN_TEXT.test(session)) return null
  const words = session.match(/[a-z\d]+/giu) ?? []
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  return longest === '' ? null : Buffer.from(longest)
}
