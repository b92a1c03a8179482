import type { BeliefState, EnrichmentPlan, Part } from '../schema/trace.ts'
import type { Decision } from './momentum.ts'

/** `1 signal`, `2 signals`, `0.5 signals` (L6). */
export function countSignals(count: number): string {
  const shown = Number.isInteger(count) ? String(count) : String(Number(count.toFixed(2)))
  return `${shown} ${count === 1 ? 'signal' : 'signals'}`
}

/** `1 turn`, `5 turns`. */
export function countTurns(count: number): string {
  return `${count} ${count === 1 ? 'turn' : 'turns'}`
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
  const held = `${before.signature} (${countTurns(before.momentum)})`
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
 * [E4] [B12] The lines of the document's Logging section for one turn. Counts of turns are those
 * before this turn; the model's name comes from its profile and is left out when it has none.
 */
export function logLines(
  decision: Decision,
  plan: EnrichmentPlan,
  before: BeliefState,
  model: string | null,
): readonly string[] {
  const lines = [classificationLine(decision, plan)]
  const momentum = momentumLine(decision, before)
  if (momentum !== null) lines.push(momentum)
  if (plan.reason_primary_skipped !== null)
    lines.push(skipLine('Primary', decision.primary.domain, plan.reason_primary_skipped, model))
  const reason = plan.reason_secondary_skipped
  if (reason !== null && decision.secondary !== null)
    lines.push(skipLine('Secondary', decision.secondary.domain, reason, model))
  return lines
}
