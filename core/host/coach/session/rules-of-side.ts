import { join } from 'node:path'
import type { Decider } from '../../../engine/schema/compare.ts'
import { NO_DRAFT } from '../../../wire/defaults.ts'
import { COACH_FILES } from '../../workspace/coach-files.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type CoachFiles, readCoachFiles } from './prompt-files.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'

/**
 * [T84] The coach's files under a side. Presets, domain files, profiles and drafts do not affect verdicts; only a
 * revision has different rules. Files that did not exist at the revision, or are in a different repository than the
 * domain file, keep their present content (T43).
 * @param domainFile path of the side's domain file
 */
export async function coachOfSide(
  { root, roots, git }: Workspace,
  side: Decider,
  domainFile: string,
): Promise<CoachFiles> {
  const path = join(root, COACH_FILES.rules)
  const revision = 'kind' in side && side.kind === 'revision' ? side.revision : null
  const isOwn = revision !== null && (await git.inOneRepository(path, domainFile))
  const text = isOwn ? await git.textAt(path, revision) : null
  const draft = { ...NO_DRAFT, rules: text?.ok === true ? text.value : null }
  return valueOrRefuse(await readCoachFiles(roots, draft))
}
