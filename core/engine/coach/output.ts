import type { CoachContext, Verdict } from '../schema/coach.ts'
import { classifyByRules } from './classify.ts'
import type { Coach } from './cues.ts'
import { buildCoachingMessage } from './message.ts'
import { readModelAnswer } from './model-answer.ts'

/** A verdict with what the agent would receive, and the rules' own verdict beside it. */
export interface Judgement {
  readonly verdict: Verdict
  readonly rules: Verdict
  /** Null when the output passes. */
  readonly message: string | null
}

/** [V10] Rejected by a gate: no model is asked (L34). */
const GATES: ReadonlySet<string> = new Set(['empty_promise', 'narration', 'empty'])

/** [V10] Whether the rules alone decide, before any model is asked. */
export function decidedByGate(rules: Verdict): boolean {
  return rules.flags.some((flag) => GATES.has(flag))
}

/**
 * [V10] Judges an output: by a gate, else by the recorded answer of a model where there is one that
 * can be read, else by the rules. A model's answer that cannot be read is said (`unparsable`).
 */
export function judgeOutput(
  coach: Coach,
  text: string,
  context: CoachContext,
  answer: { readonly raw: string; readonly source: Verdict['source'] } | null = null,
): Judgement {
  const rules = classifyByRules(coach, text)
  const verdict = choose(coach, rules, answer)
  return { verdict, rules, message: buildCoachingMessage(verdict, rules, context, coach.rules) }
}

function choose(
  coach: Coach,
  rules: Verdict,
  answer: { readonly raw: string; readonly source: Verdict['source'] } | null,
): Verdict {
  if (answer === null || decidedByGate(rules)) return rules
  const read = readModelAnswer(answer.raw, coach.rules, answer.source)
  if (read === null) return { ...rules, flags: [...rules.flags, 'unparsable'] }
  return { ...read, marks: rules.marks }
}
