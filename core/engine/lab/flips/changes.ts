import type { Rules } from '../../belief/rules.ts'
import { compareScores, parseSignature, type DomainScore } from '../../belief/score.ts'
import type { BeliefOptions } from '../../schema/preset.ts'
import type { BeliefState } from '../../schema/trace.ts'
import type { PipelinePatch } from '../why/patch.ts'

/** Everything that decides the primary of one turn. */
export interface Situation {
  readonly scores: readonly DomainScore[]
  readonly state: BeliefState
  readonly rules: Rules
}

/** One change of the situation that might change the decision. */
export interface Change {
  readonly what: string
  readonly from: string
  readonly to: string
  readonly apply: (situation: Situation) => Situation
  /** The same change as a patch of the configuration; null if it changes the state instead. */
  readonly patch: PipelinePatch | null
}

type Candidates = (situation: Situation, domain: string, score: number) => readonly Change[]

function show(value: number | string | boolean | null | undefined): string {
  return value === undefined || value === null ? 'none' : String(value)
}

function withOptions(situation: Situation, options: Partial<BeliefOptions>): Situation {
  const { rules } = situation
  return { ...situation, rules: { ...rules, options: { ...rules.options, ...options } } }
}

/** A change of one option with a plain value. */
function option<K extends keyof BeliefOptions>(
  situation: Situation,
  key: K,
  value: BeliefOptions[K] & (number | boolean | null),
): Change {
  const from = situation.rules.options[key]
  return {
    what: key,
    from: typeof from === 'object' ? 'none' : show(from),
    to: show(value),
    apply: (turn) => withOptions(turn, { [key]: value }),
    patch: { options: { [key]: value } },
  }
}

function weakerMomentum({ state, rules }: Situation): readonly Change[] {
  const to = rules.options.momentumThreshold - 1
  if (state.momentum <= to) return []
  const change = (turn: Situation): Situation => {
    return { ...turn, state: { ...turn.state, momentum: to } }
  }
  return [
    {
      what: 'momentum before the turn',
      from: show(state.momentum),
      to: show(to),
      apply: change,
      patch: null,
    },
  ]
}

function higherThreshold(situation: Situation): readonly Change[] {
  const { state, rules } = situation
  if (state.momentum < rules.options.momentumThreshold) return []
  return [option(situation, 'momentumThreshold', state.momentum + 1)]
}

function easierBreak({ rules }: Situation, domain: string, score: number): readonly Change[] {
  const from = rules.breakMinSignals?.get(domain)
  const to = Math.floor(score)
  if (rules.breakMinSignals === null || from === undefined || (from !== null && from <= to))
    return []
  const apply = (turn: Situation): Situation => {
    const breaks = new Map(turn.rules.breakMinSignals ?? [])
    return { ...turn, rules: { ...turn.rules, breakMinSignals: breaks.set(domain, to) } }
  }
  return [
    {
      what: `breakMinSignals.${domain}`,
      from: from === null ? 'never' : show(from),
      to: show(to),
      apply,
      patch: { domains: new Map([[domain, { breakMinSignals: to }]]) },
    },
  ]
}

function easierStart({ rules, scores }: Situation, domain: string): readonly Change[] {
  const from = rules.minSignals.get(domain) ?? 1
  const matched = scores.find((score) => score.domain === domain)?.matched ?? 0
  if (matched === 0 || matched >= from) return []
  const apply = (turn: Situation): Situation => {
    const minSignals = new Map(turn.rules.minSignals).set(domain, matched)
    return { ...turn, rules: { ...turn.rules, minSignals } }
  }
  const patch = { domains: new Map([[domain, { minSignals: matched }]]) }
  return [{ what: `minSignals.${domain}`, from: show(from), to: show(matched), apply, patch }]
}

/** A better priority than every domain it ties with. */
function betterPriority({ rules, scores }: Situation, domain: string): readonly Change[] {
  const own = scores.find((score) => score.domain === domain)
  if (own === undefined) return []
  const tied = scores.filter((score) => score !== own && score.score === own.score)
  const to = Math.min(...tied.map((score) => score.priority)) - 1
  if (tied.length === 0 || own.priority <= to) return []
  const apply = (turn: Situation): Situation => {
    const priorities = new Map(turn.rules.priorities).set(domain, to)
    const moved = turn.scores.map((score) =>
      score.domain === domain ? { ...score, priority: to } : score,
    )
    // Equal scores are the only ones that a priority can reorder.
    const sorted = moved.toSorted(compareScores)
    return { ...turn, scores: sorted, rules: { ...turn.rules, priorities } }
  }
  const from = rules.priorities.get(domain) ?? own.priority
  const patch = { domains: new Map([[domain, { priority: to }]]) }
  return [{ what: `priority.${domain}`, from: show(from), to: show(to), apply, patch }]
}

function withoutAntiSignals({ scores, rules }: Situation): readonly Change[] {
  if (scores.every((score) => score.factor === 1)) return []
  const apply = (turn: Situation): Situation => {
    const plain = turn.scores.map((score) => ({ ...score, factor: 1, score: score.points }))
    plain.sort(compareScores)
    return { ...turn, scores: plain }
  }
  const patch = { options: { antiSignals: [] } }
  return [
    { what: 'antiSignals', from: show(rules.options.antiSignals.length), to: '0', apply, patch },
  ]
}

function otherInForce({ state }: Situation, domain: string): readonly Change[] {
  if (state.primary === domain || !parseSignature(state.signature).includes(domain)) return []
  const apply = (turn: Situation): Situation => {
    return { ...turn, state: { ...turn.state, primary: domain } }
  }
  return [
    {
      what: 'primary before the turn',
      from: show(state.primary),
      to: domain,
      apply,
      patch: null,
    },
  ]
}

function toggles(situation: Situation): readonly Change[] {
  const { options } = situation.rules
  const { resistedRun, unsupportedRun } = situation.state
  const changes = [
    option(situation, 'challengerWinsTies', !options.challengerWinsTies),
    option(situation, 'defaultDomainYields', !options.defaultDomainYields),
    option(situation, 'keepPrimaryWhenResisting', !options.keepPrimaryWhenResisting),
    option(situation, 'stickyPrimary', !options.stickyPrimary),
  ]
  if (resistedRun > 0) changes.push(option(situation, 'maxResistedTurns', resistedRun))
  if (unsupportedRun > 0) changes.push(option(situation, 'decayAfterTurns', unsupportedRun))
  return changes
}

const CANDIDATES: readonly Candidates[] = [
  weakerMomentum,
  higherThreshold,
  easierBreak,
  easierStart,
  betterPriority,
  withoutAntiSignals,
  otherInForce,
  toggles,
]

/** Single changes worth trying for the domain; whether one suffices is for the caller to run. */
export function candidateChanges(situation: Situation, domain: string): readonly Change[] {
  const score = situation.scores.find((candidate) => candidate.domain === domain)?.score ?? 0
  return CANDIDATES.flatMap((candidates) => candidates(situation, domain, score))
}
