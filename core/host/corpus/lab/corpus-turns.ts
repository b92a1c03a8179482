import type { z } from 'zod'
import type { CorpusTurn } from '../../../wire/lab.ts'
import { type CorpusLabels, type ScoredCorpus, firesOf } from '../../../engine/lab/corpus/corpus.ts'
import { scanSpans } from '../../../engine/matcher/scan.ts'
import { prepareTurn } from '../../../engine/pipeline.ts'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import { excerptAround } from '../../platform/excerpt.ts'
import type { LabWatch } from '../watch.ts'

type ShownTurn = Immutable<z.infer<typeof CorpusTurn>>

const SPANS_PER_SIGNAL = 20

interface Showing {
  /** Whose signals are marked. */
  readonly scored: ScoredCorpus
  /** The scoring whose decisions are shown, if it differs from `scored`. */
  readonly decided?: ScoredCorpus
  readonly labels: CorpusLabels
  readonly watch: LabWatch
  /** Numbers of signals whose matches are marked; null = all that fired. */
  readonly only: ReadonlySet<number> | null
}

/** Turns of the corpus as lists show them: the text that the classifier reads, and its decision. */
export function showTurns(turns: readonly number[], showing: Showing): readonly ShownTurn[] {
  return turns.map((turn) => showTurn(turn, showing))
}

function showTurn(
  turn: number,
  { scored, decided = scored, labels, watch, only }: Showing,
): ShownTurn {
  const { corpus, pipeline } = scored
  const { seq, kind, text } = corpus.turn(turn)
  const session = corpus.sessionOf(turn)
  const { facts, input } = prepareTurn(pipeline, text)
  const signals = scored.fired(turn).flatMap((number) => {
    const signal = pipeline.signals[number]
    return signal === undefined || only?.has(number) === false ? [] : [signal]
  })
  const guard = (run: () => void) => watch.guard(run, input.text.length)
  const spans = scanSpans(signals, facts, SPANS_PER_SIGNAL, guard).flatMap((each) => each.spans)
  const label = labels.get(turn) ?? null
  return {
    session,
    turn: turn - (corpus.sessions[session]?.first ?? 0),
    seq,
    kind,
    ...excerptAround(input.text, spans),
    primary: decided.domains[decided.primary[turn] ?? -1] ?? '',
    secondary: decided.domains[decided.secondary[turn] ?? -1] ?? null,
    fires: firesOf(decided, turn),
    label,
  }
}
