import { statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { modulesIn } from '../bin/launch.cjs'

/** What the build reads beside the modules themselves. */
const BESIDE = ['package-lock.json', 'vite.config.ts']

/** Path from the root, time of change in ms and size in bytes. */
type FileRow = readonly [path: string, time: number, size: number]
/** Path, time of change in ms and the names of its modules, with commas between them. */
type FolderRow = readonly [path: string, time: number, modules: string]

/** What bin/launch.cjs compares at every start. */
export interface BundleInputs {
  readonly files: readonly FileRow[]
  readonly folders: readonly FolderRow[]
}

/**
 * The files of ours among the modules of a build, and their folders.
 * @param root absolute path of the project
 * @param ids modules as the bundler names them; packages and what it made up are left out
 * @param startedAt ms since 1970: a file that changed since then may not be what was read, so that its row
 * holds for none
 */
export function bundleInputs(root: string, ids: Iterable<string>, startedAt: number): BundleInputs {
  const own = [...ids]
    .filter((id) => isAbsolute(id) && !id.includes('/node_modules/'))
    .map((id) => relative(root, id.replace(/\?.*$/u, '')).replaceAll('\\', '/'))
  const files = [...new Set([...own, ...BESIDE])].sort()
  const folders = [...new Set(own.map((path) => dirname(path)))].sort()
  return {
    files: files.map((path) => {
      const { mtimeMs, size } = statSync(join(root, path))
      return [path, mtimeMs < startedAt ? mtimeMs : -1, size]
    }),
    folders: folders.map((path) => {
      const folder = join(root, path)
      return [path, statSync(folder).mtimeMs, modulesIn(folder).join()]
    }),
  }
}

/** [F100] Writes `inputs.json` beside a bundle when all of it is written: without it the bundle is not used. */
export function listInputs(root: string, environment: string): Plugin {
  let startedAt = 0
  return {
    name: 'list-inputs',
    applyToEnvironment: ({ name }) => name === environment,
    buildStart() {
      startedAt = Date.now()
    },
    writeBundle({ dir }) {
      if (dir === undefined) throw new Error('list-inputs: the bundle has no folder')
      const inputs = bundleInputs(root, this.getModuleIds(), startedAt)
      writeFileSync(join(dir, 'inputs.json'), JSON.stringify(inputs))
    },
  }
}
