import type { CoachContext, CoachRules, Verdict } from '../schema/coach.ts'
import type { SaidOutput } from './asked.ts'
import { classifyByRules } from './classify.ts'
import type { Coach } from './cues.ts'
import { buildCoachingMessage } from './message.ts'
import { readModelAnswer } from './model-answer.ts'

/** A verdict with the agent's message, and the rules' own verdict for comparison. */
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
 * [V10] Judges an output: by a gate, else by a model's recorded answer if it can be read, else by the rules. An
 * unreadable model answer is reported (`unparsable`).
 */
export function judgeOutput(
  coach: Coach,
  { text, asked }: SaidOutput,
  context: CoachContext,
  answer: RawAnswer | null = null,
): Judgement {
  const rules = classifyByRules(coach, text, asked)
  const verdict = settleVerdict(rules, answer, coach.rules)
  return { verdict, rules, message: buildCoachingMessage(verdict, rules, context, coach.rules) }
}

/** A model's answer as it came, and where from. */
export interface RawAnswer {
  readonly raw: string
  readonly source: Verdict['source']
}

/** [V10] The verdict in force: a gate's, else the answer's if it can be read, else the rules'. */
export function settleVerdict(
  rules: Verdict,
  answer: RawAnswer | null,
  limits: Pick<CoachRules, 'minConfidence'>,
): Verdict {
  if (answer === null || decidedByGate(rules)) return rules
  const read = readModelAnswer(answer.raw, limits, answer.source)
  if (read === null) return { ...rules, flags: [...rules.flags, 'unparsable'] }
  return { ...read, marks: rules.marks }
}
