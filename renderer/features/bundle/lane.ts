import { type TierName, TierName as TierNames } from '../../../core/engine/schema/bundle-report.ts'
import type { StepBar } from '../../../core/engine/schema/bundle-wire.ts'
import { turnBefore } from '../../timeline/placed.ts'
import { count } from '../../ui/format.ts'
import { bisect } from '../../ui/sorted.ts'
import type { QueryLane } from '../../views/prompt/query-lane.ts'
import { tierWord } from './tier-words.ts'

/** The mark above a bar; the worst applies. Each has a distinct shape. */
export type TokenMark = 'none' | 'differs' | 'real' | 'cut' | 'over' | 'problem'

/** One bar of the token lane: a step's prompt by tier, or the composed prompt of a message. */
export interface TokenBar {
  /** In turns; bars of one turn share its column. */
  readonly position: number
  /** Share of the column, in turns. */
  readonly slot: number
  /** Event of a step; -1 for a composed prompt. */
  readonly seq: number
  /** Tokens from the bottom up: tiers and framing of a step, or one composed prompt. */
  readonly stack: readonly number[]
  readonly used: number
  readonly reserve: number
  /** Most tokens of prompt and reserve together. */
  readonly limit: number
  readonly mark: TokenMark
}

export interface TokenLane {
  /** In order of position. */
  readonly bars: readonly TokenBar[]
  /** Steps by event. */
  readonly steps: ReadonlyMap<number, StepBar>
  /** Tokens at the top of the lane. Limits beyond it are marked as such. */
  readonly top: number
}

export const TIERS: readonly TierName[] = TierNames.options
const REAL = 'o200k_base'

/** Tiers that overflow only when the real tokenizer counts them. */
export function reallyOver(bar: StepBar): readonly TierName[] {
  const over = (name: string) => bar.measures.find(({ estimator }) => estimator === name)?.over
  const said = over(bar.estimator) ?? []
  return (over(REAL) ?? []).filter((tier) => !said.includes(tier))
}

export function markOf(bar: StepBar): TokenMark {
  if (bar.problem !== null) return 'problem'
  if (bar.tier0OverContext || bar.headroom < 0) return 'over'
  if (bar.cut.length > 0) return 'cut'
  if (reallyOver(bar).length > 0) return 'real'
  return bar.recordedSame === false ? 'differs' : 'none'
}

interface Placed {
  readonly turn: number
  readonly seq: number
  readonly bar: Omit<TokenBar, 'position' | 'slot'>
}

function stepBar(step: StepBar): Placed['bar'] {
  const stack = [...TIERS.map((tier) => step.tiers[tier]), step.framing]
  return {
    seq: step.seq,
    stack,
    used: stack.reduce((sum, tokens) => sum + tokens, 0),
    reserve: step.reserve,
    limit: step.context,
    mark: markOf(step),
  }
}

/** The composed prompts of a session, as placed on its turns. */
export type Prompts = Pick<QueryLane, 'tokens' | 'budget'>

function promptBars(turnSeq: readonly number[], prompts: Prompts | null): readonly Placed[] {
  if (prompts === null) return []
  const { tokens, budget } = prompts
  const placed: Placed[] = []
  tokens.forEach((used, turn) => {
    if (used < 0) return
    const mark = used > budget ? 'over' : 'none'
    const bar = { seq: -1, stack: [used], used, reserve: 0, limit: budget, mark } as const
    placed.push({ turn, seq: turnSeq[turn] ?? 0, bar })
  })
  return placed
}

/** Limits up to this many times the highest bar are on the scale. */
const WITHIN = 1.75

