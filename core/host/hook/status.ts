import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isAlive } from '../files/atomic-file.ts'
import { textIfThere } from '../files/regular-file.ts'
import { jsonAs } from '../shared/json.ts'
import { HOOK_AGENT_NAMES } from './agents.ts'
import { residentFile } from './places.ts'
import { type HookProblem, keptProblems } from './problems.ts'

/** A session that was recorded live. */
export interface LiveSession {
  readonly agent: string
  readonly path: string
  readonly bytes: number
  /** Epoch milliseconds of the last prompt. */
  readonly changed: number
}

export interface HookStatus {
  /** Process of the host that answers, or null. */
  readonly resident: number | null
  /** The newest first. */
  readonly sessions: readonly LiveSession[]
  readonly problems: readonly HookProblem[]
}

/** Sessions that are listed: the newest. */
const MOST = 500

/** [F171] [F172] What hooks recorded and what they met. A folder that is not there yet is an empty one. */
export async function hookStatus(folder: string, version: string): Promise<HookStatus> {
  const found = await Promise.all(HOOK_AGENT_NAMES.map((agent) => sessionsOf(folder, agent)))
  const sessions = found.flat().toSorted((a, b) => b.changed - a.changed)
  return {
    resident: await residentOf(folder, version),
    sessions: sessions.slice(0, MOST),
    problems: await keptProblems(folder),
  }
}

async function sessionsOf(folder: string, agent: string): Promise<readonly LiveSession[]> {
  const names = await readdir(join(folder, agent)).catch(() => [])
  const paths = names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, agent, name))
  const found = await Promise.all(
    paths.map(async (path) => {
      const info = await stat(path).catch(() => null)
      return info?.isFile() === true
        ? [{ agent, path, bytes: info.size, changed: info.mtimeMs }]
        : []
    }),
  )
  return found.flat()
}

const Place = z.object({ version: z.string(), pid: z.int().min(1) })

async function residentOf(folder: string, version: string): Promise<number | null> {
  const text = await textIfThere(residentFile(folder))
  const place = text?.ok === true ? jsonAs(Place, text.value) : null
  return place !== null && place.version === version && isAlive(place.pid) ? place.pid : null
}
