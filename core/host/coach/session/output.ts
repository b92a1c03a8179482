import type { SessionEvent } from '../../../engine/schema/event.ts'

/** [V17] [V60] A blank text between two steps of the agent is not an output. */
export function isOutput({ kind, blank, seq }: SessionEvent, wentOn: ReadonlySet<number>): boolean {
  return kind === 'agent' && !(blank && wentOn.has(seq))
}
