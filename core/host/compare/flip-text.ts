import { type Guard, scanSpans, scanText } from '../../engine/matcher/scan.ts'
import { signalNames } from '../../engine/lab/corpus/signal-name.ts'
import { type Pipeline, prepareTurn } from '../../engine/pipeline.ts'
import type { Span } from '../../engine/schema/trace.ts'
import type { FlipText } from '../../wire/compare.ts'
import { excerptAround } from '../platform/excerpt.ts'

const SPANS_PER_SIGNAL = 20

/** Signals of a pipeline that fire on a text, by name, and where. */
function firedOn(pipeline: Pipeline, text: string, guard: Guard) {
  const { facts } = prepareTurn(pipeline, text)
  const names = signalNames(pipeline)
  const { fired } = scanText(pipeline.signals, facts, guard)
  const spansOf = (number: number): readonly Span[] => {
    const signal = pipeline.signals[number]
    const found = signal ? scanSpans([signal], facts, SPANS_PER_SIGNAL, guard) : []
    return found.flatMap(({ spans }) => spans)
  }
  return new Map(fired.map((number) => [names[number] ?? '', () => spansOf(number)]))
}

/**
 * [T76] Excerpt of a turn that flips, around the first match of a signal that fired on one side only. Both sides read
 * the text as this side cuts and strips it.
 * @param there null if the other side has no rules
 */
export function flipText(
  text: string,
  here: Pipeline,
  there: Pipeline | null,
  guardOf: (chars: number) => Guard,
): FlipText {
  const shown = prepareTurn(here, text).input.text
  const guard = guardOf(shown.length)
  const was = firedOn(here, shown, guard)
  const is = there === null ? was : firedOn(there, shown, guard)
  const lost = [...was.keys()].filter((name) => !is.has(name))
  const gained = [...is.keys()].filter((name) => !was.has(name))
  const marked = [...gained.map((name) => is.get(name)), ...lost.map((name) => was.get(name))]
  const all = marked.length === 0 ? [...was.values()] : marked
  return {
    ...excerptAround(
      shown,
      all.flatMap((spans) => spans?.() ?? []),
    ),
    gained,
    lost,
  }
}
