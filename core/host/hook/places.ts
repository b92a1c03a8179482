import { isAbsolute, join } from 'node:path'
import type { Env } from '../platform/trust/place.ts'

/**
 * [F172] The folder of what was recorded live, of this account: `AGENT/SESSION.jsonl`, what went wrong, and
 * where a host listens. Null where the account has no folder for such things. It is never one of a workspace,
 * which may be somebody else's.
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

/** Where it is said which socket a host listens at. */
export const residentFile = (folder: string): string => join(folder, 'resident.json')

/** What went wrong while prompts were answered, as JSON lines. */
export const problemsFile = (folder: string): string => join(folder, 'problems.jsonl')
