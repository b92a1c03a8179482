/** Fingerprints of the texts of one record, in order. */
export interface Prints {
  readonly of: (text: string) => string
  readonly known: readonly Print[]
}

export interface Print {
  readonly text: string
  readonly print: string
}

/** A call mostly repeats the list of the call before: comparing two texts is far cheaper than a fingerprint. */
export function createPrints(before: readonly Print[] = []): Prints {
  const known: Print[] = []
  return {
    known,
    of(text) {
      const old = before[known.length]
      const same = old?.text === text ? old : { text, print: fingerprint(text) }
      known.push(same)
      return same.print
    },
  }
}

/** Says the same of the same text and, but for an accident in 2⁶⁴, of no other. */
export function fingerprint(value: string): string {
  let a = 0x811c9dc5
  let b = 0x1b873593
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x85ebca6b)
    b = (b << 13) | (b >>> 19)
  }
  return `${value.length}.${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`
}
