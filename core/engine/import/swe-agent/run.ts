import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { isList, own, textAt } from '../shared/guards.ts'
import { runResult, type SessionWriter } from '../shared/session-writer.ts'

/** JSON in a string, as 0.x writes its state and some runs their configuration; else the value itself. */
function unpacked(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return null
  }
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
  const steps = own(run, 'trajectory')
  if (!isList(steps)) return null
  for (const step of steps.slice(0, 5)) {
    const cwd = textAt(unpacked(own(step, 'state')), 'working_dir')
    if (cwd !== null && cwd !== 'n/a') return cwd
  }
  return null
}

/** [I20] What came of the last action is no message any more: it stands in the last step only. */
export function lastObservation(
  run: unknown,
  events: readonly EventDraft[],
  origin: Origin,
): readonly EventDraft[] {
  const steps = own(run, 'trajectory')
  const text = isList(steps) ? textAt(steps.at(-1), 'observation') : null
  const last = events.at(-1)
  if (text === null || (last?.kind !== 'tool_call' && last?.kind !== 'agent')) return []
  const { name, callId } = last
  const parts = last.kind === 'tool_call' ? { name, callId } : {}
  return [draft('tool_result', text, origin, parts)]
}

/** [I20] A history may hold fewer replies than there were steps: that is said. */
export function lostSteps(run: unknown, replies: number, origin: Origin): readonly EventDraft[] {
  const steps = own(run, 'trajectory')
  if (!isList(steps) || steps.length <= replies) return []
  const text = `${steps.length} steps, ${replies} of them in the history`
  return [draft('meta', text, origin, { name: 'steps' })]
}

/** How a run ended. */
export function closingEvents(
  run: unknown,
  writer: SessionWriter,
  origin: Origin,
): readonly EventDraft[] {
  const info = own(run, 'info')
  return runResult(
    {
      exit_status: own(info, 'exit_status'),
      submission: own(info, 'submission'),
      model_stats: own(info, 'model_stats'),
    },
    writer,
    origin,
  )
}
