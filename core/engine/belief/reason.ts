import type { BeliefState } from '../schema/trace.ts'
import { countSignals, countTurns } from './log.ts'
import type { Decision, MomentumRule } from './momentum.ts'
import { breakMinimum, type Rules } from './rules.ts'

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
  return `${before.signature} held for ${countTurns(before.momentum)}`
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
    `${countTurns(turn.before.resistedRun)} resisted in a row: the challenger ${challenger(turn)} is accepted.`,
  L3: (turn) =>
    `No signal of ${turn.before.signature} for ${countTurns(turn.before.unsupportedRun + 1)}: its momentum ${turn.before.momentum} decayed, ${turn.decision.signature} is accepted.`,
  L4: (turn) => `${held(turn)}, but ${challenger(turn)} ties with the best inside domain and wins.`,
}

/** Why momentum decided as it did, in one sentence. */
export function explainDecision(decision: Decision, before: BeliefState, rules: Rules): string {
  return SENTENCES[decision.rule]({ decision, before, rules })
}
