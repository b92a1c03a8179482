import { ownOf } from '../../../engine/schema/own.ts'
import { dirname, isAbsolute } from 'node:path'
import { err, formatProblem, ok, type Result } from '../../../engine/result.ts'
import { criteriaOf } from '../../../engine/coach/plan.ts'
import type { CoachTask } from '../../../engine/schema/coach.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { cannotRead, readText } from '../../platform/files/regular-file.ts'
import { openRootFiles } from '../../bundle/session/root-files.ts'

/** Plans are prose. */
const MOST_BYTES = 1_000_000

/** The task of a session as the coach uses it. */
export interface TaskOfSession {
  /** Path or text of the plan, as it was given. */
  readonly plan: string | null
  readonly skill: string | null
  /** As the transcript says. */
  readonly header: Readonly<Record<'plan' | 'skill', string | null>>
  /** Criteria from the file that the path names; empty if the file is missing or unreadable. */
  readonly criteria: readonly string[]
  /** Why the plan's file was not read. */
  readonly problem: string | null
}

interface Asked {
  readonly task: CoachTask | undefined
  /** Path of the transcript; a relative path of a plan is meant from its folder. */
  readonly transcript: string
  readonly workspace: string
}

/**
 * [V61] The operator's statement takes precedence over the transcript. A path is read. A path from the operator may
 * lead anywhere. A path from the transcript must be below the transcript's folder or the workspace, because a
 * transcript is untrusted.
 */
export async function taskOf(
  session: Session,
  { task, transcript, workspace }: Asked,
): Promise<TaskOfSession> {
  const field = (name: string): string | null => {
    const value = ownOf(session.extras, name)
    return typeof value === 'string' ? value : null
  }
  const given = task?.plan ?? null
  const header = { plan: field('plan'), skill: field('skill') }
  const plan = given ?? header.plan
  const known = { plan, skill: task?.skill ?? header.skill, header }
  const path = plan?.trim() ?? ''
  if (path === '' || path.includes('\n')) return { ...known, criteria: [], problem: null }
  const isFree = given !== null && isAbsolute(path)
  const read = isFree ? await readFree(path) : readBelow([dirname(transcript), workspace], path)
  if (read.ok) return { ...known, criteria: criteriaOf(read.value), problem: null }
  return { ...known, criteria: [], problem: `the plan was not read: ${read.error}` }
}

async function readFree(path: string): Promise<Result<string, string>> {
  try {
    return ok(await readText(path, MOST_BYTES))
  } catch (error) {
    return err(formatProblem(cannotRead(error, path)))
  }
}

function readBelow(roots: readonly string[], path: string): Result<string, string> {
  const read = openRootFiles(roots).read(path, MOST_BYTES)
  if (read.kind === 'ok') return ok(read.text)
  if (read.kind === 'missing') return err(`there is no file ${path}`)
  return err(read.kind === 'too_large' ? `${path} is larger than 1 MB` : read.reason)
}
