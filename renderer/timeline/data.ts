import type { Flip, ReplayColumns } from '../../core/engine/schema/replay.ts'
import { EventKind } from '../../core/engine/schema/event-kind.ts'
import { bisect } from '../ui/sorted.ts'

/** Visual role of a turn's event: user, agent, tool, or other. */
export const ROLES = ['user', 'agent', 'tool', 'other'] as const
export type Role = (typeof ROLES)[number]
const ROLE_OF: Readonly<Partial<Record<EventKind, Role>>> = {
  user: 'user',
  agent: 'agent',
  reasoning: 'agent',
  tool_call: 'tool',
  tool_result: 'tool',
}

/** Everything the timeline draws, as typed arrays, one cell a turn. Built once per replay. */
export type TimelineData = Readonly<Stepped<ReturnType<typeof timelineSteps>>>

export interface TimelineSource {
  readonly columns: ReplayColumns
  /** Second replay of the same session, or null. */
  readonly compare: ReplayColumns | null
  /** Display name of the second replay (default: the name of its preset). */
  readonly otherName?: string | undefined
  readonly flips: readonly Flip[]
  /** Lanes are ordered by priority, then as `columns.domains` has them. */
  readonly domains: ReadonlyArray<{ readonly name: string; readonly priority: number }>
  /** Per turn: index into EventKind.options; null while unknown. */
  readonly kinds: readonly number[] | null
}

type ScoreColumns = Pick<ReplayColumns, 'turns' | 'scoreStart' | 'scorePairs'>

/** Cells of `scorePairs` in one step of `scoreStart`, which may count pairs or cells. Its last value shows which. */
function scoreUnit({ turns, scoreStart, scorePairs }: ScoreColumns): number {
  const last = scoreStart[turns]
  return last !== undefined && last * 2 === scorePairs.length ? 2 : 1
}

/** Calls back with every domain that matched in a stretch of turns (`to` exclusive), in order. */
export function eachScore(
  columns: ScoreColumns,
  { from, to }: { readonly from: number; readonly to: number },
  visit: (turn: number, domain: number, score: number) => void,
): void {
  const { scoreStart, scorePairs } = columns
  const unit = scoreUnit(columns)
  for (let turn = from; turn < to; turn++) {
    const end = (scoreStart[turn + 1] ?? scorePairs.length / unit) * unit
    for (let at = (scoreStart[turn] ?? end) * unit; at + 1 < end; at += 2)
      visit(turn, scorePairs[at] ?? -1, scorePairs[at + 1] ?? 0)
  }
}

function fillHeat(columns: ReplayColumns, width: number) {
  const heat = new Uint8Array(columns.turns * width)
  eachScore(columns, { from: 0, to: columns.turns }, (turn, domain, score) => {
    if (domain >= 0 && domain < width)
      heat[turn * width + domain] = Math.min(255, Math.round(score * 10))
  })
  return heat
}

function rolesOf(kinds: readonly number[] | null, turns: number): Uint8Array {
  const other = ROLES.indexOf('other')
  const codes = EventKind.options.map((kind) => ROLES.indexOf(ROLE_OF[kind] ?? 'other'))
  const roles = new Uint8Array(turns)
  for (let turn = 0; turn < turns; turn++) roles[turn] = codes[kinds?.[turn] ?? -1] ?? other
  return roles
}

function merge(names: string[], more: readonly string[]): readonly number[] {
  return more.map((name) => {
    if (!names.includes(name)) names.push(name)
    return names.indexOf(name)
  })
}

/** Per turn: the turn of the compared replay that classifies the same event, or -1. */
function counterparts({ columns, compare }: TimelineSource): Int32Array | null {
  if (compare === null) return null
  const there = new Int32Array(columns.turns).fill(-1)
  // Both are in the order of events: one walk over the two.
  let other = 0
  for (let turn = 0; turn < columns.turns; turn++) {
    const seq = columns.seq[turn] ?? -1
    while (other < compare.turns && (compare.seq[other] ?? Infinity) < seq) other += 1
    if (compare.seq[other] === seq) there[turn] = other
  }
  return there
}

