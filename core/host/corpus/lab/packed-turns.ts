import type { Turn } from '../../../engine/turns.ts'

// Of both a page has its own, and a text may begin with a mark of its order of bytes.
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A string with a character above U+00FF takes two bytes for each of its units. */
const BYTES_A_UNIT = 2
/** Of a text that becomes only a little smaller the string is kept: it need not be decoded. */
const WORTH = 0.75

/** A turn whose text is decoded when it is read. */
class PackedTurn implements Turn {
  readonly seq: number
  readonly kind: Turn['kind']
  readonly #texts: Uint8Array
  readonly #from: number
  readonly #to: number

  constructor({ seq, kind }: Turn, texts: Uint8Array, from: number, to: number) {
    this.seq = seq
    this.kind = kind
    this.#texts = texts
    this.#from = from
    this.#to = to
  }

  get text(): string {
    return decoder.decode(this.#texts.subarray(this.#from, this.#to))
  }
}

/** A text as UTF-8; null if it is kept as a string. */
function packed(text: string): Uint8Array | null {
  if (!/[^\0-\xff]/.test(text) || !text.isWellFormed()) return null
  const bytes = encoder.encode(text)
  return bytes.length <= text.length * BYTES_A_UNIT * WORTH ? bytes : null
}

/**
 * [L115] The turns of a session for a corpus that stays in memory. A text of mostly ASCII that has a dash or an arrow
 * in it takes twice the memory of one that has none: such texts are kept as UTF-8, all in one buffer.
 */
export function packTurns(turns: readonly Turn[]): readonly Turn[] {
  const parts = turns.map(({ text }) => packed(text))
  const texts = new Uint8Array(parts.reduce((sum, part) => sum + (part?.length ?? 0), 0))
  let at = 0
  return turns.map((turn, index) => {
    const part = parts[index] ?? null
    if (part === null) return turn
    const from = at
    texts.set(part, from)
    at += part.length
    return new PackedTurn(turn, texts, from, at)
  })
}
