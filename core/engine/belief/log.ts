import { counted } from '../result.ts'
import type { Ambiguity, BeliefState, EnrichmentPlan, Part } from '../schema/trace.ts'
import { ambiguousWords } from '../schema/ambiguous-words.ts'
import type { Decision, MomentumRule } from './momentum.ts'
import { breakMinimum, type Rules } from './rules.ts'

/** `1 signal`, `2 signals`, `0.5 signals` (L6). */
export function countSignals(count: number): string {
  const shown = Number.isInteger(count) ? String(count) : String(Number(count.toFixed(2)))
  return `${shown} ${count === 1 ? 'signal' : 'signals'}`
}

function partText(part: Part): string {
  return `${part.domain} (${countSignals(part.confidence)})`
}

function onOff(value: boolean): string {
  return value ? 'ON' : 'OFF'
}

function classificationLine(decision: Decision, plan: EnrichmentPlan): string {
  const parts =
    decision.secondary === null ? [decision.primary] : [decision.primary, decision.secondary]
  return (
    `[BST] ${parts.map(partText).join(' + ')} | sig=${decision.signature}` +
    ` | momentum=${decision.state.momentum} | enrichment: primary=${onOff(plan.primary_enrichment)}` +
    ` secondary=${onOff(plan.secondary_enrichment)}`
  )
}

/** A hold that kept out no outsider held off a narrower classification: its primary is named. */
function momentumLine(decision: Decision, before: BeliefState): string | null {
  const held = `${before.signature} (${counted(before.momentum, 'turn')})`
  const { event, primary } = decision
  if (event === 'break')
    return `[BST] Momentum break: ${held} → ${primary.domain} (${countSignals(primary.confidence)}, not in compound)`
  if (event !== 'hold' && event !== 'resist') return null
  const { domain, confidence } = decision.resisted ?? primary
  return `[BST] Momentum held: ${held} resisted ${domain} (${countSignals(confidence)})`
}

function skipLine(place: string, domain: string, reason: string, model: string | null): string {
  const suffix = model === null ? '' : ` (${model})`
  return `[BST] ${place} enrichment skipped for ${domain}: ${reason}${suffix}`
}

/**
 * [E4] [B12] [B22] The lines of the document's Logging section for one turn. Counts of turns are those
 * before this turn; the model's name comes from its profile and is left out when it has none.
 */
export function logLines(
  { ambiguous, ...decision }: Decision & { readonly ambiguous: Ambiguity | null },
  plan: EnrichmentPlan,
  before: BeliefState,
  model: string | null,
): readonly string[] {
  const lines = [classificationLine(decision, plan)]
  if (ambiguous !== null) {
    const { between, lead, margin } = ambiguous
    lines.push(`[BST] Text is ${ambiguousWords(between)} (lead ${lead}, margin ${margin})`)
  }
  const momentum = momentumLine(decision, before)
  if (momentum !== null) lines.push(momentum)
  if (plan.reason_primary_skipped !== null)
    lines.push(skipLine('Primary', decision.primary.domain, plan.reason_primary_skipped, model))
  const reason = plan.reason_secondary_skipped
  if (reason !== null && decision.secondary !== null)
    lines.push(skipLine('Secondary', decision.secondary.domain, reason, model))
  return lines
}

interface Case {
  readonly decision: Decision
  readonly before: BeliefState
  readonly rules: Rules
}

type Explain = (turn: Case) => string

function needed(rules: Rules, domain: string): string {
  const least = breakMinimum(rules, domain)
  return least === null
    ? 'may never break strong momentum'
    : `needs ${countSignals(least)} to break`
}

function held({ before }: Case): string {
  return `${before.signature} held for ${counted(before.momentum, 'turn')}`
}

function challenger({ decision }: Case): string {
  const { domain, confidence } = decision.resisted ?? decision.primary
  return `${domain} (${countSignals(confidence)})`
}

function weak({ decision, before, rules }: Case): string {
  if (before.signature === '') return `First turn: ${decision.signature} is accepted.`
  const threshold = rules.options.momentumThreshold
  return `Momentum ${before.momentum} is below ${threshold}: ${decision.signature} replaces ${before.signature}.`
}

/** One sentence a rule; a missing rule does not compile. */
const SENTENCES: Readonly<Record<MomentumRule, Explain>> = {
  M1: ({ decision }) => `Same signature ${decision.signature}: momentum grows.`,
  M2: weak,
  M3: (turn) => `${held(turn)}, and the new primary ${turn.decision.primary.domain} is part of it.`,
  M4: (turn) => `${held(turn)}, but ${challenger(turn)} is not part of it.`,
  B1: (turn) =>
    `${held(turn)}; ${challenger(turn)} is outside and ${needed(turn.rules, turn.decision.resisted?.domain ?? '')}.`,
  B2: (turn) => `${held(turn)}; ${challenger(turn)} is no evidence for a new task.`,
  B4: (turn) =>
    `${held(turn)} and widens: ${turn.decision.secondary?.domain ?? ''} has ${countSignals(turn.decision.secondary?.confidence ?? 0)}.`,
  B14: ({ decision }) =>
    `Same signature ${decision.signature}: the primary in force stays, although ${decision.secondary?.domain ?? ''} scored first.`,
  L2: (turn) =>
    `${counted(turn.before.resistedRun, 'turn')} resisted in a row: the challenger ${challenger(turn)} is accepted.`,
  L3: (turn) =>
    `No signal of ${turn.before.signature} for ${counted(turn.before.unsupportedRun + 1, 'turn')}: its momentum ${turn.before.momentum} decayed, ${turn.decision.signature} is accepted.`,
  L4: (turn) => `${held(turn)}, but ${challenger(turn)} ties with the best inside domain and wins.`,
}

/** [K13] */
const ALONE = 'Skills fire on one message at a time: nothing is carried over from the turns before.'

/** Why momentum decided as it did, in one sentence. */
export function explainDecision(decision: Decision, before: BeliefState, rules: Rules): string {
  if (rules.allTogether) return ALONE
  return SENTENCES[decision.rule]({ decision, before, rules })
}
