import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Output of `npm pack --json` for a package. */
const Packed = z.array(
  z.object({
    filename: z.string(),
    size: z.number(),
    files: z.array(z.object({ path: z.string(), size: z.number() })),
  }),
)

export interface Tarball {
  readonly path: string
  readonly sha256: string
  /** Bytes, packed. */
  readonly size: number
  /** Paths in the package, sorted. */
  readonly files: readonly string[]
}

/** npm is a script on Windows, and needs a shell. */
const SHELL = process.platform === 'win32'

/**
 * Packs a project as npm would publish it. Throws npm's message if that fails.
 * @param isBuilt keeps the build unchanged; otherwise `prepack` builds missing files
 */
export function pack(root: string, into: string, isBuilt = false): Tarball {
  const args = ['pack', '--json', '--pack-destination', into]
  if (isBuilt) args.push('--ignore-scripts')
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: SHELL,
  })
  if (status !== 0) throw new Error(`npm pack: ${stdout}${stderr}`)
  // Newer versions of npm name each package.
  const said: unknown = JSON.parse(stdout)
  const [packed] = Packed.parse(Array.isArray(said) ? said : Object.values(said ?? {}))
  if (packed === undefined) throw new Error('npm packed nothing')
  const path = join(into, packed.filename)
  const files = packed.files.map((each) => each.path).toSorted()
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
  return { path, sha256, size: packed.size, files }
}

/** Installs a tarball into a folder, using only its contents. Throws npm's message if that fails. */
export function installOffline(tarball: string, folder: string, env: NodeJS.ProcessEnv): void {
  const quiet = ['--offline', '--no-audit', '--no-fund', '--no-update-notifier']
  const { status, stdout, stderr } = spawnSync('npm', ['install', ...quiet, tarball], {
    cwd: folder,
    encoding: 'utf8',
    shell: SHELL,
    env,
  })
  if (status !== 0) throw new Error(`npm install: ${stdout}${stderr}`)
}
