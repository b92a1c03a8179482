import { createGrowing } from '../../../engine/lab/corpus/growing.ts'
import type { Corpus } from '../../../engine/lab/corpus/corpus.ts'
import { type Found, scanMany, scanOne } from '../../../engine/lab/corpus/scan-turns.ts'
import { createTextView } from '../../../engine/lab/corpus/text-view.ts'
import type { CompiledSignal } from '../../../engine/matcher/signal.ts'
import type { BeliefOptions } from '../../../engine/schema/preset.ts'
import { createCutOffBudget } from '../../platform/guard/cut-off-budget.ts'
import { attemptRun, createTimeLimit, moreTime } from '../../platform/guard/guard.ts'

/** Looks for signals in texts that come in portions. */
export interface TextScanner {
  /** Of each signal, by its index: the texts of the portion that it matches, ascending. */
  readonly scan: (
    texts: readonly string[],
  ) => ReadonlyArray<readonly [signal: number, texts: Uint32Array]>
  /** Indexes of signals that took too long and match nothing from there on (T9). */
  readonly cut: ReadonlySet<number>
}

/** [F146] Signals over texts as the lab looks for them, under the same watchdog (T61). */
export function createTextScanner(
  signals: readonly CompiledSignal[],
  options: BeliefOptions,
): TextScanner {
  const attempt = attemptRun(createTimeLimit(), createCutOffBudget())
  const guard = (run: () => void, chars: number): boolean =>
    attempt(run, moreTime.allPatterns(chars)) === null
  const cut = new Set<number>()
  // A list that stays the same one, because automata are kept by list.
  let numbers = [...signals.keys()]
  let list = signals

  function found(texts: readonly string[]): readonly Found[] {
    const view = createTextView(corpusOf(texts), options, 0)
    const turns = Uint32Array.from(texts.keys())
    const [only] = list
    if (list.length === 1 && only !== undefined)
      return [ended(scanOne(only, view, { turns, posting: createGrowing() }, guard))]
    return ended(scanMany(list, view, turns, guard))
  }

  return {
    cut,
    scan: (texts) => {
      if (list.length === 0) return []
      const postings = found(texts)
      const rows = postings.map(({ posting }, at) => [numbers[at] ?? 0, posting] as const)
      const off = numbers.filter((_, at) => (postings[at]?.cut.length ?? 0) > 0)
      if (off.length > 0) {
        for (const number of off) cut.add(number)
        numbers = numbers.filter((number) => !cut.has(number))
        list = numbers.flatMap((number) => signals[number] ?? [])
      }
      return rows.filter(([, posting]) => posting.length > 0)
    },
  }
}

function ended<T>(work: Generator<unknown, T, undefined>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Texts as turns of one session. */
function corpusOf(texts: readonly string[]): Corpus {
  const turns = texts.map((text, seq) => ({ seq, kind: 'user' as const, text }))
  const nothing = { seq: 0, kind: 'user' as const, text: '' }
  return {
    sessions: [{ id: '', first: 0, turns }],
    turns: turns.length,
    chars: texts.reduce((sum, text) => sum + text.length, 0),
    turn: (at) => turns[at] ?? nothing,
    sessionOf: () => 0,
  }
}
