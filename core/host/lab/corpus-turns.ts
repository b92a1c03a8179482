import type { z } from 'zod'
import type { CorpusTurn } from '../../wire/lab.ts'
import type { CorpusLabels, ScoredCorpus } from '../../engine/lab/corpus.ts'
import { scanSpans } from '../../engine/matcher/scan.ts'
import { prepareTurn } from '../../engine/pipeline.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import type { Span } from '../../engine/schema/trace.ts'
import type { LabWatch } from './corpus-work.ts'

type ShownTurn = Immutable<z.infer<typeof CorpusTurn>>

/** UTF-16 units of an excerpt, and how many of them may stand before the first span. */
const MOST = 400
const BEFORE = 80
const SPANS_PER_SIGNAL = 20
const MAX_SPANS = 60

interface Showing {
  /** Whose signals are marked. */
  readonly scored: ScoredCorpus
  /** Whose answers are shown, where it is another one. */
  readonly decided?: ScoredCorpus
  readonly labels: CorpusLabels
  readonly watch: LabWatch
  /** Numbers of signals whose matches are marked; null = all that fired. */
  readonly only: ReadonlySet<number> | null
}

/** Turns of the corpus as lists show them: what the classifier saw of the text, and what it said. */
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
    ...{ session, turn: turn - (corpus.sessions[session]?.first ?? 0), seq, kind },
    ...excerptOf(input.text, spans),
    primary: decided.domains[decided.primary[turn] ?? -1] ?? '',
    secondary: decided.domains[decided.secondary[turn] ?? -1] ?? null,
    label,
  }
}

/** At most 400 units around the first span; spans are offsets in the excerpt. */
function excerptOf(text: string, spans: readonly Span[]) {
  const inOrder = spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const first = inOrder[0]?.[0] ?? 0
  const start = first <= BEFORE ? 0 : whole(text, first - BEFORE)
  const lead = start > 0 ? '…' : ''
  const end = whole(text, Math.min(text.length, start + MOST - 2))
  const shown: Span[] = []
  for (const [from, to] of inOrder) {
    if (from >= end || shown.length === MAX_SPANS) break
    const shift = lead.length - start
    shown.push([from + shift, Math.min(to, end) + shift])
  }
  const excerpt = `${lead}${text.slice(start, end)}${end < text.length ? '…' : ''}`
  return { excerpt, spans: shown }
}

/** Never between the halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return at > 0 && at < text.length && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
