import type { OutputType } from '../../core/engine/schema/coach.ts'
import { OutputType as Types, VerdictSource } from '../../core/engine/schema/coach.ts'
import type { CoachColumns } from '../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'

/** The agent's output that belongs to an event, and how it stands to it. */
export interface NearestOutput {
  readonly seq: number
  readonly place: 'this' | 'before' | 'after'
}

/** The event itself when it is an output, else the last one before it, else the first after it. */
export function nearestOutput(seqs: readonly number[], selected: number): NearestOutput | null {
  const before = seqs.findLast((seq) => seq <= selected)
  if (before !== undefined) return { seq: before, place: before === selected ? 'this' : 'before' }
  const first = seqs[0]
  return first === undefined ? null : { seq: first, place: 'after' }
}

/** Counts over a session's verdicts. */
export interface Tally {
  readonly outputs: number
  readonly back: number
  readonly disagree: number
  readonly failed: number
  readonly labelled: number
  readonly types: ReadonlyArray<{ readonly type: OutputType; readonly count: number }>
}

function sum(column: readonly number[]): number {
  return column.reduce((total, value) => total + value, 0)
}

export function tallyOf(columns: Immutable<CoachColumns>): Tally {
  return {
    outputs: columns.seq.length,
    back: columns.passes.filter((passes) => passes === 0).length,
    disagree: sum(columns.disagrees),
    failed: sum(columns.failed),
    labelled: columns.label.filter((label) => label >= 0).length,
    types: Types.options.map((type, code) => ({
      type,
      count: columns.type.filter((one) => one === code).length,
    })),
  }
}

/** Next or previous output beyond an event where `is` holds; null when there is none. */
export function nextOutput(
  columns: Immutable<CoachColumns>,
  { from, by }: { readonly from: number; readonly by: 1 | -1 },
  is: (at: number) => boolean = () => true,
): number | null {
  const found = columns.seq.flatMap((seq, at) =>
    (by === 1 ? seq > from : seq < from) && is(at) ? [seq] : [],
  )
  return (by === 1 ? found[0] : found.at(-1)) ?? null
}

export function sourceOf(code: number | undefined): VerdictSource {
  return VerdictSource.options[code ?? -1] ?? 'rules'
}
