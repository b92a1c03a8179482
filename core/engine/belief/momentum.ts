import type { RULE_CODES } from '../schema/replay.ts'
import type { BeliefState, MomentumEvent, Part } from '../schema/trace.ts'
import { isSubstantive, mayBreak, type Rules } from './rules.ts'
import {
  evidenceFor,
  formatSignature,
  parseSignature,
  secondBeside,
  type DomainScore,
  type Scored,
} from './score.ts'

/** Rules of core/SPEC.md that can decide a turn. */
export type MomentumRule = (typeof RULE_CODES)[number]

/** Result of the momentum rules for one turn. */
export interface Decision {
  readonly event: MomentumEvent
  readonly rule: MomentumRule
  readonly primary: Part
  readonly secondary: Part | null
  readonly signature: string
  readonly state: BeliefState
  /** The outsider that was held off, or null. */
  readonly resisted: { readonly domain: string; readonly confidence: number } | null
  /** [L3] momentum was halved before the decision. */
  readonly decayed: boolean
}

type Outcome = Omit<Decision, 'state' | 'decayed'>

/** Input of a momentum rule: the turn, the state after decay, and the rules. */
interface Situation {
  readonly scored: Scored
  readonly before: BeliefState
  /** Momentum after decay. */
  readonly momentum: number
  readonly domains: readonly string[]
  readonly rules: Rules
}

/** [B15] No signature, no momentum: the first turn is accepted. */
export const initialBeliefState: BeliefState = {
  signature: '',
  momentum: 0,
  primary: null,
  resistedRun: 0,
  unsupportedRun: 0,
}

function take(event: MomentumEvent, rule: MomentumRule, scored: Scored): Outcome {
  const { primary, secondary, signature } = scored
  return { event, rule, primary, secondary, signature, resisted: null }
}

function same({ scored, before, rules }: Situation): Outcome {
  const { primary, secondary } = scored
  const sticky = rules.options.stickyPrimary && secondary !== null
  if (!sticky || secondary.domain !== before.primary) return take('same', 'M1', scored)
  return { ...take('same', 'B14', scored), primary: secondary, secondary: primary }
}

/**
 * [L4] An outside domain that may break and scores at least as much as the best inside one. It only
 * decides ties that priority gave to the inside; B1 and B2 still say who may break at all.
 */
function tiedChallenger({ scored, domains, rules }: Situation): DomainScore | undefined {
  if (!rules.options.challengerWinsTies) return undefined
  const inside = scored.scores.find((score) => domains.includes(score.domain))?.score ?? 0
  return scored.ranked.find(
    (score) =>
      !domains.includes(score.domain) &&
      score.score >= inside &&
      mayBreak(rules, score.domain, score.score),
  )
}

function challengerBreaks({ scored, rules }: Situation, challenger: DomainScore): Outcome {
  const secondary = secondBeside(challenger.domain, scored.seconds, rules)
  return {
    event: 'break',
    rule: 'L4',
    primary: evidenceFor(scored.scores, challenger.domain),
    secondary,
    signature: formatSignature(challenger.domain, secondary?.domain ?? null),
    resisted: null,
  }
}

/** [B4] A strong single domain takes a second one on board when that has evidence enough. */
function widens({ scored, domains, rules }: Situation): boolean {
  const { secondary } = scored
  const least = rules.options.widenMinSignals
  if (least === null || domains.length !== 1 || secondary === null) return false
  return secondary.confidence >= least && isSubstantive(rules, secondary.domain)
}

/** [M3] [B3] The signature stays; numbers are this turn's. */
function hold({ scored, before, domains, rules }: Situation): Outcome {
  const { primary, secondary, scores } = scored
  const other = domains.find((domain) => domain !== primary.domain)
  const source = rules.options.heldConfidenceFromScores ? scores : []
  const kept = other === undefined ? null : evidenceFor(source, other)
  const outsider =
    secondary !== null && !domains.includes(secondary.domain)
      ? { domain: secondary.domain, confidence: secondary.confidence }
      : null
  return {
    event: 'hold',
    rule: 'M3',
    primary,
    secondary: kept !== null && secondary?.domain === other ? secondary : kept,
    signature: before.signature,
    resisted: outsider,
  }
}

function inside(situation: Situation): Outcome {
  const challenger = tiedChallenger(situation)
  if (challenger !== undefined) return challengerBreaks(situation, challenger)
  return widens(situation) ? take('widen', 'B4', situation.scored) : hold(situation)
}

