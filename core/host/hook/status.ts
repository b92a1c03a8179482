import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { SessionHeader } from '../../engine/session-file.ts'
import type { LiveSession, LiveStatus } from '../../wire/live.ts'
import { isAlive } from '../files/atomic-file.ts'
import { openKnown, textIfThere } from '../files/regular-file.ts'
import { jsonAs } from '../shared/json.ts'
import { HOOK_AGENTS, HOOK_AGENT_NAMES } from './agents.ts'
import { residentFile } from './places.ts'
import { keptProblems } from './problems.ts'

/** Sessions that are listed: the newest. */
const MOST = 500

/** [F171] [F172] What hooks recorded and what they met. A folder that is not there yet is an empty one. */
export async function liveStatus(folder: string, version: string): Promise<LiveStatus> {
  const found = await Promise.all(HOOK_AGENT_NAMES.map((agent) => sessionsOf(folder, agent)))
  const newest = found.flat().toSorted((a, b) => b.changed - a.changed)
  const resident = await residentOf(folder, version)
  return {
    ...{ resident, here: resident === process.pid },
    sessions: newest.slice(0, MOST),
    problems: [...(await keptProblems(folder))],
    install: HOOK_AGENTS.map(({ name, label }) => ({
      ...{ agent: name, label },
      command: `turnscope hook install --agent ${name} --user`,
    })),
  }
}

async function sessionsOf(folder: string, agent: string): Promise<readonly LiveSession[]> {
  const names = await readdir(join(folder, agent)).catch(() => [])
  const paths = names.filter((name) => name.endsWith('.jsonl'))
  const found = await Promise.all(paths.map((name) => sessionAt(join(folder, agent, name), agent)))
  return found.filter((session) => session !== null)
}

/** Bytes in which the first line of a record ends. */
const HEAD = 4096

async function sessionAt(path: string, agent: string): Promise<LiveSession | null> {
  try {
    const { file, info } = await openKnown(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
      const line = buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? ''
      const header = jsonAs(SessionHeader, line)
      const of = { agent, path, bytes: Number(info.size), changed: Number(info.mtimeMs) }
      return { ...of, title: header?.title ?? basename(path), cwd: header?.cwd ?? null }
    } finally {
      await file.close()
    }
  } catch {
    // It went away, or is no file.
    return null
  }
}

const Place = z.object({ version: z.string(), pid: z.int().min(1) })

async function residentOf(folder: string, version: string): Promise<number | null> {
  const text = await textIfThere(residentFile(folder))
  const place = text?.ok === true ? jsonAs(Place, text.value) : null
  return place !== null && place.version === version && isAlive(place.pid) ? place.pid : null
}
