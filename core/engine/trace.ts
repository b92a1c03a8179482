import { leadOf } from './belief/ambiguity.ts'
import { countSignals, explainDecision, logLines } from './belief/log.ts'
import { exclusionOf, tieBreakOf } from './belief/score.ts'
import { splitFired } from './belief/step.ts'
import { quotedParts } from './belief/text.ts'
import { toWritten } from './belief/written.ts'
import { whyNot } from './lab/why/why-not.ts'
import type { CompiledDomain } from './matcher/domains.ts'
import { scanSpans, scanText, unguarded, type Guard } from './matcher/scan.ts'
import type { SignalSpans } from './matcher/signal.ts'
import {
  prepareTurn,
  stepPrepared,
  type Pipeline,
  type PreparedTurn,
  type TurnOutcome,
} from './pipeline.ts'
import type { BeliefState, DomainTrace, SignalTrace, TurnTrace } from './schema/trace.ts'
import type { KnownTurn } from './textless/scans.ts'
import type { Turn } from './turns.ts'

/** Spans listed for one signal and turn. */
const SPAN_LIMIT = 50

/** One turn to be traced. `state` is the state before it. */
export interface TraceInput extends Turn {
  /** 0-based number of the turn in its session. */
  readonly turn: number
  readonly state: BeliefState
  /** Recorded data about a text that was removed. */
  readonly known?: KnownTurn | undefined
}

interface Tracing {
  readonly pipeline: Pipeline
  readonly outcome: TurnOutcome
  readonly spans: ReadonlyMap<number, SignalSpans>
  readonly cutOff: ReadonlySet<string>
}

function traceSpans(
  pipeline: Pipeline,
  turn: PreparedTurn,
  fired: readonly number[],
  guard: Guard,
): ReadonlyMap<number, SignalSpans> {
  const signals = fired.flatMap((number) => pipeline.signals[number] ?? [])
  return spansByNumber(fired, scanSpans(signals, turn.facts, SPAN_LIMIT, guard))
}

function spansByNumber(
  fired: readonly number[],
  found: readonly SignalSpans[],
): ReadonlyMap<number, SignalSpans> {
  return new Map(fired.map((number, index) => [number, found[index] ?? { spans: [], count: 1 }]))
}

function traceSignals(tracing: Tracing, domain: CompiledDomain): SignalTrace[] {
  return domain.signals.map((signal, index) => {
    const found = tracing.spans.get(domain.firstSignal + index)
    return {
      index,
      id: signal.id,
      pattern: signal.pattern,
      dialect: signal.dialect,
      note: signal.note,
      weight: signal.weight,
      excludes: signal.excludes,
      fired: found !== undefined,
      spans: [...(found?.spans ?? [])],
      count: found?.count ?? 0,
      cutOff: tracing.cutOff.has(`${index} ${domain.name}`),
    }
  })
}

function factorsOf(tracing: Tracing, domain: string): DomainTrace['factors'] {
  const { pipeline, outcome } = tracing
  const { antiSignals } = pipeline.preset.belief
  const [, fired] = splitFired(pipeline.belief.set, outcome.fired)
  return fired
    .flatMap((index) => antiSignals[index] ?? [])
    .filter((anti) => anti.domains.includes(domain))
    .map(({ pattern, factor }) => ({ pattern, factor }))
}

function traceDomain(tracing: Tracing, domain: CompiledDomain): DomainTrace {
  const { scored } = tracing.outcome
  const score = scored.scores.find((candidate) => candidate.domain === domain.name)
  const rank = scored.ranked.findIndex((candidate) => candidate.domain === domain.name)
  const { rules } = tracing.pipeline.belief
  return {
    domain: domain.name,
    priority: domain.priority,
    score: score?.score ?? 0,
    matched: score?.matched ?? 0,
    rank: rank < 0 ? null : rank + 1,
    excluded: score === undefined ? null : exclusionOf(score, scored.scores, rules),
    factors: factorsOf(tracing, domain.name),
    signals: traceSignals(tracing, domain),
  }
}

function warningsOf(pipeline: Pipeline, outcome: TurnOutcome): string[] {
  const cuts = outcome.cutOffs.map(
    (cut) =>
      `pattern ${cut.pattern} of ${cut.domain} was cut off on ${cut.chars} characters and counts as not matched`,
  )
  const { enrichmentError } = outcome
  const raised =
    enrichmentError === null
      ? []
      : [`the document’s code raises ${enrichmentError.error}: '${enrichmentError.key}' (B10)`]
  const fractions = outcome.scored.scores
    .filter((score) => score.factor !== 1)
    .map((score) => `${score.domain} counts ${countSignals(score.score)} of ${score.matched} (L6)`)
  return [...cuts, ...raised, ...fractions, ...pipeline.gate.warnings]
}

function traceMomentum(
  pipeline: Pipeline,
  outcome: TurnOutcome,
  before: BeliefState,
): TurnTrace['momentum'] {
  const { rules } = pipeline.belief
  return {
    event: outcome.event,
    rule: outcome.rule,
    reason: explainDecision(outcome, before, rules),
    threshold: rules.options.momentumThreshold,
    before,
    after: outcome.state,
    resisted: outcome.resisted,
    decayed: outcome.decayed,
  }
}

function traceScored(outcome: TurnOutcome): TurnTrace['scored'] {
  const { scored } = outcome
  return {
    primary: scored.primary,
    secondary: scored.secondary,
    signature: scored.signature,
    margin: leadOf(scored),
    tieBreak: tieBreakOf(scored),
    ambiguous: outcome.ambiguous,
  }
}

/**
 * Everything that the belief tracker computes for one turn. Decides by the same function as `stepTurn`, so both always
 * agree, and adds spans, reasons, why-not and a log for readers.
 */
export function traceTurn(
  pipeline: Pipeline,
  input: TraceInput,
  guard: Guard = unguarded,
): TurnTrace {
  const { known } = input
  const prepared = known?.prepared ?? prepareTurn(pipeline, input.text)
  const scan = known?.scan ?? scanText(pipeline.signals, prepared.facts, guard)
  const outcome = stepPrepared(pipeline, input.state, prepared, scan)
  const { fired } = outcome
  const spans = known
    ? spansByNumber(fired, known.spans)
    : traceSpans(pipeline, prepared, fired, guard)
  const cutOff = new Set(outcome.cutOffs.map((cut) => `${cut.signal} ${cut.domain}`))
  const tracing: Tracing = { pipeline, outcome, spans, cutOff }
  const { set } = pipeline.belief
  const { thinkingChars, cutChars, ansiChars, quotedChars, text } = prepared.input
  return {
    turn: input.turn,
    seq: input.seq,
    kind: input.kind,
    text,
    input: {
      chars: input.text.length,
      cutChars,
      thinkingChars,
      ansiChars,
      quotedChars,
      quoted: quotedParts(prepared.input, SPAN_LIMIT),
    },
    domains: set.domains.map((domain) => traceDomain(tracing, domain)),
    scored: traceScored(outcome),
    momentum: traceMomentum(pipeline, outcome, input.state),
    primary: outcome.primary,
    secondary: outcome.secondary,
    signature: outcome.signature,
    plan: outcome.plan,
    enrichment: outcome.enrichment,
    log: logLines(outcome, outcome.plan, input.state, pipeline.profile?.model ?? null),
    written: toWritten(outcome, set.byName),
    whyNot: whyNot(pipeline.belief, outcome, input.state),
    warnings: warningsOf(pipeline, outcome),
  }
}
