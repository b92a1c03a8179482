import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { existsSync } from '../../platform/files/fenced-fs.ts'

/** [F223] The folder of the repository around a folder; the folder itself if there is no repository. */
export function repositoryRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return folder
  }
}

/** [F223] A path as reports name it: relative to the repository with slashes; as it is if it is outside. */
export function reportPath(path: string, root: string, from: string): string {
  const below = relative(root, resolve(from, path))
  const isOutside = below === '' || below === '..' || below.startsWith(`..${sep}`)
  return isOutside || isAbsolute(below) ? path : below.split(sep).join('/')
}