/** A column of the compared replay at the same events, in this replay's domain numbers. */
function aligned(
  column: readonly number[] | undefined,
  there: Int32Array | null,
  numbers: readonly number[],
): Int16Array<ArrayBuffer> | null {
  if (there === null || column === undefined) return null
  const result = new Int16Array(there.length)
  for (let turn = 0; turn < there.length; turn++)
    result[turn] = numbers[column[there[turn] ?? -1] ?? -1] ?? -1
  return result
}

type InForce = Pick<TimelineData, 'primary' | 'secondary' | 'heat'>

function weights({ primary, secondary, heat }: InForce, width: number): readonly number[] {
  const weight = new Array<number>(width).fill(0)
  const count = (domain: number) => {
    if (domain >= 0 && domain < width) weight[domain] = (weight[domain] ?? 0) + 1
  }
  for (let turn = 0; turn < primary.length; turn++) {
    for (let domain = 0; domain < width; domain++)
      if ((heat[turn * width + domain] ?? 0) > 0) count(domain)
    count(primary[turn] ?? -1)
    count(secondary[turn] ?? -1)
  }
  return weight
}

/** Pauses of a long computation, with its result at the end. */
export type Steps<T> = Generator<undefined, T>
type Stepped<S> = S extends Steps<infer T> ? T : never

/**
 * Reads the columns of a replay (and of a second one to compare with) into typed arrays, in steps of a
 * few milliseconds for 100,000 turns, so that a caller can let frames through.
 */
export function* timelineSteps(source: TimelineSource) {
  const { columns, flips } = source
  const names = [...columns.domains]
  const numbers = merge(names, source.compare?.domains ?? [])
  const primary = new Int16Array(columns.primary)
  const secondary = new Int16Array(columns.secondary)
  yield
  const heat = fillHeat(columns, names.length)
  yield
  const there = counterparts(source)
  yield
  const weight = weights({ primary, secondary, heat }, names.length)
  yield
  const priority = new Map(source.domains.map((domain) => [domain.name, domain.priority]))
  const rank = (domain: number) => priority.get(names[domain] ?? '') ?? 99
  const order = [...names.keys()].sort((a, b) => rank(a) - rank(b) || a - b)
  const flip = new Uint8Array(columns.turns)
  for (const { turn } of flips) flip[turn] = 1
  // The threshold is never on the upper edge. If momentum is never strong (K13), the threshold is above all values.
  const threshold = columns.kind === undefined ? columns.threshold : highest(columns.momentum) + 1
  const maxMomentum = Math.max(threshold + 2, highest(columns.momentum))
  yield
  const other = aligned(source.compare?.primary, there, numbers)
  const otherSecondary = aligned(source.compare?.secondary, there, numbers)
  yield
  return {
    turns: columns.turns,
    /** Domains of the replay, then those only the compared replay knows. */
    names,
    /** Domains with a match or in force somewhere, and the rest; both by priority. */
    used: order.filter((domain) => (weight[domain] ?? 0) > 0),
    unused: order.filter((domain) => (weight[domain] ?? 0) === 0),
    /** Turns in which a domain matched or was in force. */
    weight,
    primary,
    secondary,
    /** Index into EVENT_CODES. */
    event: new Uint8Array(columns.event),
    momentum: new Float32Array(columns.momentum),
    /** Upper end of the momentum scale. */
    maxMomentum,
    threshold,
    /** [K13] False where momentum is never strong. */
    hasThreshold: columns.kind === undefined,
    /** Index into ROLES. */
    role: rolesOf(source.kinds, columns.turns),
    /** Scores × 10, at most 255, row by row: `heat[turn * names.length + domain]`. */
    heat,
    /** Primary of the compared replay, -1 none; null without comparison. */
    other,
    otherSecondary,
    /** 1 if the two replays decide differently. */
    flip,
  }
}

/** Flip of a turn; undefined if both sides decide alike. Flips are in the order of turns. */
export function flipAt(flips: readonly Flip[], turn: number): Flip | undefined {
  const flip = flips[bisect(flips.length, (at) => (flips[at]?.turn ?? 0) < turn)]
  return flip?.turn === turn ? flip : undefined
}

/** Runs all steps synchronously. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

function highest(values: readonly number[]): number {
  let most = 0
  for (const value of values) most = Math.max(most, value)
  return most
}
