import type { Replay } from '../replay.ts'
import type { Flip } from '../schema/replay.ts'
import type { BeliefState } from '../schema/trace.ts'

type Field = Flip['fields'][number]

/** What one side says of a turn, by name, because two configurations number domains differently. */
interface TurnView {
  readonly primary: string
  readonly secondary: string
  readonly enrichment: number
  readonly scores: string
}

function view({ columns }: Replay, turn: number): TurnView {
  const name = (place: number | undefined): string => columns.domains[place ?? -1] ?? ''
  const pairs = columns.scorePairs.slice(columns.scoreStart[turn], columns.scoreStart[turn + 1])
  const scores = pairs.map((cell, index) => (index % 2 === 0 ? name(cell) : String(cell)))
  return {
    primary: name(columns.primary[turn]),
    secondary: name(columns.secondary[turn]),
    enrichment: columns.enriched[turn] ?? 0,
    scores: scores.join(' '),
  }
}

function signatureOf({ primary, secondary }: TurnView): string {
  return [primary, secondary].sort().join('+')
}

function changedFields(a: TurnView, b: TurnView): readonly Field[] {
  const fields: Field[] = []
  if (a.primary !== b.primary) fields.push('primary')
  if (a.secondary !== b.secondary) fields.push('secondary')
  if (signatureOf(a) !== signatureOf(b)) fields.push('signature')
  if (a.enrichment !== b.enrichment) fields.push('enrichment')
  return fields
}

function sameState(a: BeliefState | undefined, b: BeliefState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return (
    a.signature === b.signature &&
    a.momentum === b.momentum &&
    a.primary === b.primary &&
    a.resistedRun === b.resistedRun &&
    a.unsupportedRun === b.unsupportedRun
  )
}

/**
 * Turns that two replays of the same turns decide differently. `direct`: the scores differ, or the
 * state carried in does not (so the rules do). `momentum`: only the state carried in differs; `since`
 * is then the turn that made the states part, without their having met again in between.
 */
export function diffReplays(a: Replay, b: Replay): readonly Flip[] {
  const flips: Flip[] = []
  const turns = Math.min(a.columns.turns, b.columns.turns)
  let parted = -1
  for (let turn = 0; turn < turns; turn += 1) {
    if (sameState(a.states[turn], b.states[turn])) parted = -1
    else if (parted < 0) parted = turn - 1
    const left = view(a, turn)
    const right = view(b, turn)
    const fields = changedFields(left, right)
    if (fields.length === 0) continue
    const carried = parted >= 0 && left.scores === right.scores
    const cause = carried ? 'momentum' : 'direct'
    flips.push({ turn, fields: [...fields], cause, since: carried ? parted : turn })
  }
  return flips
}
