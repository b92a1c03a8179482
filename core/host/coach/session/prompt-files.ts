import { hash } from 'node:crypto'
import { join } from 'node:path'
import { compileCoach, type Coach } from '../../../engine/coach/cues.ts'
import { FRAME_RULE } from '../../../engine/coach/framed.ts'
import { renderTemplate } from '../../../engine/prompt/template.ts'
import { type Problem, type Result, err, formatProblem, ok } from '../../../engine/result.ts'
import { CoachRules } from '../../../engine/schema/coach.ts'
import type { CoachDraft } from '../../../wire/coach.ts'
import { NO_DRAFT } from '../../../wire/defaults.ts'
import { COACH_FILES } from '../../workspace/coach-files.ts'
import { parseDataFile } from '../../platform/files/parse-file.ts'
import { textIfThere } from '../../platform/files/regular-file.ts'

/** The coach's prompt and rules, ready. */
export interface CoachFiles {
  readonly system: string
  readonly user: string
  readonly rules: string
  /** [V13] The key that verdicts of a model are kept under. */
  readonly promptHash: string
  /** Equal hashes: equal verdicts by the rules. */
  readonly rulesHash: string
  readonly coach: Coach
  /** The problem of a workspace file; the shipped file then replaces it. */
  readonly problem: string | null
}

/**
 * [V11] [V13] Reads the coach's files, each from the first root that has a good one, so that a broken
 * edit is said and does not stop the work. A draft that is broken is an error.
 */
export async function readCoachFiles(
  roots: readonly string[],
  draft: CoachDraft = NO_DRAFT,
): Promise<Result<CoachFiles>> {
  const problems: Problem[] = []
  const system = await firstGood(roots, COACH_FILES.system, (text) => ok(text), problems)
  const user = await firstGood(roots, COACH_FILES.user, checkTemplate, problems)
  const compiled =
    draft.rules === null
      ? await firstGood(roots, COACH_FILES.rules, compileRules, problems)
      : compileRules(draft.rules)
  if (!compiled.ok) return compiled
  if (!user.ok) return user
  if (draft.system === null && !system.ok) return system
  const texts = {
    system: draft.system ?? (system.ok ? system.value : ''),
    user: user.value,
    ...compiled.value,
  }
  const [first] = problems
  return ok({
    ...texts,
    promptHash: hashOfPrompt(texts),
    rulesHash: hash('sha256', texts.rules),
    problem: first === undefined ? null : formatProblem(first),
  })
}

interface CompiledRules {
  readonly rules: string
  readonly coach: Coach
}

function compileRules(text: string): Result<CompiledRules> {
  const rules = parseDataFile(CoachRules, text, COACH_FILES.rules)
  if (!rules.ok) return rules
  const coach = compileCoach(rules.value)
  if (coach.ok) return ok({ rules: text, coach: coach.value })
  return err({ ...coach.error, where: `${COACH_FILES.rules}, ${coach.error.where}` })
}

/** [V11] The rules of the first root that has them, compiled. A fault names file, line and cue. */
export async function openCoach(roots: readonly string[]): Promise<Result<Coach>> {
  for (const root of roots) {
    const text = await textIfThere(join(root, COACH_FILES.rules), COACH_FILES.rules)
    if (text === null) continue
    const compiled = text.ok ? compileRules(text.value) : text
    return compiled.ok ? ok(compiled.value.coach) : compiled
  }
  return err({
    what: 'there are no rules for the coach',
    where: COACH_FILES.rules,
    do: 'Put the file into the workspace; one ships with Turnscope',
  })
}

function checkTemplate(text: string): Result<string> {
  const empty = { output: '', plan: '', skill: '', criteria: [], removed: 0 }
  const rendered = renderTemplate(text, empty, COACH_FILES.user)
  return rendered.ok ? ok(text) : rendered
}

/** [V13] Hash of everything that affects a model's answer: both texts, and how answers are cut and read. */
function hashOfPrompt({
  system,
  user,
  coach,
}: Pick<CoachFiles, 'system' | 'user' | 'coach'>): string {
  const { minConfidence, maxChars } = coach.rules
  return hash('sha256', JSON.stringify([FRAME_RULE, system, user, minConfidence, maxChars]))
}

async function firstGood<T>(
  roots: readonly string[],
  path: string,
  check: (text: string) => Result<T>,
  problems: Problem[],
): Promise<Result<T>> {
  let bad: Result<T> | null = null
  for (const root of roots) {
    const text = await textIfThere(join(root, path), path)
    if (text === null) continue
    const good = text.ok ? check(text.value) : text
    if (good.ok) return good
    problems.push(good.error)
    bad ??= good
  }
  return (
    bad ??
    err({
      what: 'this file of the coach is missing',
      where: path,
      do: 'Put it into the workspace; one ships with Turnscope',
    })
  )
}
