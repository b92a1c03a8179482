/**
 * `npm run check:types`: types of the whole repository with the native compiler. Build information of each project
 * is in node_modules/.cache, so a second run checks only what changed. Arguments name projects; none means all.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from './build.ts'

/** Folders of the tsconfigs. */
export const PROJECTS = [
  'core/engine',
  'core',
  'addons',
  'electron',
  'page',
  'renderer',
  '.',
] as const

const CACHE = join(ROOT, 'node_modules/.cache/types')
const COMPILER = join(ROOT, 'node_modules/typescript-native/bin/tsc')

/** Prints the problems of a project. Returns whether there are none. */
export function checkTypes(project: string): boolean {
  mkdirSync(CACHE, { recursive: true })
  const info = join(CACHE, `${project === '.' ? 'root' : project.replaceAll('/', '-')}.tsbuildinfo`)
  // One checker: each further one computes the shared types again.
  const build = ['--incremental', '--tsBuildInfoFile', info, '--checkers', '1']
  const args = [COMPILER, '-p', project, ...build]
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = process.argv.slice(2)
  const failed = (asked.length > 0 ? asked : PROJECTS).filter((project) => !checkTypes(project))
  process.exitCode = failed.length > 0 ? 1 : 0
}
