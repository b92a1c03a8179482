import type { CoachContext } from '../schema/coach.ts'

const HEADING = /^#{1,6}\s+(.*)$/
const CRITERIA =
  /^(?:success|acceptance|exit)\s+criteria|^definition\s+of\s+done|^done\s+(?:when|means)/i
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s*)?(.+)$/
const MOST_CRITERIA = 20

/** Items of the plan's section of success criteria, in order; those ticked off too. */
export function criteriaOf(plan: string): readonly string[] {
  const criteria: string[] = []
  let inside = false
  for (const line of plan.split('\n')) {
    const heading = HEADING.exec(line.trimEnd())
    if (heading !== null) {
      inside = CRITERIA.test(heading[1] ?? '')
      continue
    }
    const item = inside ? ITEM.exec(line.trimEnd()) : null
    if (item?.[1] !== undefined && criteria.length < MOST_CRITERIA) criteria.push(item[1])
  }
  return criteria
}

/**
 * [V9] Context of a judgement. `plan` is a path, or the text of a plan (which has several lines).
 * @param criteria criteria from the file that a path names, if it was read
 */
export function contextOf(
  plan: string | null | undefined,
  skill: string | null | undefined,
  criteria: readonly string[] = [],
): CoachContext {
  const given = plan?.trim() ?? ''
  const isText = given.includes('\n')
  return {
    plan: given === '' || isText ? null : given,
    skill: skill?.trim() === '' ? null : (skill?.trim() ?? null),
    criteria: isText ? criteriaOf(given) : criteria,
  }
}
