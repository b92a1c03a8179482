import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileCoach, type Coach } from '../../../engine/coach/cues.ts'
import { type Result, err } from '../../../engine/result.ts'
import { CoachRules } from '../../../engine/schema/coach.ts'
import { parseDataFile } from '../../files/parse-file.ts'

/** Where the rules are in a workspace. */
const RULES = 'prompts/coach/rules.yaml'

/** [V11] The rules of the first root that has them, compiled. A fault names file, line and cue. */
export async function openCoach(roots: readonly string[]): Promise<Result<Coach>> {
  for (const root of roots) {
    const text = await readFile(join(root, RULES), 'utf8').catch(() => null)
    if (text === null) continue
    const rules = parseDataFile(CoachRules, text, RULES)
    if (!rules.ok) return rules
    const coach = compileCoach(rules.value)
    if (coach.ok) return coach
    return err({ ...coach.error, where: `${RULES}, ${coach.error.where}` })
  }
  return err({
    what: 'there are no rules for the coach',
    where: RULES,
    do: 'Put the file into the workspace; one ships with Turnscope',
  })
}
