import { enrichedBits } from '../../belief/enrichment.ts'
import { initialBeliefState } from '../../belief/momentum.ts'
import { decide, type BeliefContext } from '../../belief/step.ts'
import type { Scored } from '../../belief/score.ts'
import type { Pipeline } from '../../pipeline.ts'
import type { BeliefState } from '../../schema/trace.ts'
import type { Decided } from '../corpus/corpus.ts'
import { createGrowing } from '../corpus/growing.ts'
import { createInterner } from '../corpus/interner.ts'
import { createNumberLists } from '../../matcher/automaton/number-lists.ts'
import { createPairTable } from '../corpus/pair-table.ts'

/** States and domain names by number: the same ones for all configurations of a corpus. */
export interface FoldNames {
  readonly stateOf: (state: BeliefState) => number
  readonly state: (id: number) => BeliefState
  readonly domainOf: (name: string) => number
  readonly domain: (id: number) => string
}

/** Number of the state before the first turn (B15). */
export const INITIAL_STATE = 0

export function createFoldNames(): FoldNames {
  const known = createNumberLists()
  const states: BeliefState[] = []
  const signatures = createInterner<string>()
  const domains = createInterner<string>()
  const domainOf = (name: string): number => domains.idOf(name, () => name)
  const scratch = new Uint32Array(5)
  const stateOf = (state: BeliefState): number => {
    const { signature, primary } = state
    scratch[0] = signatures.idOf(signature, () => signature)
    scratch[1] = primary === null ? 0 : domainOf(primary) + 1
    scratch[2] = state.momentum
    scratch[3] = state.resistedRun
    scratch[4] = state.unsupportedRun
    const id = known.idOf(scratch, scratch.length)
    if (id === states.length) states.push(state)
    return id
  }
  stateOf(initialBeliefState)
  return { stateOf, state: stateAt, domainOf, domain: domains.at }

  function stateAt(id: number): BeliefState {
    const state = states[id]
    if (state === undefined) throw new RangeError(`no state has number ${id}`)
    return state
  }
}

/**
 * The decision of a turn, in 32 bits: number of the primary (15 bits), of the secondary plus 1 (15 bits, 0 = none),
 * enrichment (2 bits).
 */
export type Shown = number

export function packShown(primary: number, secondary: number, enriched: number): Shown {
  return ((primary << 17) | ((secondary + 1) << 2) | enriched) >>> 0
}

/** The numbers of a decision. */
export function shownOf(
  { domainOf }: FoldNames,
  { primary, secondary, plan }: Pick<Decided, 'primary' | 'secondary' | 'plan'>,
): Shown {
  const second = secondary === null ? -1 : domainOf(secondary.domain)
  return packShown(domainOf(primary.domain), second, enrichedBits(plan))
}

export const primaryOf = (shown: Shown): number => shown >>> 17
/** -1 = none. */
export const secondaryOf = (shown: Shown): number => ((shown >>> 2) & 0x7fff) - 1
export const enrichedOf = (shown: Shown): number => shown & 3

/** Decisions by number: the state after the turn, and the values shown for it. */
export interface Outcomes {
  /** Decides a scored text in a state, and answers the number of the outcome. */
  readonly add: (
    belief: Pick<BeliefContext, 'rules' | 'disabled'>,
    scored: Scored,
    state: number,
  ) => number
  readonly after: (outcome: number) => number
  readonly shown: (outcome: number) => Shown
  readonly size: number
}

/** Outcomes without a memo. A caller that adds one remembers its key (T5, L112). */
export function createOutcomes(names: FoldNames): Outcomes {
  const after = createGrowing()
  const shown = createGrowing()
  return {
    add: (belief, scored, state) => {
      const { decision, plan } = decide(belief, scored, names.state(state))
      after.push(names.stateOf(decision.state))
      shown.push(shownOf(names, { ...decision, plan }))
      return shown.length - 1
    },
    after: after.at,
    shown: shown.at,
    get size() {
      return shown.length
    },
  }
}

/** [T5] Caches the decisions of one set of rules for pairs of class and state. */
export interface Folding extends Omit<Outcomes, 'add'> {
  /**
   * Number of the outcome of a turn of class `one` that starts in `state`, asked of a pipeline that
   * has these rules and of its scores of a class.
   */
  outcomes(
    belief: BeliefContext,
    scored: (one: number) => Scored,
  ): (one: number, state: number) => number
}

/** Equal for pipelines that decide alike wherever the same signals fired: all but the signals. */
export function rulesKey({ belief }: Pipeline): string {
  const { set, rules, disabled } = belief
  const domains = set.domains.map((domain) => [
    domain.name,
    domain.priority,
    domain.breakMinSignals === undefined ? 'unset' : domain.breakMinSignals,
    domain.minSignals ?? null,
    domain.minScore ?? null,
  ])
  return JSON.stringify([rules.options, rules.allTogether, domains, [...disabled]])
}

/** A memo of momentum and plan for one set of rules. */
export function createFolding(names: FoldNames): Folding {
  const memo = createPairTable()
  const made = createOutcomes(names)

  return {
    outcomes: (belief, scored) => (one, state) => {
      const known = memo.get(one, state)
      if (known >= 0) return known
      const outcome = made.add(belief, scored(one), state)
      memo.add(one, state, outcome)
      return outcome
    },
    after: made.after,
    shown: made.shown,
    get size() {
      return made.size
    },
  }
}
