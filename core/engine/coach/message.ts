import { ownOf } from '../schema/own.ts'
import type { CoachContext, CoachRules, Verdict } from '../schema/coach.ts'

export const COACH_PREFIX = '[System Coach]'

/** [V9] A verdict passes unless it is a status. An output that passes reaches the user unchanged (L35). */
export function passes({ type }: Pick<Verdict, 'type'>): boolean {
  return type !== 'status'
}

/**
 * [V9] The message that the agent receives; null if the output passes. Uses the first available of: the coaching of the
 * verdict, the rules' coaching for the same output, a continuation for the active skill and plan, plain `continue`. The
 * internal reason is never included.
 */
export function buildCoachingMessage(
  verdict: Verdict,
  fallback: Verdict | null,
  context: CoachContext,
  rules: Pick<CoachRules, 'continuation'>,
): string | null {
  if (passes(verdict)) return null
  const coaching = verdict.coaching_message ?? fallback?.coaching_message ?? null
  if (coaching !== null) return `${COACH_PREFIX} ${coaching}`
  const continuation = continuationFor(context, rules)
  return continuation === null ? rules.continuation.plain : `${COACH_PREFIX} ${continuation}`
}

function continuationFor(
  { skill, plan, criteria }: CoachContext,
  { continuation }: Pick<CoachRules, 'continuation'>,
): string | null {
  if (skill === null && plan === null && criteria.length === 0) return null
  const own = skill !== null && Object.hasOwn(continuation.skill, skill)
  const template =
    skill === null
      ? continuation.plan
      : ((own ? ownOf(continuation.skill, skill) : undefined) ?? continuation.anySkill)
  const values: Readonly<Record<string, string>> = {
    skill: skill ?? '',
    plan: plan === null ? '' : `${skill === null ? '' : ' and the plan'} at ${plan}`,
    criteria:
      criteria.length === 0
        ? ''
        : ` It is done when: ${criteria.map((one) => one.trim()).join('; ')}.`,
  }
  return template
    .trim()
    .replace(/\{(skill|plan|criteria)\}/g, (_, name: string) => ownOf(values, name) ?? '')
}
