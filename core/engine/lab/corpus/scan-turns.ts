import { prepareScan, scanText } from '../../matcher/scan.ts'
import { type CompiledSignal, testSignal } from '../../matcher/signal.ts'
import type { Posting } from './corpus.ts'
import { type Growing, createGrowing } from './growing.ts'
import type { TextView } from './text-view.ts'
import { candidatesOf } from '../../matcher/automaton/cold.ts'

/**
 * Watchdog of the host over a slice of texts, as `Guard` of the matcher; `chars` is the size of the
 * texts that the run goes through, in UTF-16 units.
 */
export type LabGuard = (run: () => void, chars: number) => boolean

/** Turns on which a signal matched, and those on which it was cut off and counts as not matched. */
export interface Found {
  readonly posting: Posting
  readonly cut: ReadonlyArray<{ readonly turn: number; readonly chars: number }>
}

/** A guard has a cost, so it covers a slice. After a cut-off it covers one text alone. */
const SLICE_TURNS = 512
/** Some milliseconds of work: one pattern is faster than hundreds. */
const SLICE_CHARS = { one: 1 << 19, many: 1 << 16 } as const

/** A run may be cut off between this and the step to the next turn: the turn is then met again. */
function pushOnce(posting: Growing | undefined, turn: number): void {
  if (posting === undefined) return
  if (posting.length === 0 || posting.at(posting.length - 1) !== turn) posting.push(turn)
}

/** End of the slice of `turns` that starts at `from`, and its size. */
function sliceOf(
  view: TextView,
  turns: ArrayLike<number>,
  from: number,
  most: number,
): { readonly end: number; readonly chars: number } {
  let end = from
  let chars = 0
  while (end < turns.length && end - from < SLICE_TURNS && chars < most) {
    chars += view.chars(turns[end] ?? 0)
    end += 1
  }
  return { end, chars }
}

/**
 * Runs `one` for every turn, slice by slice under the guard. If a slice is cut off, its current turn goes to `alone`,
 * and the rest continues after it. Yields the number of turns done.
 */
function* visitTurns(
  view: TextView,
  turns: ArrayLike<number>,
  guard: LabGuard,
  visit: {
    readonly size: keyof typeof SLICE_CHARS
    /** Outside of the guard, before every slice. */
    readonly before?: () => void
    readonly one: (turn: number) => void
    readonly alone: (turn: number) => boolean
  },
): Generator<number, void, undefined> {
  let at = 0
  while (at < turns.length) {
    const { end, chars } = sliceOf(view, turns, at, SLICE_CHARS[visit.size])
    const run = (): void => {
      for (; at < end; at += 1) visit.one(turns[at] ?? 0)
    }
    visit.before?.()
    if (!guard(run, chars) && at < end) {
      if (!visit.alone(turns[at] ?? 0)) return
      at += 1
    }
    yield at
  }
}

/**
 * `testSignal` without making forms of a text: on ASCII texts flag "i" answers as their lower case
 * does, and skeletons are kept.
 */
function createTest(signal: CompiledSignal, view: TextView): (turn: number) => boolean {
  const { ascii, wide } = signal.programs
  // [K11] [K16] Keywords and globs have separate forms.
  if (ascii.form === 'jsLower' || ascii.form === 'paths')
    return (turn) => testSignal(signal, view.facts(turn))
  const { source, flags } = ascii.regex
  const onText = ascii.form === 'lower' ? new RegExp(source, `${flags}i`) : ascii.regex
  return (turn) => {
    if (view.ascii(turn)) return onText.test(view.text(turn))
    if (wide.form === 'skeleton') return wide.regex.test(view.skeleton(turn))
    return testSignal(signal, view.facts(turn))
  }
}

/**
 * Tests one signal on the given turns (ascending). Yields the number of turns done; `posting` has the matches
 * among those.
 */
export function* scanOne(
  signal: CompiledSignal,
  view: TextView,
  { turns, posting }: { readonly turns: ArrayLike<number>; readonly posting: Growing },
  guard: LabGuard,
): Generator<number, Found, undefined> {
  const test = createTest(signal, view)
  const cut: Array<Found['cut'][number]> = []
  yield* visitTurns(view, turns, guard, {
    size: 'one',
    one: (turn) => {
      if (test(turn)) pushOnce(posting, turn)
    },
    alone: (turn) => {
      const chars = view.chars(turn)
      const answer = { fired: false }
      const run = (): void => {
        answer.fired = candidatesOf([signal], view.facts(turn)).length > 0 && test(turn)
      }
      if (!guard(run, chars)) cut.push({ turn, chars })
      else if (answer.fired) pushOnce(posting, turn)
      // [T9] Off from its first cut-off on: it matches nothing on the turns that follow.
      return cut.length === 0
    },
  })
  return { posting: posting.done(), cut }
}

/** Tests many signals on the given turns (ascending), all of them in one pass over each text. */
export function* scanMany(
  signals: readonly CompiledSignal[],
  view: TextView,
  turns: ArrayLike<number>,
  guard: LabGuard,
): Generator<number, readonly Found[], undefined> {
  const postings = signals.map(() => createGrowing())
  const cuts: Array<Array<Found['cut'][number]>> = signals.map(() => [])
  // A list that is not changed, because the prefilter is kept by list.
  let list = signals
  let numbers = [...signals.keys()]
  yield* visitTurns(view, turns, guard, {
    size: 'many',
    before: () => prepareScan(list),
    one: (turn) => {
      for (const at of scanText(list, view.facts(turn)).fired)
        pushOnce(postings[numbers[at] ?? -1], turn)
    },
    alone: (turn) => {
      const facts = view.facts(turn)
      const { length } = facts.text
      const scan = scanText(list, facts, (run) => guard(run, length))
      for (const at of scan.fired) pushOnce(postings[numbers[at] ?? -1], turn)
      for (const at of scan.cutOff) cuts[numbers[at] ?? -1]?.push({ turn, chars: length })
      if (scan.cutOff.length > 0) {
        numbers = numbers.filter((number) => cuts[number]?.length === 0)
        list = numbers.flatMap((number) => signals[number] ?? [])
      }
      return true
    },
  })
  return postings.map((posting, number) => ({
    posting: posting.done(),
    cut: cuts[number] ?? [],
  }))
}
