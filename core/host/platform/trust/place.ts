import { realpathSync } from '../files/fenced-fs.ts'
import { isAbsolute, join, resolve } from 'node:path'
import type { TrustPlace } from '../../../engine/schema/trust.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Pairs for one run: `NAME@https://host[:port]`, several with commas between. */
export const ALLOW_ENV = 'TURNSCOPE_ALLOW_ENV'

interface Given {
  readonly workspace: string
  /** The folder that ships: the program's own. */
  readonly shipped: string
  readonly env: Env
  /** [V32] The application made this workspace, in its own folder. */
  readonly isOwn?: boolean
  readonly thisRun?: TrustPlace['thisRun']
}

/** All that decides about a workspace, as plain data that threads are started with. */
export function trustPlace({ workspace, shipped, env, isOwn, thisRun = [] }: Given): TrustPlace {
  const path = realOf(workspace)
  const own = [realOf(shipped), ...(isOwn === true ? [path] : [])]
  return { workspace: path, own, file: trustFileOf(env), pairs: pairsOf(env), thisRun }
}

/** [V33] In the operator's settings folder, because the author of a workspace can write any file in it. */
export function trustFileOf({ XDG_CONFIG_HOME, APPDATA, HOME }: Env): string | null {
  const own = HOME === undefined ? undefined : join(HOME, '.config')
  const folders = [XDG_CONFIG_HOME, APPDATA, own]
  const folder = folders.find((each) => each !== undefined && isAbsolute(each)) ?? null
  return folder === null ? null : join(folder, 'turnscope', 'trust.json')
}

function pairsOf(env: Env): TrustPlace['pairs'] {
  const named = (env[ALLOW_ENV] ?? '').split(',').map((pair) => pair.trim())
  return named.flatMap((pair) => {
    const [name = '', ...address] = pair.split('@')
    return name === '' || address.length === 0 ? [] : [{ name, address: address.join('@') }]
  })
}

/** The path with links resolved; a missing path is returned as written. */
export function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
