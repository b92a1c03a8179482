import { fingerprint } from '../shared/fingerprint.ts'

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
