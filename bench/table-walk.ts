/**
 * The bound of `npm run bench -- scan`: the tables of the matcher's two automata alone, over characters that
 * are classes already, with nothing reported. It can become no faster than this in the same form.
 */
import { END } from '../core/engine/matcher/automaton/alphabet.ts'
import { createPrefilter } from '../core/engine/matcher/automaton/prefilter.ts'
import type { CompiledSignal } from '../core/engine/matcher/signal.ts'
import { beginStream, type Stream } from '../core/engine/matcher/automaton/stream.ts'
import { surveyText } from '../core/engine/matcher/automaton/survey.ts'
import { createSurveyor } from '../core/engine/matcher/automaton/surveyor.ts'
import { createTextFacts } from '../core/engine/matcher/text-facts.ts'

/** Walks both tables over the texts; returns a number that keeps the walk from being left out. */
function walk(narrow: Stream, wide: Stream, texts: readonly Uint16Array[]): number {
  const { columns, table } = narrow
  const { table: beside } = wide
  let sum = 0
  for (const classes of texts) {
    let one = beginStream(narrow)
    let two = beginStream(wide)
    for (const kind of classes) {
      one = table[one * columns + kind] ?? 0
      two = beside[two * columns + kind] ?? 0
    }
    sum += one + two
  }
  return sum
}

interface TableWalk {
  readonly run: () => void
  /** States of the narrow and of the wide automaton. */
  readonly states: readonly [number, number]
}

/** Automata that have read the texts, and the walk over their tables; texts of rare classes are left out. */
export function prepareTableWalk(
  signals: readonly CompiledSignal[],
  texts: readonly string[],
): TableWalk {
  const prefilter = createPrefilter(signals)
  const surveyor = createSurveyor(prefilter, signals.length)
  for (const text of texts) surveyText(surveyor, createTextFacts(text))
  const [narrow, wide] = prefilter.streams
  const classes = texts
    .map((text) => {
      const codes = Array.from(text, (char) => char.codePointAt(0) ?? 0)
      return Uint16Array.from([...codes.map((code) => prefilter.alphabet.classOf(code)), END])
    })
    .filter((kinds) => kinds.every((kind) => kind < narrow.columns))
  return {
    run: () => {
      if (walk(narrow, wide, classes) < 0) throw new Error('the walk was not made')
    },
    states: [narrow.lists.size, wide.lists.size],
  }
}
