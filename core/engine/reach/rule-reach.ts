import { initialBeliefState } from '../belief/momentum.ts'
import { stepBelief } from '../belief/step.ts'
import { addTo } from '../maps.ts'
import type { BeliefOptions } from '../schema/preset.ts'
import type { Reach } from '../schema/reach.ts'
import { RULE_CODES } from '../schema/replay.ts'
import type { BeliefState } from '../schema/trace.ts'
import type { Message, Reaching } from './messages.ts'

type Rule = (typeof RULE_CODES)[number]
type Answer = Pick<Reach, 'status' | 'witness' | 'why' | 'off'> & { readonly name: Rule }

/** Turns that are tried in all: a few seconds at most. */
const MOST_STEPS = 60_000

/** [K22] Options under which a rule decides nothing. */
const OFF: Partial<Record<Rule, (options: BeliefOptions) => string | null>> = {
  B1: ({ breakMinSignals }) => (breakMinSignals === null ? 'every domain may break' : null),
  B2: ({ breakMinSignals }) => (breakMinSignals === null ? 'every domain may break' : null),
  B4: ({ widenMinSignals }) => (widenMinSignals === null ? 'widenMinSignals is off' : null),
  B14: ({ stickyPrimary }) => (stickyPrimary ? null : 'stickyPrimary is off'),
  L2: ({ maxResistedTurns }) => (maxResistedTurns === null ? 'maxResistedTurns is off' : null),
  L3: ({ decayAfterTurns }) => (decayAfterTurns === null ? 'decayAfterTurns is off' : null),
  L4: ({ challengerWinsTies }) => (challengerWinsTies ? null : 'challengerWinsTies is off'),
}
/** Rules that need no strong momentum. */
const WEAK: ReadonlySet<Rule> = new Set(['M1', 'M2', 'B14'])

/** A reached state, and the messages that led to it. */
interface Step {
  readonly state: BeliefState
  readonly text: string
  readonly before: Step | null
}

function messagesTo(step: Step | null): readonly string[] {
  const texts: string[] = []
  for (let at = step; at !== null; at = at.before) texts.unshift(at.text)
  return texts
}

/**
 * [K21] Sessions, shortest first, of messages from the list: the first one that comes to each rule. Every
 * turn is decided by the engine.
 */
function findRules(
  { pipeline }: Reaching,
  messages: readonly Message[],
  wanted: ReadonlySet<Rule>,
): ReadonlyMap<Rule, readonly string[]> {
  const found = new Map<Rule, readonly string[]>()
  const seen = new Set([JSON.stringify(initialBeliefState)])
  let edge: ReadonlyArray<Step | null> = [null]
  let steps = 0
  while (edge.length > 0 && found.size < wanted.size && steps < MOST_STEPS) {
    const next: Step[] = []
    for (const before of edge)
      for (const { text, fired } of messages) {
        if (steps >= MOST_STEPS) break
        steps += 1
        const outcome = stepBelief(pipeline.belief, before?.state ?? initialBeliefState, fired)
        const step = { state: outcome.state, text, before }
        if (wanted.has(outcome.rule) && !found.has(outcome.rule))
          found.set(outcome.rule, messagesTo(step))
        // Momentum above the threshold changes nothing more.
        const { momentumThreshold } = pipeline.belief.rules.options
        const momentum = Math.min(outcome.state.momentum, momentumThreshold + 1)
        const key = JSON.stringify({ ...outcome.state, momentum })
        if (seen.has(key)) continue
        seen.add(key)
        next.push(step)
      }
    edge = next
  }
  return found
}

/** Messages from which scripts are made. */
const MOST_SCRIPTED = 40

/**
 * First searches for rules that need many turns. Each script repeats one message until momentum is strong, then another
 * one for as long as any option counts.
 */
function tryScripts(
  { pipeline }: Reaching,
  messages: readonly Message[],
  wanted: ReadonlySet<Rule>,
): Map<Rule, readonly string[]> {
  const { rules } = pipeline.belief
  const { momentumThreshold, maxResistedTurns, decayAfterTurns } = rules.options
  const found = new Map<Rule, readonly string[]>()
  const begin = Math.min(momentumThreshold, MOST_TURNS)
  const go = LATER
  const length =
    begin + Math.min(MOST_TURNS, Math.max(maxResistedTurns ?? 0, decayAfterTurns ?? 0)) + go
  const some = messages.slice(0, MOST_SCRIPTED)
  for (const first of some)
    for (const then of some) {
      let state = initialBeliefState
      const texts: string[] = []
      for (let turn = 0; turn < length && found.size < wanted.size; turn += 1) {
        const message = turn < begin ? first : then
        texts.push(message.text)
        const outcome = stepBelief(pipeline.belief, state, message.fired)
        const known = found.get(outcome.rule)
        const isBetter = known === undefined || texts.length < known.length
        if (wanted.has(outcome.rule) && isBetter) found.set(outcome.rule, [...texts])
        state = outcome.state
      }
    }
  return found
}

/** Of scripts: turns of each half at most, and turns after an option has counted to its end. */
const MOST_TURNS = 30
const LATER = 4

/** Messages that differ in their scores, the plainest of each. */
function distinct({ pipeline }: Reaching, messages: readonly Message[]): readonly Message[] {
  const kinds = new Map<string, Message[]>()
  for (const message of messages) {
    const { scored } = stepBelief(pipeline.belief, initialBeliefState, message.fired)
    const scores = scored.scores.map(({ domain, score }) => [domain, Math.min(score, 4)])
    addTo(kinds, JSON.stringify(scores), message)
  }
  return [...kinds.values()].flatMap(([first]) => first ?? [])
}

/**
 * [K21] [K22] [K23] For every rule of momentum, a session whose last turn it decides, or the reason why none exists.
 */
export function reachRules(reaching: Reaching, messages: readonly Message[]): readonly Answer[] {
  const { rules } = reaching.pipeline.belief
  const proofOf = (name: Rule): string | null => {
    if (rules.allTogether && !WEAK.has(name)) return 'skills have no momentum (K13)'
    return OFF[name]?.(rules.options) ?? null
  }
  const open = new Set(RULE_CODES.filter((name) => proofOf(name) === null))
  const plain = distinct(reaching, messages)
  const scripted = tryScripts(reaching, plain, open)
  const rest = new Set([...open].filter((name) => !scripted.has(name)))
  const found = new Map([...scripted, ...findRules(reaching, plain, rest)])
  return RULE_CODES.map((name) => {
    const why = proofOf(name)
    if (why !== null) return { name, status: 'never', witness: [], why, off: true }
    const witness = found.get(name)
    if (witness !== undefined) return { name, status: 'reached', witness, why: '', off: false }
    const unknown = 'no session of the messages that were made comes to it'
    return { name, status: 'undecided', witness: [], why: unknown, off: false }
  })
}
