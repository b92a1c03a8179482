import { jsonText } from '../../engine/json-text.ts'
import { type Problem, parseJson } from '../../engine/result.ts'
import { HookProblem } from '../../wire/live.ts'
import { appendLine, writeFileAtomic } from '../platform/files/atomic-file.ts'
import { withLock } from '../platform/files/file-lock.ts'
import { makePrivate } from '../platform/files/private-folder.ts'
import { textIfThere } from '../platform/files/regular-file.ts'
import type { HookCall } from './answer.ts'
import { problemsFile } from './places.ts'

/** Bytes of the file of problems; when it is longer, the older half goes. */
const MOST_BYTES = 256 * 1024

/** Stores the problems of a prompt for the window and for `hook status`. Never fails, so the prompt continues. */
export async function keepProblems(
  folder: string | null,
  { at, agent }: Pick<HookCall, 'at' | 'agent'>,
  problems: readonly Problem[],
): Promise<void> {
  if (folder === null || problems.length === 0) return
  const path = problemsFile(folder)
  const lines = problems.map((problem) => jsonText({ at, agent, ...problem })).join('\n')
  try {
    await makePrivate(folder)
    await withLock(path, async () => {
      await shorten(path)
      await appendLine(path, lines)
    })
  } catch {
    // There is no other place to say it: stderr has it too.
  }
}

async function shorten(path: string): Promise<void> {
  const text = await textIfThere(path)
  if (text?.ok !== true || text.value.length <= MOST_BYTES) return
  const half = text.value.slice(-MOST_BYTES / 2)
  await writeFileAtomic(path, half.slice(half.indexOf('\n') + 1), { isPrivate: true })
}

/** Problems that are kept, the newest last; lines that cannot be read are left out. */
export async function keptProblems(folder: string): Promise<readonly HookProblem[]> {
  const text = await textIfThere(problemsFile(folder))
  if (text?.ok !== true) return []
  return text.value.split('\n').flatMap((line) => {
    const value = parseJson(line)
    const problem = value.ok ? HookProblem.safeParse(value.value) : null
    return problem?.success === true ? [problem.data] : []
  })
}
