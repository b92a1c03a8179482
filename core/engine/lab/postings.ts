import type { CompiledSignal } from '../matcher/signal.ts'
import type { Corpus, Posting } from './corpus.ts'
import { identityOf } from '../matcher/identity.ts'
import { countedTo, type Work } from './rescore.ts'
import { scanMany, scanOne, type Found, type LabGuard } from './scan-turns.ts'
import { turnsBetween, type TextView } from './text-view.ts'
import { createWordIndex, type WordIndex } from './word-index.ts'

/** What was found, by view and identity of the signal. */
interface KnownPostings {
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

const NOTHING_FOUND: Found = { posting: new Uint32Array(0), cut: [] }

function sizeOf(found: Found): number {
  return found.posting.byteLength + 100
}

/** Both lists, which have no turn in common. */
function merged(a: Posting, b: Posting): Posting {
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

function createKnownPostings(): KnownPostings {
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

/** What is known of signals over one corpus. */
export interface Postings {
  /** What was found for every signal; looks for those that were never looked for. */
  find(
    signals: readonly CompiledSignal[],
    view: TextView,
    guard: LabGuard,
  ): Work<{ readonly found: readonly Found[]; readonly scanned: number }>
  /** Nothing will be asked in this view any more. */
  forget(view: TextView): void
  /** Bytes of posting lists, and of the index of words. */
  bytes(): { readonly postings: number; readonly index: number }
}

/** More signals than this are looked for together, in one pass over all texts. */
const FEW = 12

/** Signals to look for, by identity. */
type Wanted = ReadonlyMap<string, CompiledSignal>

interface Search {
  readonly known: KnownPostings
  readonly view: TextView
  readonly guard: LabGuard
}

/** Looks for all signals together on these turns; `keep` is told what was found. */
function* findMany(
  wanted: Wanted,
  turns: Uint32Array,
  { view, guard }: Search,
  keep: (identity: string, found: Found) => void,
): Work<void> {
  const found = yield* countedTo(scanMany([...wanted.values()], view, turns, guard), turns.length)
  for (const [at, identity] of [...wanted.keys()].entries())
    keep(identity, found[at] ?? NOTHING_FOUND)
}

/** [T6] What other views know of the signals, with the turns that differ looked at anew. */
function* fromOtherViews(wanted: Wanted, search: Search): Work<void> {
  const { known, view } = search
  for (const other of known.views()) {
    if (other === view) continue
    const lacking = new Map(
      [...wanted].filter(
        ([identity]) =>
          known.get(other, identity)?.cut.length === 0 && known.get(view, identity) === undefined,
      ),
    )
    if (lacking.size === 0) continue
    const turns = turnsBetween(other, view)
    const between = new Set(turns)
    yield* findMany(lacking, turns, search, (identity, { posting, cut }) => {
      const there = known.get(other, identity) ?? NOTHING_FOUND
      known.put(view, identity, { posting: moved(there.posting, between, posting), cut })
    })
  }
}

/** Looks for a few signals, each only where the words it requires stand. */
function* findFew(
  wanted: Wanted,
  words: WordIndex,
  differ: Uint32Array | null,
  { known, view, guard }: Search,
): Work<void> {
  for (const [identity, signal] of wanted) {
    const { sure, possible } = words.candidates(signal, differ, guard)
    const scan = scanOne(signal, view, possible, guard)
    const { posting, cut } = yield* countedTo(scan, possible.length)
    // [T9] Cut off, it matches nothing on the turns that follow, also where the words said so.
    const end = cut[0]?.turn ?? Infinity
    const before = end === Infinity ? sure : sure.filter((turn) => turn < end)
    known.put(view, identity, { posting: merged(before, posting), cut })
  }
}

export function createPostings(corpus: Corpus): Postings {
  const everyTurn = Uint32Array.from({ length: corpus.turns }, (_, turn) => turn)
  const known = createKnownPostings()
  let index: { readonly view: TextView; readonly words: WordIndex } | null = null

  return {
    *find(signals, view, guard) {
      const search: Search = { known, view, guard }
      const all = new Map(signals.map((signal) => [identityOf(signal), signal]))
      const missing = (): Wanted =>
        new Map([...all].filter(([one]) => known.get(view, one) === undefined))
      const scanned = missing().size
      if (scanned > 0) yield* fromOtherViews(missing(), search)
      const rest = missing()
      if (rest.size > FEW)
        yield* findMany(rest, everyTurn, search, (identity, found) =>
          known.put(view, identity, found),
        )
      else if (rest.size > 0) {
        index ??= { view, words: yield* createWordIndex(corpus, view) }
        const differ = index.view === view ? null : turnsBetween(index.view, view)
        yield* findFew(rest, index.words, differ, search)
      }
      const identities = signals.map(identityOf)
      known.use(view, identities)
      const found = identities.map((identity) => known.get(view, identity) ?? NOTHING_FOUND)
      return { found, scanned }
    },
    forget: known.forget,
    bytes: () => ({ postings: known.bytes(), index: index?.words.bytes ?? 0 }),
  }
}
