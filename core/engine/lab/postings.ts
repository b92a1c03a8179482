import type { CompiledSignal } from '../matcher/signal.ts'
import type { Corpus } from './corpus.ts'
import { identityOf } from './identity.ts'
import {
  createKnownPostings,
  merged,
  moved,
  NOTHING_FOUND,
  type KnownPostings,
} from './known-postings.ts'
import { countedTo, type Work } from './rescore.ts'
import { scanMany, scanOne, type Found, type LabGuard } from './scan-turns.ts'
import { type TextView, turnsBetween } from './text-view.ts'
import { createWordIndex, type WordIndex } from './word-index.ts'

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
    const { sure, possible } = words.candidates(signal, differ)
    const scan = scanOne(signal, view, possible, guard)
    const { posting, cut } = yield* countedTo(scan, possible.length)
    known.put(view, identity, { posting: merged(sure, posting), cut })
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
