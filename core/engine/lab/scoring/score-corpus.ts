import { optionsKey } from '../../belief/options.ts'
import { decide, scoreTurn } from '../../belief/step.ts'
import { createLru } from '../../lru.ts'
import { keptIn } from '../../maps.ts'
import { unguarded } from '../../matcher/scan.ts'
import type { CompiledSignal } from '../../matcher/signal.ts'
import { domainNames, type Pipeline } from '../../pipeline.ts'
import type { Corpus, ScoredCorpus } from '../corpus/corpus.ts'
import { holds } from '../corpus/fired-once.ts'
import { createPostings, NOTHING_FOUND, type Peek, type Postings } from '../corpus/postings.ts'
import type { Found, LabGuard } from '../corpus/scan-turns.ts'
import { createTextView, type TextView } from '../corpus/text-view.ts'
import { createCounts, firedRows, type FiredRows } from './count-columns.ts'
import { createDeciding, type Deciding } from './deciding.ts'
import { createFoldNames, enrichedOf, primaryOf, rulesKey, secondaryOf } from './fold-rules.ts'
import { keepInside, type Inside } from './inside.ts'
import { countedTo, type Work } from './rescore.ts'
import { createRuleMemo, type RuleMemo } from './rule-memo.ts'

/** A signal that the guard cut off on a text of the corpus, and so counts as not matched there. */
interface CorpusCutOff {
  /** Index into `pipeline.signals`. */
  readonly number: number
  readonly turn: number
  /** Size of the text, in UTF-16 units. */
  readonly chars: number
}

export interface ScoreOptions {
  /** An earlier answer of this scorer, from which the new one probably differs little. */
  readonly previous?: ScoredCorpus | undefined
  readonly guard?: LabGuard | undefined
  /**
   * [L106] Receives partial answers, in which only the turns before a number are decided. The callback must read them
   * synchronously, in the order of sessions and turns. Called until it returns true.
   */
  readonly onPart?: OnPart<ScoredCorpus> | undefined
  /** A clock in milliseconds, because the engine has none. Without it `elapsed` is 0. */
  readonly now?: (() => number) | undefined
}

/** Work done by a scoring. */
export interface ScoreReport {
  /** Signals whose matches had to be looked for. */
  readonly scanned: number
  /** Of all signals of the pipeline, also those found out earlier. */
  readonly cutOffs: readonly CorpusCutOff[]
  readonly elapsed: { readonly scan: number; readonly fold: number }
}

export type ScoredNow = ScoredCorpus & ScoreReport

/** Signals without search results, and the view to search. */
export interface Lacking {
  readonly signals: readonly CompiledSignal[]
  readonly view: TextView
  readonly turns: number
}

export interface Scorer {
  /**
   * Runs in slices: other work may run between two of them, and the driver may stop. A signal that was searched once is
   * not searched again (T6).
   */
  score(pipeline: Pipeline, options?: ScoreOptions): Work<ScoredNow>
  /** [L107] Signals that must be searched on every text; null if there are none, or few. */
  lacking(pipeline: Pipeline): Lacking | null
  /** Stores results that were computed elsewhere, in the order of the signals. */
  learn(lacking: Lacking, found: readonly Found[]): void
  /** Memory in bytes of posting lists, index of words and forms of texts; number of outcomes. */
  size(): ReturnType<Postings['bytes']> & {
    readonly texts: number
    readonly outcomes: number
  }
}

/** Sets of rules whose decisions are remembered: those that are saved, of the draft, of a slider. */
const KEPT_MEMOS = 6
/** Ways to cut texts for which matches are remembered. */
const KEPT_VIEWS = 4

/** Scores a corpus under any number of configurations (rules T5 to T9). */
export function createScorer(corpus: Corpus): Scorer {
  const postings = createPostings(corpus)
  const counts = createCounts(corpus.turns)
  const names = createFoldNames()
  const memos = createLru<string, RuleMemo>(KEPT_MEMOS)
  const views = createLru<string, TextView>(KEPT_VIEWS)

  function viewOf({ preset }: Pipeline): TextView {
    const key = optionsKey(preset.belief, 'text')
    return keptIn(views, key, () => {
      const [oldest] = views.values()
      if (views.size === KEPT_VIEWS && oldest !== undefined) postings.forget(oldest)
      return createTextView(corpus, preset.belief)
    })
  }

  function memoOf(pipeline: Pipeline): RuleMemo {
    return keptIn(memos, rulesKey(pipeline), () => createRuleMemo(pipeline, names))
  }

  return {
    lacking: (pipeline) => {
      const view = viewOf(pipeline)
      const signals = postings.lacking(pipeline.signals, view)
      return signals.length === 0 ? null : { signals, view, turns: corpus.turns }
    },
    learn: ({ signals, view }, found) =>
      signals.forEach((signal, at) => postings.learn(signal, view, found[at] ?? NOTHING_FOUND)),
    size: () => ({
      ...postings.bytes(),
      texts: Math.max(0, ...[...views.values()].map((view) => view.bytes())),
      outcomes: [...memos.values()].reduce((sum, memo) => sum + memo.size, 0),
    }),
    *score(pipeline, options = {}) {
      const { guard = unguarded, now = () => 0, previous, onPart } = options
      const start = now()
      const view = viewOf(pipeline)
      const memo = memoOf(pipeline)
      const deciding = createDeciding({ corpus, pipeline, previous, names, counts, memo })
      const first = onPart === undefined ? null : createFirstLook(onPart)
      const answerOf = (inside: Inside) => partlyDecided(corpus, pipeline, inside)
      const peek = first && createPeek({ first, deciding, answerOf, turns: corpus.turns })
      const { found, scanned } = yield* postings.find(pipeline.signals, view, guard, peek)
      const mid = now()
      const { inside, steps } = deciding.begin(found, corpus.turns)
      for (const turn of steps(corpus.turns)) {
        if (first?.due(turn) === true) first.look(answerOf(inside), turn)
        yield { done: turn, total: corpus.turns }
      }
      const elapsed = { scan: mid - start, fold: now() - mid }
      // Not spread, because columns are made when they are first read.
      const scored = Object.assign(scoredCorpus(corpus, pipeline, inside), {
        scanned,
        cutOffs: cutOffsOf(found),
        elapsed,
      })
      keepInside(scored, inside)
      return scored
    },
  }
}

