import { hash } from 'node:crypto'
import { mkdir, realpath, rm, stat } from '../../platform/files/fenced-fs.ts'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { readText } from '../../platform/files/regular-file.ts'
import type { KeyVault } from './keys.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Folder for the operator's keys: `TURNSCOPE_KEYS`, else the system folder for program settings. */
function keyFolder(env: Environment): string {
  const own = env['TURNSCOPE_KEYS']?.trim() ?? ''
  if (isAbsolute(own)) return own
  const settings = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  const base =
    settings !== undefined && isAbsolute(settings) ? settings : join(homedir(), '.config')
  return join(base, 'turnscope', 'keys')
}

/**
 * [V40] A file that only its owner can read, used if no keychain exists. It is outside of the workspace, which is
 * copied, synchronised, committed and shared. Each workspace has one file. A key inside a workspace, or readable by
 * others, is not used.
 * @param workspace root of the workspace
 * @param stateDir its state folder, where keys were stored earlier
 */
export function createFileVault(workspace: string, stateDir: string, env: Environment): KeyVault {
  const path = join(keyFolder(env), `${hash('sha256', workspace).slice(0, 16)}.json`)
  const former = join(stateDir, 'coach', 'key.json')

  return {
    from: 'file',
    check: async () => {
      const inside = await isInside(path, workspace)
      const why = `the folder for keys, ${dirname(path)}, lies in the workspace: set TURNSCOPE_KEYS to one outside of it`
      return { where: path, why: inside ? why : null }
    },
    read: async () => ((await openTo(path)) === 'owner' ? readText(path) : null),
    problem: async () => {
      if ((await openTo(path)) === 'others') {
        return `others can read the key in ${path}, so it is not used: enter a new one, and withdraw the old one`
      }
      const lies = (await openTo(former)) !== null
      return lies
        ? `the key in ${former} lies in the workspace, so it is not used: enter it again, then delete that file`
        : null
    },
    write: async (secret) => {
      if (secret === null) {
        // Forgetting a key removes every copy of it.
        await Promise.all([path, former].map((each) => rm(each, { force: true })))
        return
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // A file that others could read keeps its mode when it is written over.
      if ((await openTo(path)) === 'others') await rm(path, { force: true })
      await writeFileAtomic(path, secret, { isPrivate: true })
    },
  }
}

/** Returns who can read a file, by its mode and owner; null if it does not exist. Windows has no such modes. */
async function openTo(path: string): Promise<'owner' | 'others' | null> {
  const info = await stat(path).catch(() => null)
  if (info === null) return null
  if (process.platform === 'win32') return 'owner'
  const isOwn = process.getuid === undefined || info.uid === process.getuid()
  return isOwn && (info.mode & 0o077) === 0 ? 'owner' : 'others'
}

/** By real names: a link from outside may lead inside. The nearest folder that exists decides. */
async function isInside(path: string, folder: string): Promise<boolean> {
  const root = await realpath(folder).catch(() => folder)
  let near = dirname(path)
  let real = await realpath(near).catch(() => null)
  while (real === null && dirname(near) !== near) {
    near = dirname(near)
    real = await realpath(near).catch(() => null)
  }
  const way = relative(root, real ?? near)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}
