/** At most this many texts wait for their second copy; older ones are assumed to have none. */
const WINDOW = 64

/** Where a copy was found: in an event of the wrapper, or in an item of the model's context. */
export type Side = 'event' | 'item'

/**
 * [I11] Pairs the two copies of a text that a harness writes twice, whichever comes first. Two equal
 * texts of one side are never copies of each other. Holds fingerprints, not texts.
 */
export interface Copies<T> {
  /** Removes and returns the waiting copy from the other side; undefined if this is the first copy. */
  take(side: Side, text: string): T | undefined
  /** Keeps a text until its other copy comes; `take` then returns `what`. */
  wait(side: Side, text: string, what: T): void
}

export function createCopies<T>(): Copies<T> {
  const waiting: Record<Side, Array<{ readonly print: string; readonly what: T }>> = {
    event: [],
    item: [],
  }
  return {
    take(side, text) {
      const others = waiting[side === 'event' ? 'item' : 'event']
      if (others.length === 0) return undefined
      const print = fingerprint(text)
      const at = others.findIndex((one) => one.print === print)
      return at < 0 ? undefined : others.splice(at, 1)[0]?.what
    },
    wait(side, text, what) {
      waiting[side].push({ print: fingerprint(text), what })
      if (waiting[side].length > WINDOW) waiting[side].shift()
    },
  }
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Length and FNV-1a hash of a text without the blanks around it. */
export function fingerprint(text: string): string {
  const trimmed = text.trim()
  let hash = FNV_OFFSET
  for (let at = 0; at < trimmed.length; at += 1) {
    hash = Math.imul(hash ^ trimmed.charCodeAt(at), FNV_PRIME)
  }
  return `${trimmed.length}:${hash >>> 0}`
}
