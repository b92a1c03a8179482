/** Printable ASCII from `(` on without `<`, which opens a tag, and the backslash: 85 letters. */
const LETTERS = Uint8Array.from(
  Array.from({ length: 87 }, (_, at) => at + 40).filter((code) => code !== 60 && code !== 92),
)
const DIGITS = new Uint8Array(128)
for (const [digit, code] of LETTERS.entries()) DIGITS[code] = digit

/** Letters of a group, and the bytes that they encode. */
const GROUP = 5
const BYTES = 4
const HIGHEST = 84

/** [R11] Encodes bytes as text that is valid in a script element: five letters for four bytes. Base64 needs 5.3. */
export function toBase85(bytes: Uint8Array): string {
  const letters = new Uint8Array(Math.ceil(bytes.length / BYTES) * GROUP)
  for (let from = 0, to = 0; from < bytes.length; from += BYTES, to += GROUP) {
    let value = 0
    for (let at = 0; at < BYTES; at += 1) value = value * 256 + (bytes[from + at] ?? 0)
    for (let at = GROUP - 1; at >= 0; at -= 1) {
      letters[to + at] = LETTERS[value % 85] ?? 0
      value = Math.floor(value / 85)
    }
  }
  const rest = bytes.length % BYTES
  const length = rest === 0 ? letters.length : letters.length - BYTES + rest
  return new TextDecoder().decode(letters.subarray(0, length))
}

/** The bytes of such a text. Written by `toBase85`: other letters count as the first one. */
export function fromBase85(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((text.length * BYTES) / GROUP))
  for (let from = 0, to = 0; from < text.length; from += GROUP, to += BYTES) {
    let value = 0
    for (let at = 0; at < GROUP; at += 1) {
      const isThere = from + at < text.length
      value = value * 85 + (isThere ? (DIGITS[text.charCodeAt(from + at)] ?? 0) : HIGHEST)
    }
    // The array drops writes beyond its end.
    for (let at = 0; at < BYTES; at += 1) bytes[to + at] = value >>> (24 - 8 * at)
  }
  return bytes
}
