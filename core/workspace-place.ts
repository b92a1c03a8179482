import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { personalWorkspace } from './host/workspace/personal.ts'
import { HOME } from './place.ts'

/** Any of these makes a folder a workspace. */
const MARKS = ['domains', 'presets', 'formats', 'models', 'personas', 'collections.yaml']
const isWorkspace = (folder: string): boolean =>
  MARKS.some((mark) => existsSync(join(folder, 'profiles', mark)))

interface Around {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The folder that ships. */
  readonly shipped?: string
}

/**
 * [F120] The workspace of a command that names none: the current folder, or the nearest above it within the same
 * repository, that holds one; else in a clone the clone, and in an installed package the personal workspace, which
 * need not be there (what ships is read instead). Folders above a repository are not asked: another account may
 * have made them.
 */
export function workspaceHere(around: Around = {}): string {
  const { cwd = process.cwd(), env = process.env, shipped = HOME } = around
  const found = withinRepository(resolve(cwd)).find(isWorkspace)
  if (found !== undefined) return found
  return isClone(shipped) ? shipped : (personalWorkspace(env) ?? shipped)
}

/** [V32] Turnscope's own folder for this account: what is in it, the person put there. */
export function isPersonal(workspace: string, env = process.env): boolean {
  const own = personalWorkspace(env)
  return own !== null && resolve(workspace) === own
}

const isClone = (folder: string): boolean => existsSync(join(folder, 'core', 'engine'))

/** The folder, and those above it up to the one with `.git`; the folder alone where there is none. */
function withinRepository(folder: string): readonly string[] {
  const above: string[] = []
  for (let at = folder; ; at = dirname(at)) {
    above.push(at)
    if (existsSync(join(at, '.git'))) return above
    if (dirname(at) === at) return [folder]
  }
}
