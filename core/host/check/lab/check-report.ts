import {
  type Judgeable,
  answerFor,
  isForbidden,
  isRight,
} from '../../../engine/lab/metrics/label.ts'
import type { CompiledDomain } from '../../../engine/matcher/domains.ts'
import { type ScoredCorpus, firesOf } from '../../../engine/lab/corpus/corpus.ts'
import { applyMomentum } from '../../../engine/belief/momentum.ts'
import type { WhyWrong } from '../../../engine/lab/why/why-wrong.ts'
import { signalNames } from '../../../engine/lab/corpus/signal-name.ts'
import type { FlipReport } from '../../../engine/schema/lab.ts'
import type { LabMetrics } from '../../../engine/schema/metrics.ts'
import type { TurnLabel } from '../../../engine/schema/label.ts'
import type { ReadCorpus } from '../../corpus/lab/read-corpus.ts'
import type { ResolvedSide } from '../../drafts/sides.ts'

/** A labeled turn, and whether its decision is right. */
export type CheckedTurn = ReturnType<typeof checkTurns>[number]

/** A requested minimum, checked. */
export type CheckedMinimum = ReturnType<typeof checkMinimum>

interface Minimums {
  readonly strict: number | null
  readonly alternatives: number | null
  /** By domain. */
  readonly f1: ReadonlyMap<string, number>
}

/** [T47] Every labelled turn, in the order of the corpus. */
export function checkTurns(read: ReadCorpus, scored: ScoredCorpus, side: ResolvedSide) {
  const inOrder = [...read.labels].toSorted(([a], [b]) => a - b)
  return inOrder.map(([turn, label]) => {
    const fires = firesOf(scored, turn)
    const first = scored.domains[scored.primary[turn] ?? -1] ?? ''
    const primary = answerFor(label, { primary: first, fires })
    const secondary = scored.domains[scored.secondary[turn] ?? -1] ?? null
    const { numbers, ...place } = blameOf(scored, side, {
      turn,
      primary,
      expected: label.primary,
    })
    return {
      ...addressOf(read, turn),
      expected: label.primary,
      accepted: label.acceptable ?? [],
      primary,
      secondary,
      /** Null = right. */
      wrong: verdictOf(label, { primary, secondary, fires }),
      /** [K12] The skills that fire; null: domains. */
      fires,
      /** Names of the signals of the answer that fired; none = momentum or the default domain. */
      because: numbers.flatMap((number) => signalNames(scored.pipeline)[number] ?? []),
      why: whyOf(scored, turn, label.primary),
      /** In the domain file, from 1, of what decided. */
      ...place,
      /** Hash of the text, which stays when files move. */
      sha256: label.sha256,
    }
  })
}

function addressOf({ corpus, origins, files }: ReadCorpus, turn: number) {
  const session = corpus.sessionOf(turn)
  const origin = origins[session]
  return {
    /** File of the session, or of the labels if the text is stored there. */
    file: files[origin?.file ?? -1]?.path ?? origin?.path ?? '',
    /** Id of the session, or of the case. */
    session: origin?.id ?? '',
    /** From 0; text output and `--json` count from 1. */
    turn: turn - (corpus.sessions[session]?.first ?? 0),
    seq: corpus.turn(turn).seq,
  }
}

function verdictOf(
  label: TurnLabel,
  { primary, secondary, fires }: Judgeable & { readonly secondary: string | null },
): 'forbidden-domain' | 'wrong-primary' | null {
  if (isForbidden(label, primary, secondary, fires)) return 'forbidden-domain'
  return isRight(label, primary) ? null : 'wrong-primary'
}

/**
 * The place in the domain file that caused the answer: the first of the domain's signals that fired. If none fired
 * (default domain, momentum), the domain that should have had one.
 */
function blameOf(
  scored: ScoredCorpus,
  side: ResolvedSide,
  { turn, primary, expected }: { turn: number; primary: string; expected: string },
) {
  const { byName } = scored.pipeline.belief.set
  const numbers = firedOf(scored, turn, byName.get(primary))
  const [first] = numbers
  const domain = byName.get(first === undefined ? expected : primary) ?? byName.get(primary)
  if (domain === undefined) return { numbers, line: null, column: null }
  const signal = first === undefined ? undefined : first - domain.firstSignal
  const { line, column } = side.text.place(domain.index, signal)
  return { numbers, line, column }
}

function whyOf(scored: ScoredCorpus, turn: number, expected: string): WhyWrong {
  const decided = scored.decided(turn)
  const { primary, scored: alone } = decided
  const own = alone.scores.find(({ domain }) => domain === expected)
  const outcome = applyMomentum(alone, scored.state(turn), scored.pipeline.belief.rules)
  return {
    expected: own?.score ?? 0,
    alone: alone.primary.domain,
    aloneScore: alone.primary.confidence,
    momentum:
      alone.primary.domain === primary.domain
        ? null
        : { event: outcome.event, rule: outcome.rule, held: outcome.signature },
  }
}

/** Signals of a domain that fired on a turn, by number. */
function firedOf(
  scored: ScoredCorpus,
  turn: number,
  domain: CompiledDomain | undefined,
): readonly number[] {
  if (domain === undefined) return []
  const { firstSignal, signals } = domain
  const end = firstSignal + signals.length
  return scored.fired(turn).filter((number) => number >= firstSignal && number < end)
}

/** Null: there is nothing to measure by; that is missed, too. */
function checkMinimum(name: string, least: number, value: number | null, of: number) {
  return { name, least, value, of, missed: value === null || value < least }
}

/** [T47] The requested minimums, with the measured values. */
export function checkMinimums(
  metrics: LabMetrics | null,
  { strict, alternatives, f1 }: Minimums,
): readonly CheckedMinimum[] {
  const ratios = [
    { name: 'strict', least: strict, ratio: metrics?.strict },
    { name: 'alternatives', least: alternatives, ratio: metrics?.withAlternatives },
  ]
  return [
    ...ratios.flatMap(({ name, least, ratio }) =>
      least === null ? [] : [checkMinimum(name, least, ratio?.value ?? null, ratio?.of ?? 0)],
    ),
    ...[...f1].map(([domain, least]) => {
      const own = metrics?.domains.find((each) => each.domain === domain)
      return checkMinimum(`f1 ${domain}`, least, own?.f1 ?? null, own?.recall.of ?? 0)
    }),
  ]
}

/** [T47] A message if more turns flip than allowed. Null if no limit was requested or the limit is kept. */
export function tooManyFlips(report: FlipReport | null, most: number | null): string | null {
  if (report === null || most === null || report.total <= most) return null
  return `${report.total} of ${report.turns} turns flip, at most ${most} may`
}
