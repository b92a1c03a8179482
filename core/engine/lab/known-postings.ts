import type { Posting } from './corpus.ts'
import type { Found } from './scan-turns.ts'
import type { TextView } from './text-view.ts'

/** What was found, by view and identity of the signal. */
export interface KnownPostings {
  get(view: TextView, identity: string): Found | undefined
  put(view: TextView, identity: string, found: Found): void
  /** Views in which something is known, the newest first. */
  views(): readonly TextView[]
  readonly forget: (view: TextView) => void
  /** Marks what is in use. Everything else may be forgotten, oldest first, if it takes too much memory. */
  use(view: TextView, identities: readonly string[]): void
  bytes(): number
}

/** Lists that are not in use are kept up to this size, because a person who types often goes back. */
const KEPT_BYTES = 64 << 20

export const NOTHING_FOUND: Found = { posting: new Uint32Array(0), cut: [] }

function sizeOf(found: Found): number {
  return found.posting.byteLength + 100
}

/** Both lists, which have no turn in common. */
export function merged(a: Posting, b: Posting): Posting {
  if (a.length === 0) return b
  const all = new Uint32Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return b.length === 0 ? all : all.sort()
}

/** The posting in another view: the same but for the turns whose text differs. */
export function moved(posting: Posting, between: ReadonlySet<number>, there: Posting): Posting {
  const kept = posting.filter((turn) => !between.has(turn))
  const all = merged(kept, there)
  // If nothing differs, the same list is returned, so that it need not be compared again.
  const same = all.length === posting.length && all.every((turn, at) => turn === posting[at])
  return same ? posting : all
}

export function createKnownPostings(): KnownPostings {
  const views = new Map<TextView, Map<string, Found>>()
  let bytes = 0

  function drop(known: Map<string, Found>, identity: string, found: Found): void {
    known.delete(identity)
    bytes -= sizeOf(found)
  }

  return {
    get: (view, identity) => views.get(view)?.get(identity),
    put: (view, identity, found) => {
      const known = views.get(view) ?? new Map<string, Found>()
      views.set(view, known)
      known.set(identity, found)
      bytes += sizeOf(found)
    },
    views: () => [...views.keys()].reverse(),
    forget: (view) => {
      for (const [identity, found] of views.get(view) ?? [])
        drop(views.get(view) ?? new Map<string, Found>(), identity, found)
      views.delete(view)
    },
    use: (view, identities) => {
      const own = views.get(view)
      const used = new Set(identities)
      for (const identity of used) {
        const found = own?.get(identity)
        if (found === undefined) continue
        own?.delete(identity)
        own?.set(identity, found)
      }
      for (const known of views.values())
        for (const [identity, found] of known) {
          if (bytes <= KEPT_BYTES) return
          if (known !== own || !used.has(identity)) drop(known, identity, found)
        }
    },
    bytes: () => bytes,
  }
}
