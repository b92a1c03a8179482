import type { Turn } from '../../engine/turns.ts'

/** A string with a character above U+00FF takes two bytes for each of its units. */
const BYTES_A_UNIT = 2
/** Of a text that becomes only a little smaller the string is kept: it need not be decoded. */
const WORTH = 0.75

/** A turn whose text is decoded when it is read. */
class PackedTurn implements Turn {
  readonly seq: number
  readonly kind: Turn['kind']
  readonly #texts: Buffer
  readonly #from: number
  readonly #to: number

  constructor({ seq, kind }: Turn, texts: Buffer, from: number, to: number) {
    this.seq = seq
    this.kind = kind
    this.#texts = texts
    this.#from = from
    this.#to = to
  }

  get text(): string {
    return this.#texts.toString('utf8', this.#from, this.#to)
  }
}

/** Bytes of a text as UTF-8; 0 where it is kept as the string that it is. */
function packedSize(text: string): number {
  if (!/[^\0-\xff]/.test(text) || !text.isWellFormed()) return 0
  const size = Buffer.byteLength(text)
  return size <= text.length * BYTES_A_UNIT * WORTH ? size : 0
}

/**
 * [L115] The turns of a session for a corpus that stays in memory. A text of mostly ASCII that has a dash or an arrow
 * in it takes twice the memory of one that has none: such texts are kept as UTF-8, all in one buffer.
 */
export function packTurns(turns: readonly Turn[]): readonly Turn[] {
  const sizes = turns.map(({ text }) => packedSize(text))
  const texts = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, 0))
  let at = 0
  return turns.map((turn, index) => {
    const size = sizes[index] ?? 0
    if (size === 0) return turn
    const from = at
    at += texts.write(turn.text, from)
    return new PackedTurn(turn, texts, from, at)
  })
}
