import { EVENT_CODES } from '../../core/engine/schema/replay.ts'
import { bisect, runsOf } from '../ui/sorted.ts'
import type { TimelineData } from './data.ts'
import type { Viewport } from './viewport.ts'

const HOLD = EVENT_CODES.indexOf('hold')
const RESIST = EVENT_CODES.indexOf('resist')

/** A stretch of turns in which momentum kept the signature against the text. `to` is exclusive. */
export interface HeldRun {
  readonly from: number
  readonly to: number
  readonly held: number
  readonly resisted: number
}

/** Turns in a row with the same signature. `to` is exclusive. */
export interface SignatureRun {
  readonly from: number
  readonly to: number
  /** The domain that is primary in most of the run, and the other one or -1. */
  readonly primary: number
  readonly secondary: number
  readonly held: number
  readonly resisted: number
  readonly stretches: readonly HeldRun[]
}

type Columns = Pick<TimelineData, 'turns' | 'primary' | 'secondary' | 'event'>

/** Same number for investigation+coding and coding+investigation (B11). */
function signatureKey(data: Columns, turn: number): number {
  const a = data.primary[turn] ?? -1
  const b = data.secondary[turn] ?? -1
  return Math.min(a, b) * 65_536 + Math.max(a, b)
}

function heldStretches(data: Columns, from: number, to: number): readonly HeldRun[] {
  const stretches: HeldRun[] = []
  for (let turn = from; turn < to; turn++) {
    const event = data.event[turn] ?? 0
    if (event !== HOLD && event !== RESIST) continue
    const held = event === HOLD ? 1 : 0
    const last = stretches.at(-1)
    if (last?.to === turn)
      stretches[stretches.length - 1] = {
        from: last.from,
        to: turn + 1,
        held: last.held + held,
        resisted: last.resisted + 1 - held,
      }
    else stretches.push({ from: turn, to: turn + 1, held, resisted: 1 - held })
  }
  return stretches
}

function closeRun(data: Columns, from: number, to: number): SignatureRun {
  const a = data.primary[from] ?? -1
  const b = data.secondary[from] ?? -1
  let first = 0
  for (let turn = from; turn < to; turn++) if (data.primary[turn] === a) first += 1
  const [primary, secondary] = first * 2 >= to - from ? [a, b] : [b, a]
  const stretches = heldStretches(data, from, to)
  const held = stretches.reduce((total, one) => total + one.held, 0)
  const resisted = stretches.reduce((total, one) => total + one.resisted, 0)
  return { from, to, primary, secondary, held, resisted, stretches }
}

/** Cuts a session into runs of equal signature; they cover every turn exactly once, in order. */
export function signatureRuns(data: Columns): readonly SignatureRun[] {
  return runsOf(data.turns, (turn) => signatureKey(data, turn)).map(({ from, to }) =>
    closeRun(data, from, to),
  )
}

/** Index of the run that holds a turn, by bisection; -1 outside. */
export function runIndexAt(runs: readonly SignatureRun[], turn: number): number {
  const at = bisect(runs.length, (place) => (runs[place]?.to ?? 0) <= turn)
  return turn >= (runs[at]?.from ?? Infinity) ? at : -1
}

/** Runs that touch the view. */
export function visibleRuns(
  runs: readonly SignatureRun[],
  view: Viewport,
): readonly SignatureRun[] {
  const from = runIndexAt(runs, Math.max(0, Math.floor(view.from)))
  if (from < 0) return []
  const turns = runs.at(-1)?.to ?? 0
  const to = runIndexAt(runs, Math.min(turns - 1, Math.ceil(view.to)))
  return runs.slice(from, to + 1)
}