/**
 * [L106] A separate answer of which only a beginning may be read, because the full answer caches everything that is
 * read from it.
 */
function partlyDecided(corpus: Corpus, pipeline: Pipeline, inside: Inside): ScoredCorpus {
  const answer = scoredCorpus(corpus, pipeline, inside)
  keepInside(answer, inside)
  return answer
}

interface Peeking {
  readonly first: FirstLook<ScoredCorpus>
  readonly deciding: Deciding
  readonly answerOf: (inside: Inside) => ScoredCorpus
  readonly turns: number
}

/** [L106] Decides a beginning of the turns while the rest is still looked at. */
function createPeek({ first, deciding, answerOf, turns }: Peeking): Peek {
  return {
    due: first.due,
    look: function* (found, until) {
      const { inside, steps } = deciding.begin(found, until)
      yield* countedTo(steps(until), turns)
      first.look(answerOf(inside), until)
    },
  }
}

function cutOffsOf(found: readonly Found[]): readonly CorpusCutOff[] {
  return found.flatMap(({ cut }, number) => cut.map((one) => ({ number, ...one })))
}

/** Told of an answer whose turns before `until` are decided; true = that was enough. */
type OnPart<T> = (part: T, until: number) => boolean

/** Turns after which the first partial answer is shown; each later one needs twice as many. */
const FIRST_LOOK = 4096

/** Decides when to show an incomplete answer, until the shown part is enough. */
interface FirstLook<T> {
  readonly due: (until: number) => boolean
  readonly look: (part: T, until: number) => void
}

/** [L106] Looks double in size, so that looking never costs more than the whole answer does. */
export function createFirstLook<T>(onPart: OnPart<T>): FirstLook<T> {
  let next = FIRST_LOOK
  return {
    due: (until) => until >= next,
    look: (part, until) => {
      next = onPart(part, until) ? Infinity : Math.max(next, until) * 2
    },
  }
}

/** A value that is made when it is first read: many answers are compared, few are read completely. */
function later<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** Up to this number of rows, each list is searched; for more, an index by turn is built once. */
const FEW_ROWS = 400
const NOWHERE = new Uint32Array(0)

/** Columns of an answer, computed on first use. */
function columnsOf(domains: readonly string[], { folded, names }: Inside) {
  const { shown } = folded
  // By number of the name plus 1; 0 means none.
  const places: number[] = [-1]
  for (const [place, name] of domains.entries()) places[names.domainOf(name) + 1] = place
  const column = <T extends Int16Array | Uint8Array>(
    cells: T,
    cell: (one: number) => number,
  ): T => {
    for (let turn = 0; turn < cells.length; turn += 1) cells[turn] = cell(shown[turn] ?? 0)
    return cells
  }
  const turns = shown.length
  return {
    primary: later(() => column(new Int16Array(turns), (one) => places[primaryOf(one) + 1] ?? -1)),
    secondary: later(() =>
      column(new Int16Array(turns), (one) => places[secondaryOf(one) + 1] ?? -1),
    ),
    enriched: later(() => column(new Uint8Array(turns), enrichedOf)),
  }
}

/** An answer, read from its numbers. */
function scoredCorpus(corpus: Corpus, pipeline: Pipeline, inside: Inside): ScoredCorpus {
  const { found, folded, names } = inside
  const { before, after } = folded
  const domains = domainNames(pipeline)
  const columns = columnsOf(domains, inside)
  let asked = 0
  const rows = later((): FiredRows => firedRows(corpus.turns, found))

  function place(turn: number): number {
    if (!(turn >= 0 && turn < corpus.turns)) throw new RangeError(`the corpus has no turn ${turn}`)
    return turn
  }

  function fired(turn: number): readonly number[] {
    place(turn)
    asked += 1
    if (asked <= FEW_ROWS)
      return [...found.keys()].filter((number) => holds(found[number]?.posting ?? NOWHERE, turn))
    const { starts, numbers } = rows()
    return [...numbers.subarray(starts[turn], starts[turn + 1])]
  }

  return {
    corpus,
    pipeline,
    posting: (number) => {
      const known = found[number]
      if (known === undefined) throw new RangeError(`the pipeline has no signal ${number}`)
      return known.posting
    },
    fired,
    decided: (turn) => {
      const scored = scoreTurn(pipeline.belief, fired(turn))
      const { decision, plan } = decide(pipeline.belief, scored, names.state(before[turn] ?? 0))
      return { ...decision, scored, plan }
    },
    state: (turn) => names.state(before[place(turn)] ?? 0),
    after: (turn) => names.state(after[place(turn)] ?? 0),
    get primary() {
      return columns.primary()
    },
    get secondary() {
      return columns.secondary()
    },
    get enriched() {
      return columns.enriched()
    },
    domains,
  }
}
