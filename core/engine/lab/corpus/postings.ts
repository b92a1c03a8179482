import type { CompiledSignal } from '../../matcher/signal.ts'
import type { Corpus, Posting } from './corpus.ts'
import { identityOf } from '../../matcher/identity.ts'
import { createGrowing } from './growing.ts'
import { countedTo, type Work } from '../scoring/rescore.ts'
import { scanMany, scanOne, type Found, type LabGuard } from './scan-turns.ts'
import { turnsBetween, type TextView } from './text-view.ts'
import { createWordIndex, type Candidates, type WordIndex } from '../words/word-index.ts'

/** Search results, by view and identity of the signal. */
interface KnownPostings {
  get(view: TextView, identity: string): Found | undefined
  put(view: TextView, identity: string, found: Found): void
  /** Views in which something is known, the newest first. */
  views(): readonly TextView[]
  readonly forget: (view: TextView) => void
  /** Marks the entries in use. All others may be evicted, oldest first, if they take too much memory. */
  use(view: TextView, identities: readonly string[]): void
  bytes(): number
}

/** Unused lists are kept up to this size, because users often undo edits. */
const KEPT_BYTES = 64 << 20

export const NOTHING_FOUND: Found = { posting: new Uint32Array(0), cut: [] }

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

/** [L106] Receives partial results for every signal on the turns before `until`, while the search continues. */
export interface Peek {
  readonly due: (until: number) => boolean
  readonly look: (found: readonly Found[], until: number) => Work<void>
}

/** Search results of signals over one corpus. */
export interface Postings {
  /** The search results of every signal. Searches for signals without results. */
  find(
    signals: readonly CompiledSignal[],
    view: TextView,
    guard: LabGuard,
    peek?: Peek | null,
  ): Work<{ readonly found: readonly Found[]; readonly scanned: number }>
  /**
   * Signals that would be searched together on every text. Empty if they are few; excludes those that another view
   * knows.
   */
  lacking(signals: readonly CompiledSignal[], view: TextView): readonly CompiledSignal[]
  /** Stores a result that was computed elsewhere. */
  learn(signal: CompiledSignal, view: TextView, found: Found): void
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

/** Searches for all signals together on these turns, and passes each result to `keep`. */
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

/** [T6] Reuses results of other views, and searches only the turns that differ again. */
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

/** With fewer texts left than this the whole is there before anybody could use a part. */
const WORTH_PEEKING = 8192

/** The same for the signal that is looked for last: then all others are known. */
interface PeekOne extends Pick<Peek, 'due'> {
  readonly look: (found: Found, until: number) => Work<void>
}

/** Searches for a signal only in the texts that contain its required words. */
function* findOne(
  signal: CompiledSignal,
  { sure, possible }: Candidates,
  { view, guard }: Search,
  peek: PeekOne | null,
): Work<Found> {
  const upTo = (until: number, posting: Posting): Posting =>
    merged(until === Infinity ? sure : sure.filter((turn) => turn < until), posting)
  const soFar = createGrowing()
  const steps = scanOne(signal, view, { turns: possible, posting: soFar }, guard)
  for (;;) {
    const step = steps.next()
    if (step.done === true) {
      const { posting, cut } = step.value
      // [T9] A signal that is cut off matches nothing on later turns, even those that its words alone prove.
      return { posting: upTo(cut[0]?.turn ?? Infinity, posting), cut }
    }
    yield { done: step.value, total: possible.length }
    if (peek === null || possible.length - step.value < WORTH_PEEKING) continue
    const until = possible[step.value] ?? 0
    if (peek.due(until)) yield* peek.look({ posting: upTo(until, soFar.done()), cut: [] }, until)
  }
}

/** Looks for a few signals. */
function* findFew(
  wanted: Wanted,
  { words, differ }: { readonly words: WordIndex; readonly differ: Uint32Array | null },
  search: Search,
  peek: (identity: string) => PeekOne | null,
): Work<void> {
  const last = [...wanted.keys()].at(-1)
  for (const [identity, signal] of wanted) {
    const candidates = words.candidates(signal, differ, search.guard)
    const peekOne = identity === last ? peek(identity) : null
    const found = yield* findOne(signal, candidates, search, peekOne)
    search.known.put(search.view, identity, found)
  }
}

export function createPostings(corpus: Corpus): Postings {
  const everyTurn = Uint32Array.from({ length: corpus.turns }, (_, turn) => turn)
  const known = createKnownPostings()
  let index: { readonly view: TextView; readonly words: WordIndex } | null = null

  return {
    *find(signals, view, guard, peek = null) {
      const search: Search = { known, view, guard }
      const identities = signals.map(identityOf)
      const peekOne = (last: string): PeekOne | null => {
        const others = (one: string): Found => known.get(view, one) ?? NOTHING_FOUND
        return peek === null
          ? null
          : {
              due: peek.due,
              look: (found, until) =>
                peek.look(
                  identities.map((one) => (one === last ? found : others(one))),
                  until,
                ),
            }
      }
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
        yield* findFew(rest, { words: index.words, differ }, search, peekOne)
      }
      known.use(view, identities)
      const found = identities.map((identity) => known.get(view, identity) ?? NOTHING_FOUND)
      return { found, scanned }
    },
    lacking: (signals, view) => {
      const isKnown = (one: string): boolean =>
        known.get(view, one) !== undefined ||
        known.views().some((other) => known.get(other, one)?.cut.length === 0)
      const all = new Map(signals.map((signal) => [identityOf(signal), signal]))
      const rest = [...all].flatMap(([one, signal]) => (isKnown(one) ? [] : [signal]))
      return rest.length > FEW ? rest : []
    },
    learn: (signal, view, found) => known.put(view, identityOf(signal), found),
    forget: known.forget,
    bytes: () => ({ postings: known.bytes(), index: index?.words.bytes ?? 0 }),
  }
}
