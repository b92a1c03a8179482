import { afterEscape } from './place.ts'

/** Base64 of eighteen bytes and more, with the line ends that `base64` writes. */
const RUN = /[A-Za-z0-9+/]{24,}(?:(?:\r?\n|\\n)[A-Za-z0-9+/]{4,})*={0,2}/gu
const BREAK = /\r?\n|\\n/gu
const MAYBE = /[A-Za-z0-9+/]{24}/u
const SHORTEST = 24
/** Units of a run that are read. What is longer is a file, of which the beginning tells what it is. */
const MOST = 40_000
const CODES = new Map(
  Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', (char, code) => [
    char.charCodeAt(0),
    code,
  ]),
)

export interface Encoded {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** [F34] Runs of base64 that hold readable text, with that text. Linear: each unit is read at most twice. */
export function* encodedTexts(text: string): Generator<Encoded> {
  // Most texts of a session are too short to hold any; looking is what costs.
  if (text.length < SHORTEST || !MAYBE.test(text)) return
  for (const match of text.matchAll(RUN)) {
    const end = match.index + match[0].length
    const start = afterEscape(text, match.index, end)
    const all = text.slice(start, end)
    const whole = decoded(all.replaceAll(BREAK, ''))
    if (whole !== null) {
      yield { start, end, text: whole }
      continue
    }
    const first = all.search(BREAK)
    const line = first < 0 ? null : decoded(all.slice(0, first))
    if (line !== null) yield { start, end: start + first, text: line }
  }
}

/** The text of base64, null where it is none: most runs are known by their first bytes. */
function decoded(base64: string): string | null {
  let text = ''
  let bits = 0
  let held = 0
  const length = Math.min(base64.length, MOST)
  for (let at = 0; at < length; at += 1) {
    const code = CODES.get(base64.charCodeAt(at))
    if (code === undefined) break
    bits = (bits << 6) | code
    held += 6
    if (held < 8) continue
    held -= 8
    const byte = (bits >> held) & 255
    bits &= (1 << held) - 1
    if (byte > 126 || (byte < 32 && byte !== 10 && byte !== 13 && byte !== 9)) return null
    text += String.fromCharCode(byte)
  }
  return text
}
