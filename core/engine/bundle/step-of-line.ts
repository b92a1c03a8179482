import type { StepData } from '../schema/step-data.ts'

/**
 * The step that a history line names: its number, null if it names none, or "other" for a name that belongs to no step.
 */
export type LineStep = number | 'other' | null

/** Step by the names that recorders use for it: of the step, and of the agent that a manifest names. */
export type StepNames = ReadonlyMap<string, number>

const SUFFIX = /_(?:agent|step)$/u

/** `Window Optimizer Agent`, `window-optimizer` and `window_optimizer` are one name. */
export function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/gu, '')
    .replace(SUFFIX, '')
}

/** [A13] Names of all steps, and of the agent whose manifest belongs to the step that is built. */
export function stepNames(
  steps: Iterable<StepData>,
  agent: { readonly name: string; readonly step: number } | null,
): StepNames {
  const names = new Map<string, number>()
  for (const { step_id, step_name, title } of steps)
    for (const name of [step_name, title]) names.set(plainName(name), step_id)
  if (agent !== null) names.set(plainName(agent.name), agent.step)
  return names
}

const FIELDS = ['step', 'step_id', 'agent', 'agent_name', 'step_name'] as const

/** [A13] The step of a line: a number, a number as text ("1", "step 1"), or a name. The first field that says one. */
export function stepOfLine(line: Readonly<Record<string, unknown>>, names: StepNames): LineStep {
  for (const field of FIELDS) {
    const value = line[field]
    if (typeof value === 'number') return value
    if (typeof value !== 'string' || value.trim() === '') continue
    const number = /^(?:step\s*)?(\d{1,3})$/iu.exec(value.trim())?.[1]
    return number === undefined ? (names.get(plainName(value)) ?? 'other') : Number(number)
  }
  return null
}
