import { parseJson } from '../json/value.ts'
import type { SourceRef } from '../../schema/event.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { listAt, own, pick, textAt } from '../shared/guards.ts'
import { runResult, type SessionWriter } from '../shared/session-writer.ts'

/** JSON in a string, as 0.x writes its state and some runs their configuration; else the value itself. */
function unpacked(value: unknown): unknown {
  return typeof value === 'string' ? (parseJson(value) ?? null) : value
}

/** What a run was started with: the name of its task and the model. */
export function replayOf(run: unknown): {
  readonly id: string | null
  readonly model: string | null
} {
  const config = unpacked(own(run, 'replay_config'))
  const id = textAt(own(config, 'problem_statement'), 'id')
  return { id, model: textAt(own(own(config, 'agent'), 'model'), 'name') }
}

/** The working directory of the first step that has one. */
export function cwdOf(run: unknown): string | null {
  for (const step of listAt(run, 'trajectory').slice(0, 5)) {
    const cwd = textAt(unpacked(own(step, 'state')), 'working_dir')
    if (cwd !== null && cwd !== 'n/a') return cwd
  }
  return null
}

/** [I20] The result of the last action is not in the history, only in the last step. */
export function lastObservation(
  run: unknown,
  events: readonly EventDraft[],
  origin: Origin,
): readonly EventDraft[] {
  const text = textAt(listAt(run, 'trajectory').at(-1), 'observation')
  const last = events.at(-1)
  if (text === null || (last?.kind !== 'tool_call' && last?.kind !== 'agent')) return []
  const { name, callId } = last
  const parts = last.kind === 'tool_call' ? { name, callId } : {}
  return [draft('tool_result', text, origin, parts)]
}

/** [I20] A history may hold fewer replies than there were steps; an event reports that. */
export function lostSteps(run: unknown, replies: number, origin: Origin): readonly EventDraft[] {
  const steps = listAt(run, 'trajectory')
  if (steps.length <= replies) return []
  const text = `${steps.length} steps, ${replies} of them in the history`
  return [draft('meta', text, origin, { name: 'steps' })]
}

/** How a run ended. */
export function closingEvents(
  run: unknown,
  writer: SessionWriter,
  source: SourceRef,
): readonly EventDraft[] {
  const facts = pick(own(run, 'info'), ['exit_status', 'submission', 'model_stats'])
  return runResult(writer, source, facts)
}