/** [B6] The primary in force, else the better priority, else (option off) the first by name with no evidence. */
function keptPair({ scored, before, domains, rules }: Situation): readonly [Part, Part | null] {
  const { keepPrimaryWhenResisting } = rules.options
  const byPriority = (domain: string): number => rules.priorities.get(domain) ?? 99
  const inForce = domains.find((domain) => domain === before.primary)
  const best = domains.toSorted((a, b) => byPriority(a) - byPriority(b))[0]
  const first = (keepPrimaryWhenResisting ? (inForce ?? best) : domains[0]) ?? ''
  const second = domains.find((domain) => domain !== first)
  const source = keepPrimaryWhenResisting ? scored.scores : []
  return [evidenceFor(source, first), second === undefined ? null : evidenceFor(source, second)]
}

function resist(situation: Situation, rule: 'B1' | 'B2'): Outcome {
  const { domain, confidence } = situation.scored.primary
  const [primary, secondary] = keptPair(situation)
  return {
    event: 'resist',
    rule,
    primary,
    secondary,
    signature: situation.before.signature,
    resisted: { domain, confidence },
  }
}

/**
 * [L2] After `maxResistedTurns` resisted turns in a row a challenger is accepted. A turn without
 * any evidence is no challenger: it neither counts nor gets in (L3 is the rule for silence).
 */
function wearsDown({ scored, before, rules }: Situation): boolean {
  const { maxResistedTurns } = rules.options
  if (maxResistedTurns === null || scored.primary.confidence === 0) return false
  return before.resistedRun >= maxResistedTurns
}

function outside(situation: Situation): Outcome {
  const { scored, domains, rules } = situation
  const { domain, confidence } = scored.primary
  const protectedCompound = domains.some((held) => isSubstantive(rules, held))
  if (!protectedCompound || mayBreak(rules, domain, confidence)) return take('break', 'M4', scored)
  if (wearsDown(situation)) return take('break', 'L2', scored)
  return resist(situation, domain === rules.options.defaultDomain ? 'B2' : 'B1')
}

function decide(situation: Situation): Outcome {
  const { scored, before, momentum, domains, rules } = situation
  const threshold = rules.options.momentumThreshold
  if (scored.signature === before.signature) return same(situation)
  if (momentum < threshold) return take('accept', before.momentum < threshold ? 'M2' : 'L3', scored)
  return domains.includes(scored.primary.domain) ? inside(situation) : outside(situation)
}

/** [L3] Turns in a row in which no domain of the compound matched, this one included. */
function unsupportedTurns(scored: Scored, before: BeliefState, domains: readonly string[]): number {
  if (scored.signature === before.signature) return 0
  const supported = scored.scores.some((score) => domains.includes(score.domain))
  return supported ? 0 : before.unsupportedRun + 1
}

function nextState(situation: Situation, outcome: Outcome, unsupported: number): BeliefState {
  const { before, momentum } = situation
  const fresh = outcome.event === 'accept' || outcome.event === 'break'
  const decayed = momentum < before.momentum
  const challenged = outcome.event === 'resist' && (outcome.resisted?.confidence ?? 0) > 0
  return {
    signature: outcome.signature,
    momentum: fresh ? 1 : decayed ? momentum : momentum + 1,
    primary: outcome.primary.domain,
    resistedRun: outcome.event === 'resist' ? before.resistedRun + (challenged ? 1 : 0) : 0,
    unsupportedRun: fresh ? 0 : unsupported,
  }
}

/**
 * [M1]–[M5] Momentum of compound signatures with the decisions B1–B6, B14 and the lessons L2–L4,
 * each by its option. Total: every turn and state has an outcome.
 *
 * [L3] After `decayAfterTurns` turns without a signal of the compound, momentum is halved (rounded
 * down) at the start of each further such turn, and a held turn then adds nothing to it.
 */
export function applyMomentum(scored: Scored, before: BeliefState, rules: Rules): Decision {
  const domains = parseSignature(before.signature)
  const unsupported = unsupportedTurns(scored, before, domains)
  const after = rules.options.decayAfterTurns
  const decayed = after !== null && unsupported > after && before.momentum > 0
  const momentum = decayed ? Math.floor(before.momentum / 2) : before.momentum
  const situation: Situation = { scored, before, momentum, domains, rules }
  const outcome = decide(situation)
  return { ...outcome, state: nextState(situation, outcome, unsupported), decayed }
}
