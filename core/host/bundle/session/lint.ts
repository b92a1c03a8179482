import {
  type DispatchFinding,
  holdsResults,
  isModelCall,
  promptDiffers,
} from '../../../engine/bundle/guard.ts'
import type { BuiltBundle } from '../../../engine/bundle/build.ts'
import { type Result, formatProblem } from '../../../engine/result.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { textOf } from '../../../engine/schema/event.ts'
import { stepsOf, type SessionStep } from './steps.ts'

/**
 * [A4] Dispatch guard: prompts of a session that the one entry point did not make. A recorded prompt
 * must be the bundle's; no text that a model was given after a step may hold its results inline.
 */
export function lintDispatch(
  session: Session,
  build: (step: SessionStep) => Result<BuiltBundle>,
): readonly DispatchFinding[] {
  const steps = stepsOf(session)
  return steps.flatMap((step, index) => {
    const next = steps[index + 1]?.seq ?? session.events.length
    const built = build(step)
    const at = { seq: step.seq, stepSeq: step.seq }
    if (!built.ok) {
      const message = formatProblem(built.error)
      return [{ ...at, rule: 'step_unreadable' as const, message, line: null }]
    }
    return [...recordedFinding(step, built.value), ...inlineFindings(session, step, next)]
  })
}

function recordedFinding(step: SessionStep, { prompt }: BuiltBundle): readonly DispatchFinding[] {
  const recorded = step.record.ok ? (step.record.value.prompt ?? null) : null
  const differs = recorded === null ? null : promptDiffers(recorded, prompt)
  if (differs === null) return []
  const message = `the prompt of step ${step.label} is not the bundle's: line ${differs.line}, ${differs.message}`
  const at = { seq: step.seq, stepSeq: step.seq }
  return [{ ...at, rule: 'prompt_differs', message, line: differs.line }]
}

function inlineFindings(
  session: Session,
  step: SessionStep,
  next: number,
): readonly DispatchFinding[] {
  const results = step.record.ok ? step.record.value.results : null
  return session.events
    .slice(step.seq + 1, next)
    .filter((event) => isModelCall(event) && holdsResults(textOf(event, session.texts), results))
    .map(({ seq, kind }) => ({
      rule: 'results_inline' as const,
      seq,
      stepSeq: step.seq,
      message: `a text (${kind}) after step ${step.label} holds its results inline`,
      line: null,
    }))
}
