/**
 * [F128] Packages that `npm ci` does not install. Each set is a folder with its own lock file. npm installs it on
 * demand: all or nothing, without running package scripts. As a program: `node scripts/packages.ts tool`.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Result, err, messageOf, ok } from '../core/engine/result.ts'
import { keptModelFiles, systemName } from './model-files.ts'

const SCRIPTS = dirname(fileURLToPath(import.meta.url))

/** Purpose of each set. */
export const SETS = {
  tool: 'packages that only tests and the packager load',
  model: 'the weights of the sentence model and the runtimes that run it',
} as const
export type PackageSet = keyof typeof SETS

/** File in `node_modules` that records the installed set. */
const STAMP = '.installed.json'
const Stamp = z.object({ lock: z.string(), systems: z.array(z.string()) })

/** The folder whose `node_modules` holds a set. */
export function folderOf(set: PackageSet): string {
  return join(SCRIPTS, `${set}-packages`)
}

/**
 * Installs a set unless it is there as its lock file has it.
 * @param systems of the model's runtimes, which come for all systems, those of these systems stay (`linux-x64`); those that
 *   are there already stay as well
 * @returns whether anything was installed
 */
export function installPackages(
  set: PackageSet,
  systems: readonly string[] = [systemName()],
  folder: string = folderOf(set),
): Result<boolean> {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = readStamp(folder)
  const known = stamp?.lock === lock ? stamp.systems : []
  if (stamp?.lock === lock && systems.every((each) => known.includes(each))) return ok(false)
  const all = [...new Set([...known, ...systems])].toSorted()
  // Installs in a folder next to the target, so that the existing set stays complete until the new one is.
  const work = mkdtempSync(join(folder, '.new-'))
  try {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(folder, name), join(work, name))
    const failure = runNpm(work)
    if (failure !== null) return err(failed(set, failure))
    const made = set === 'model' ? keepModelFiles(work, all) : join(work, 'node_modules')
    mkdirSync(made, { recursive: true })
    writeFileSync(join(made, STAMP), JSON.stringify({ lock, systems: all }))
    takePlace(made, join(folder, 'node_modules'), join(work, 'old'))
    return ok(true)
  } catch (error) {
    return err(failed(set, messageOf(error)))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function readStamp(folder: string): z.infer<typeof Stamp> | null {
  const path = join(folder, 'node_modules', STAMP)
  if (!existsSync(path)) return null
  return Stamp.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null
}

/** Null if npm installed everything, else its message. */
function runNpm(folder: string): string | null {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  // The build runs with NODE_ENV=production, which would leave packages out.
  // Not by `--prefix`, which moves npm's global configuration too: a registry or certificates that it names would be lost.
  const args = ['ci', '--include=dev', ...quiet]
  const { status, error, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status === 0) return null
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '')
  return error?.message ?? lines.slice(0, 3).join('; ')
}

/** Copies the files to keep, with their folders. The others are deleted with the download folder. */
function keepModelFiles(work: string, systems: readonly string[]): string {
  const made = join(work, 'kept')
  for (const path of keptModelFiles(systems)) {
    const from = join(work, 'node_modules', path)
    if (!existsSync(from)) continue
    mkdirSync(dirname(join(made, path)), { recursive: true })
    // The same library exists under the name that the binding requires.
    const filter = (name: string) => !/libonnxruntime\.1\..+\.dylib$/u.test(name)
    cpSync(from, join(made, path), { recursive: true, filter })
  }
  return made
}

/** Two renames. If another process did the same meanwhile, its result is equivalent. */
function takePlace(made: string, place: string, old: string): void {
  for (const [from, to] of [
    [place, old],
    [made, place],
  ] as const) {
    try {
      renameSync(from, to)
    } catch (error) {
      const isDone = from === place ? !existsSync(place) : existsSync(join(place, STAMP))
      if (!isDone) throw error
    }
  }
}

function failed(set: PackageSet, what: string) {
  return {
    what: `npm could not install ${SETS[set]} (${what})`,
    where: `scripts/${set}-packages`,
    do: `Check the network and the registry, then run: node scripts/packages.ts ${set}`,
  }
}

/**
 * [F130] Path of a file of the tools, for `import`. Throws with the command to run if they are not installed; a test
 * that needs them fails with that sentence.
 * @param path below `node_modules`
 */
export function toolPath(path: string): string {
  const full = join(folderOf('tool'), 'node_modules', path)
  if (existsSync(full)) return full
  throw new Error(
    `${path} is not installed: it is one of ${SETS.tool}, which npm test installs. Run once: node scripts/packages.ts tool`,
  )
}

/**
 * [F130] Loads a package of the tools as CommonJS. The caller declares the type of the members it uses. Throws like
 * `toolPath`.
 * @param name of the package
 */
export function loadTool(name: string): unknown {
  toolPath(join(name, 'package.json'))
  return createRequire(join(folderOf('tool'), 'package.json'))(name)
}

if (import.meta.main) {
  const wanted = process.argv.slice(2)
  const isSet = (name: string): name is PackageSet => Object.hasOwn(SETS, name)
  if (wanted.length === 0 || !wanted.every(isSet)) {
    process.stderr.write(`usage: node scripts/packages.ts ${Object.keys(SETS).join('|')}\n`)
    process.exit(2)
  }
  for (const set of wanted.filter(isSet)) {
    const installed = installPackages(set)
    if (installed.ok) process.stdout.write(`${set}: ${installed.value ? 'installed' : 'current'}\n`)
    else {
      const { what, where, do: advice } = installed.error
      process.stderr.write(`${what}\n  at ${where}\n  ${advice}\n`)
      process.exitCode = 1
    }
  }
}
