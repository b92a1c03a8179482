import { readdir, stat } from '../platform/files/fenced-fs.ts'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { SessionHeader } from '../../engine/session-file.ts'
import type { LiveSession, LiveStatus } from '../../wire/live.ts'
import { isAlive } from '../platform/files/atomic-file.ts'
import { openRegular, textIfThere } from '../platform/files/regular-file.ts'
import { jsonAs } from '../platform/json.ts'
import { HOOK_AGENTS, HOOK_AGENT_NAMES } from './agents.ts'
import { OTLP_FOLDER, residentFile } from './places.ts'
import { keptProblems } from './problems.ts'

/** Sessions that are listed: the newest. The window asks every other second. */
const MOST = 100

/** [F171] [F172] Records and problems of hooks. A missing folder counts as empty. */
export async function liveStatus(
  folder: string,
  version: string,
): Promise<Omit<LiveStatus, 'receiver'>> {
  const names = [...HOOK_AGENT_NAMES, OTLP_FOLDER]
  const found = await Promise.all(names.map((agent) => recordsOf(folder, agent)))
  const newest = found.flat().toSorted((a, b) => b.changed - a.changed)
  const sessions = await Promise.all(newest.slice(0, MOST).map(sessionOf))
  const resident = await residentOf(folder, version)
  return {
    resident,
    here: resident === process.pid,
    sessions: sessions.filter((session) => session !== null),
    total: newest.length,
    problems: [...(await keptProblems(folder))],
    install: HOOK_AGENTS.map(({ name, label }) => ({
      agent: name,
      label,
      command: `turnscope hook install --agent ${name} --user`,
    })),
  }
}

type Record = Pick<LiveSession, 'agent' | 'path' | 'bytes' | 'changed'>

async function recordsOf(folder: string, agent: string): Promise<readonly Record[]> {
  const names = await readdir(join(folder, agent)).catch(() => [])
  const paths = names
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, agent, name))
  const infos = await Promise.all(paths.map((path) => stat(path).catch(() => null)))
  return paths.flatMap((path, at) => {
    const info = infos[at]
    // A full disk leaves an empty one behind, in which nothing was recorded yet.
    return info?.isFile() === true && info.size > 0
      ? [{ agent, path, bytes: info.size, changed: info.mtimeMs }]
      : []
  })
}

/** Bytes in which the first line of a record ends. */
const HEAD = 4096

async function sessionOf(record: Record): Promise<LiveSession | null> {
  try {
    const file = await openRegular(record.path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
      const line = buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? ''
      if (record.agent === OTLP_FOLDER) return received(record, line)
      const header = jsonAs(SessionHeader, line)
      const title = header?.title ?? basename(record.path)
      return { ...record, title, cwd: header?.cwd ?? null }
    } finally {
      await file.close()
    }
  } catch {
    // It went away, or is no file.
    return null
  }
}

/** Start of a record of traces or logs. Its resource comes first. */
const SERVICE = /"key":"service\.name","value":\{"stringValue":"((?:[^"\\]|\\.){1,80})"/u

/** [F154] A record of data that a program sent, under the program's name. */
function received(record: Record, head: string): LiveSession {
  const service = jsonAs(z.string(), `"${SERVICE.exec(head)?.[1] ?? ''}"`) ?? ''
  // The part after `~` only makes record names unique (F207).
  const [title = ''] = basename(record.path, '.jsonl').split('~', 1)
  return { ...record, agent: service === '' ? 'OpenTelemetry' : service, title, cwd: null }
}

const Place = z.object({ version: z.string(), pid: z.int().min(1) })

async function residentOf(folder: string, version: string): Promise<number | null> {
  const text = await textIfThere(residentFile(folder))
  const place = text?.ok === true ? jsonAs(Place, text.value) : null
  return place?.version === version && isAlive(place.pid) ? place.pid : null
}
