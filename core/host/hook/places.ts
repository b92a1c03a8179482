import { isAbsolute, join } from 'node:path'
import type { Env } from '../platform/trust/place.ts'

/**
 * [F172] This account's folder of live records: `AGENT/SESSION.jsonl`, problems, and the address of a host. Null if the
 * account has no state folder. It is never a folder of a workspace, which another user may own.
 */
export function liveFolder({ XDG_STATE_HOME, LOCALAPPDATA, HOME }: Env): string | null {
  const home = HOME === undefined ? undefined : join(HOME, '.local', 'state')
  const found = [XDG_STATE_HOME, LOCALAPPDATA, home].find(
    (folder) => folder !== undefined && isAbsolute(folder),
  )
  return found === undefined ? null : join(found, 'turnscope', 'live')
}

/** [F152] Name of the folder of what programs sent, beside those of agents. */
export const OTLP_FOLDER = 'otlp'

/** The file that names the socket of a host. */
export const residentFile = (folder: string): string => join(folder, 'resident.json')

/** File of problems that occurred while prompts were answered, as JSON lines. */
export const problemsFile = (folder: string): string => join(folder, 'problems.jsonl')
