import { isAbsolute, join } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/**
 * [F121] The folder of this account where Turnscope keeps what belongs to no workspace: its personal workspace, and
 * parts that were got later (F125). Null where the account has no folder for such things. It is not made here.
 */
export function personalFolder({ XDG_DATA_HOME, APPDATA, HOME }: Env): string | null {
  const home = HOME === undefined ? undefined : join(HOME, '.local', 'share')
  const found = [XDG_DATA_HOME, APPDATA, home].find(
    (each) => each !== undefined && isAbsolute(each),
  )
  return found === undefined ? null : join(found, 'turnscope')
}

/** The workspace of whoever works in none; it is made by what is first written into it. */
export function personalWorkspace(env: Env): string | null {
  const folder = personalFolder(env)
  return folder === null ? null : join(folder, 'workspace')
}

/** Model and runtime that `turnscope get model` brings, laid out as in the packaged application. */
export function partsFolder(env: Env): string | null {
  const folder = personalFolder(env)
  return folder === null ? null : join(folder, 'parts')
}