/** Steps are no turns: they share the column of the turn before them, with its prompt, in order. */
export function tokenLane(
  turnSeq: readonly number[],
  steps: readonly StepBar[],
  prompts: Prompts | null,
): TokenLane | null {
  const own = steps.map((step): Placed => {
    const turn = turnBefore(turnSeq, step.seq)
    return { turn, seq: step.seq, bar: stepBar(step) }
  })
  const all = [...promptBars(turnSeq, prompts), ...own].sort((a, b) => a.seq - b.seq)
  if (turnSeq.length === 0 || all.length === 0) return null
  const inTurn = new Map<number, number>()
  for (const { turn } of all) inTurn.set(turn, (inTurn.get(turn) ?? 0) + 1)
  const before = new Map<number, number>()
  const bars = all.map(({ turn, bar }): TokenBar => {
    const at = before.get(turn) ?? 0
    before.set(turn, at + 1)
    const slot = 1 / (inTurn.get(turn) ?? 1)
    return { ...bar, slot, position: turn + (at + 0.5) * slot }
  })
  // Prompts alone have one limit, the budget: it is always on their scale.
  const top = topOf(bars, steps.length > 0 ? WITHIN : Infinity)
  return { bars, steps: new Map(steps.map((step) => [step.seq, step])), top }
}

function topOf(bars: readonly TokenBar[], within: number): number {
  let high = 1
  for (const { used, reserve } of bars) high = Math.max(high, used + reserve)
  let top = high
  for (const { limit } of bars) if (limit <= high * within) top = Math.max(top, limit)
  return top
}

/** Height of so many tokens, 0 to 1: a square root, so that small tiers stay visible. */
export function shareOf(tokens: number, top: number): number {
  return Math.sqrt(Math.min(1, Math.max(0, tokens) / Math.max(1, top)))
}

/** Index of the first bar at or after a position, by bisection. */
export function firstBarFrom(bars: readonly TokenBar[], position: number): number {
  return bisect(bars.length, (at) => (bars[at]?.position ?? 0) < position)
}

/** The bar at a position, within its slot or `reach` turns; null if none exists. */
export function barAt(lane: TokenLane, position: number, reach: number): TokenBar | null {
  const at = firstBarFrom(lane.bars, position)
  let best: TokenBar | null = null
  for (const bar of [lane.bars[at - 1], lane.bars[at]]) {
    if (bar === undefined) continue
    const away = Math.abs(bar.position - position)
    if (away > Math.max(bar.slot / 2, reach)) continue
    if (best === null || away < Math.abs(best.position - position)) best = bar
  }
  return best
}

/** Tiers in a sentence. */
export function tierList(tiers: readonly TierName[], by = ', '): string {
  return tiers.map(tierWord).join(by)
}

/** Tokens of the prompt of a step. */
export function usedBy({ context, reserve, headroom }: StepBar): number {
  return context - reserve - headroom
}

/** `step 3 (second run)`, `Chapter 13`: the name of a step in a sentence. */
export function stepName(bar: Pick<StepBar, 'label'>): string {
  return /^\d/u.test(bar.label) ? `step ${bar.label}` : bar.label
}

/** One step in words, as screen readers hear it. */
export function stepSpoken(bar: StepBar): string {
  if (bar.problem !== null) return `${stepName(bar)}: no bundle`
  const cut = bar.cut.map((tier) => `${tierWord(tier)} cut`)
  const over = bar.tier0OverContext ? ['tier 0 over the context'] : []
  const real = reallyOver(bar).map((tier) => `${tierWord(tier)} really overflows`)
  const parts = [`${count(usedBy(bar))} of ${count(bar.context - bar.reserve)} tokens`]
  return `${stepName(bar)}: ${[...parts, ...over, ...cut, ...real].join(', ')}`
}

/** Steps at a turn, as text for screen readers; '' if there are none. */
export function spokenAt(lane: TokenLane, turn: number): string {
  if (lane.steps.size === 0) return ''
  const found: string[] = []
  for (let at = firstBarFrom(lane.bars, turn); at < lane.bars.length; at++) {
    const bar = lane.bars[at]
    if (bar === undefined || bar.position >= turn + 1) break
    const step = lane.steps.get(bar.seq)
    if (step) found.push(stepSpoken(step))
  }
  return found.length <= 6 ? found.join('; ') : `${found.length} pipeline steps`
}
