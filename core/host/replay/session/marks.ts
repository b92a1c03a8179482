import type { Mark } from '../../../wire/contract.ts'
import {
  type Guard,
  prepareScan,
  scanSpans,
  scanText,
  unguarded,
} from '../../../engine/matcher/scan.ts'
import { originalSpans } from '../../../engine/belief/text.ts'
import { type Pipeline, prepareTurn } from '../../../engine/pipeline.ts'
import { type TimeLimit, createSlices, moreTime, watchText } from '../../platform/guard/guard.ts'
import { createCutOffBudget } from '../../platform/guard/cut-off-budget.ts'
import { createBreath } from '../../platform/threads/yielding.ts'

/** Marks of one shown text; the trace of the turn has them all. */
const MAX_MARKS = 200
const SPANS_PER_SIGNAL = 50

/** A classified text of which the first `shown` UTF-16 units are shown. */
interface ShownText {
  readonly text: string
  readonly shown: number
}

/** Texts marked together under one limit: starting one costs more than most texts do. */
const BATCH = 50
const BATCH_MS = 10

/** Marks of many texts. One that hangs is marked alone, pattern by pattern, as far as that goes. */
export async function markAll(
  pipeline: Pipeline,
  texts: readonly ShownText[],
  limit: TimeLimit,
): Promise<readonly Mark[][]> {
  const all: Mark[][] = []
  const breath = createBreath(new AbortController().signal)
  const budget = createCutOffBudget()
  const slices = createSlices(limit, budget, BATCH_MS)
  while (all.length < texts.length) {
    const found: Mark[][] = []
    const batch = texts.slice(all.length, all.length + BATCH)
    const until = performance.now() + BATCH_MS
    prepareScan(pipeline.signals)
    const ran = slices(() => {
      for (const each of batch) {
        found.push(findMarks(pipeline, each))
        if (performance.now() >= until) return
      }
    })
    all.push(...found)
    const next = texts[all.length]
    if (ran === 'cut off' && next) {
      all.push(
        findMarks(
          pipeline,
          next,
          watchText(limit, () => moreTime.allPatterns(next.text.length), budget).guard,
        ),
      )
    }
    await breath()
  }
  return all
}

/**
 * Spans of the signals that matched a classified text, as positions in the displayed text. Text cut before scoring is
 * not marked. [B25] A match that spans codes is marked on both sides of them.
 */
export function findMarks(
  pipeline: Pipeline,
  { text, shown }: ShownText,
  guard: Guard = unguarded,
): Mark[] {
  const { input, facts } = prepareTurn(pipeline, text)
  const { set } = pipeline.belief
  // The whole list, as replays read it: its automaton is there already.
  const scan = scanText(pipeline.signals, facts, guard)
  const fired = scan.fired.filter((number) => number < set.signals.length)
  const signals = fired.flatMap((number) => set.signals[number] ?? [])
  const found = scanSpans(signals, facts, SPANS_PER_SIGNAL, guard)
  const marks: Mark[] = []
  for (const [index, number] of fired.entries()) {
    const owner = set.domains.findLast((domain) => domain.firstSignal <= number)
    if (!owner) continue
    for (const each of found[index]?.spans ?? []) {
      for (const [start, end] of originalSpans(input, ...each)) {
        if (end > shown) continue
        marks.push({ span: [start, end], domain: owner.name, signal: number - owner.firstSignal })
        if (marks.length === MAX_MARKS) return marks
      }
    }
  }
  return marks
}
