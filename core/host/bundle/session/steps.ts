import { parseStepRecord } from '../../../engine/bundle/record.ts'
import type { Result } from '../../../engine/result.ts'
import type { StepRecord } from '../../../engine/schema/bundle.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { textOf } from '../../../engine/schema/event.ts'

/** A step event of a session. */
export interface SessionStep {
  readonly seq: number
  /** Epoch milliseconds: of the record, else of the event; null = unknown. */
  readonly at: number | null
  readonly record: Result<StepRecord>
  /** "3", "3 (second run)", "Chapter 13". */
  readonly label: string
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']

/** [A17] All step events of a session, in order. */
export function stepsOf(session: Session): readonly SessionStep[] {
  const runs = new Map<number, number>()
  return session.events
    .filter(({ kind }) => kind === 'step')
    .map((event) => {
      const { seq, at } = event
      const record = parseStepRecord(textOf(event, session.texts), `event ${seq + 1}`)
      const step = record.ok ? record.value.step_id : null
      const run = step === null ? 1 : (runs.get(step) ?? 0) + 1
      if (step !== null) runs.set(step, run)
      return { seq, at: timeOf(record) ?? at, record, label: labelOf(step, run) }
    })
}

function timeOf(record: Result<StepRecord>): number | null {
  const now = record.ok ? (record.value.now ?? null) : null
  const at = typeof now === 'string' ? Date.parse(now) : now
  return at !== null && Number.isFinite(at) ? at : null
}

function labelOf(step: number | null, run: number): string {
  const name = step === null ? 'unreadable' : step === 13 ? 'Chapter 13' : String(step)
  return run === 1 ? name : `${name} (${ORDINALS[run - 1] ?? `${run}th`} run)`
}
