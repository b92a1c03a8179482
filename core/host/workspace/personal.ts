import { isAbsolute, join } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/**
 * [F121] This account's folder for data that belongs to no workspace: the personal workspace, and parts fetched later
 * (F125). Null if the account has no such folder. It is not created here.
 */
export function personalFolder({ XDG_DATA_HOME, APPDATA, HOME }: Env): string | null {
  const home = HOME === undefined ? undefined : join(HOME, '.local', 'share')
  const found = [XDG_DATA_HOME, APPDATA, home].find(
    (each) => each !== undefined && isAbsolute(each),
  )
  return found === undefined ? null : join(found, 'turnscope')
}

/** The workspace used outside of any other workspace. It is created by the first write. */
export function personalWorkspace(env: Env): string | null {
  const folder = personalFolder(env)
  return folder === null ? null : join(folder, 'workspace')
}

/** Model and runtime that `turnscope get model` brings, laid out as in the packaged application. */
export function partsFolder(env: Env): string | null {
  const folder = personalFolder(env)
  return folder === null ? null : join(folder, 'parts')
}
