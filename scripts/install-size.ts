/**
 * `node scripts/install-size.ts`: the disk space used by `npm ci`, and the reasons for the largest packages. The exit
 * code is 1 if a large one has no reason, or if the total exceeds the bound (F129).
 */
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './build.ts'

/** [F129] MB (2^20 bytes, as `du -m` counts them) of all packages, on Linux x64: elsewhere native parts have other sizes. */
export const MOST_MB = 700
/** A package of more than this many MB has a reason in the table. */
const LARGE_MB = 20

interface Reason {
  /**
   * Prefixes of the package names. Native parts have the system at the end, and Node's packages have names from several
   * publishers.
   */
  readonly names: readonly string[]
  readonly why: string
}

/** [F129] Why each large package is installed by `npm ci`. A test refuses one without a row, and a row without one. */
export const REASONS: readonly Reason[] = [
  {
    names: ['node-linux-', 'node-darwin-', 'node-bin-darwin-', 'node-win-'],
    why: 'run time of a clone: Node 24, whatever the machine has; 67 MB of it are headers that come with it',
  },
  {
    names: ['@duckdb/node-bindings-'],
    why: 'run time of a clone: `batch`, `sql` and the results view; native code, which no bundle can hold',
  },
  {
    names: ['lucide-react'],
    why: 'build: icons of the window; those used are bundled, all come, each as two kinds of module with a map',
  },
  {
    names: ['gpt-tokenizer'],
    why: 'build, and the engine from its sources: the o200k table; those of other models come with it',
  },
  {
    names: ['typescript'],
    why: 'gate: what the dependency rule and the look for unused code read modules with',
  },
  {
    names: ['@typescript/typescript-'],
    why: 'gate: the native compiler of `npm run check:types` and `npm run check`, code for this system alone',
  },
  {
    names: ['@oxlint-tsgolint/'],
    why: 'gate: types and typed lint rules, native code for this system alone',
  },
  {
    names: ['@base-ui/react'],
    why: 'build: dialogs, menus and tabs; those used are bundled, all come, each as two kinds of module with types',
  },
  {
    names: ['@rolldown/binding-'],
    why: 'build: the bundler inside Vite, native code for this system alone',
  },
]

interface PackageSize {
  readonly name: string
  /** MB on the disk, without packages inside it. */
  readonly mb: number
}

const BLOCK = 512
const MB = 2 ** 20

/** Packages below a folder `node_modules`, those inside others too; a link is a folder of ours and no package. */
export function installedPackages(modules: string): readonly PackageSize[] {
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  const all = names.flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`)
      : [name],
  )
  return all.flatMap((name) => {
    const folder = join(modules, name)
    if (!lstatSync(folder).isDirectory()) return []
    const inside = join(folder, 'node_modules')
    const own = { name, mb: bytesOf(folder) / MB }
    return existsSync(inside) ? [own, ...installedPackages(inside)] : [own]
  })
}

function bytesOf(folder: string): number {
  const info = lstatSync(folder)
  // Windows does not say how much a file takes up.
  if (!info.isDirectory()) return info.blocks > 0 ? info.blocks * BLOCK : info.size
  return readdirSync(folder)
    .filter((name) => name !== 'node_modules')
    .reduce((sum, name) => sum + bytesOf(join(folder, name)), info.blocks * BLOCK)
}

interface InstallReport {
  readonly packages: number
  readonly mb: number
  /** Largest first; `why` is null if the table has no reason. */
  readonly large: ReadonlyArray<PackageSize & { readonly why: string | null }>
  /** Violations of F129, in sentences. */
  readonly problems: readonly string[]
}

/** The row of the table for a package. */
export function reasonOf(name: string, reasons: readonly Reason[] = REASONS): Reason | null {
  return reasons.find(({ names }) => names.some((each) => name.startsWith(each))) ?? null
}

/**
 * The installed packages, checked against F129.
 * @param mostMb null if no bound applies
 */
export function installReport(
  packages: readonly PackageSize[],
  mostMb: number | null,
  reasons: readonly Reason[] = REASONS,
): InstallReport {
  const mb = packages.reduce((sum, each) => sum + each.mb, 0)
  const large = packages
    .filter((each) => each.mb > LARGE_MB)
    .toSorted((a, b) => b.mb - a.mb)
    .map((each) => ({
      ...each,
      why: reasonOf(each.name, reasons)?.why ?? null,
    }))
  const problems = large
    .filter(({ why }) => why === null)
    .map(
      ({ name, mb: size }) =>
        `${name} has ${size.toFixed(0)} MB and no reason in scripts/install-size.ts: say why it is here, or move it out of npm ci (F128)`,
    )
  if (mostMb !== null && mb > mostMb)
    problems.push(
      `npm ci installs ${mb.toFixed(0)} MB, more than ${mostMb}: see node scripts/install-size.ts`,
    )
  return { packages: packages.length, mb, large, problems }
}

/** The bound belongs to Linux x64. */
export const boundHere = (): number | null =>
  process.platform === 'linux' && process.arch === 'x64' ? MOST_MB : null

if (import.meta.main) {
  const report = installReport(installedPackages(join(ROOT, 'node_modules')), boundHere())
  const rows = report.large.map(
    ({ name, mb, why }) => `| ${name} | ${mb.toFixed(0)} | ${why ?? 'no reason is known'} |`,
  )
  const rest = report.mb - report.large.reduce((sum, { mb }) => sum + mb, 0)
  const others = `| ${report.packages - report.large.length} others | ${rest.toFixed(0)} | none above ${LARGE_MB} MB |`
  const lines = ['| package | MB | why it is here |', '| --- | ---: | --- |', ...rows, others]
  process.stdout.write(
    `${report.packages} packages, ${report.mb.toFixed(0)} MB\n\n${lines.join('\n')}\n`,
  )
  for (const problem of report.problems) process.stderr.write(`${problem}\n`)
  if (report.problems.length > 0) process.exitCode = 1
}
