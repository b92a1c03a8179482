import { QUOTE } from './cursor.ts'

const BACKSLASH = 0x5c

/** Where the closing quote is; `before` backslashes stand in front of the bytes. */
export function endOfPart(bytes: Uint8Array, from: number, before: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let back = at - 1
    while (back >= from && bytes[back] === BACKSLASH) back -= 1
    const escapes = at - 1 - back + (back < from ? before : 0)
    if (escapes % 2 === 0) return at
  }
  return -1
}

/** Backslashes at the end of the bytes, 0 or 1 of them counts. */
export function trailing(bytes: Uint8Array, from: number, before: number): number {
  let back = bytes.length - 1
  while (back >= from && bytes[back] === BACKSLASH) back -= 1
  return (bytes.length - 1 - back + (back < from ? before : 0)) % 2
}

/** A string without its escapes; one that was cut within an escape loses that. */
export function plain(raw: string): string {
  if (!raw.includes('\\')) return raw
  for (let cut = 0; cut < 6; cut += 1) {
    try {
      const value: unknown = JSON.parse(`"${raw.slice(0, raw.length - cut)}"`)
      if (typeof value === 'string') return value
    } catch {
      // Shorter by one, until the escape is gone.
    }
  }
  return raw
}
