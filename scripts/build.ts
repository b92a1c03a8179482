import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** Everything that the build reads. */
const SOURCES = [
  // The automata learn from texts of the repository.
  'ARCHITECTURE.md',
  'README.md',
  'docs',
  'fixtures',
  'profiles',
  'addons',
  'bin/launch.cjs',
  'core',
  'electron',
  'page',
  'renderer',
  'scripts/automata',
  'scripts/bundle-inputs.ts',
  'scripts/licences',
  'scripts/model',
  'scripts/model-files.ts',
  'scripts/model-packages/package-lock.json',
  'scripts/package',
  'scripts/packages.ts',
  'scripts/page',
  'vite.config.ts',
  'package-lock.json',
]
const OUTPUTS = [
  'dist/renderer/index.html',
  'dist/main/main.cjs',
  'dist/main/session.cjs',
  'dist/main/lab.cjs',
  'dist/cli/main.cjs',
  'dist/cli/serve.cjs',
  'dist/cli/session.cjs',
  'dist/cli/inputs.json',
  'dist/preload/preload.cjs',
  'dist/page/host/host.js',
  'dist/page/boot/boot.js',
  'dist/page/app/app.js',
  'dist/packages/main.json',
  'dist/model/minilm/onnx/model.onnx',
  'scripts/model-packages/node_modules/.installed.json',
]
const STAMP = 'dist/.sources'
const LOCK = join(ROOT, 'node_modules/.cache/build.lock')

/** Sizes and times of change of all sources as one hash: a new, changed or removed file changes it. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const path = join(ROOT, source)
    const names = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(source, name))
      : [source]
    for (const name of names.filter((each) => !each.includes('.test.')).sort()) {
      const info = statSync(join(ROOT, name))
      // Folders change their times with every temporary file of an editor.
      if (info.isFile()) hash.update(`${name}\0${info.mtimeMs}\0${info.size}\n`)
    }
  }
  return hash.digest('hex')
}

export type BuildResult =
  { readonly ok: true; readonly isNew: boolean } | { readonly ok: false; readonly log: string }

/** One build at a time, whoever asks: two test files may. The lock of a process that died is void. */
function withLock<T>(run: () => T): T {
  mkdirSync(dirname(LOCK), { recursive: true })
  while (!takeLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  try {
    return run()
  } finally {
    rmSync(LOCK, { force: true })
  }
}

function takeLock(): boolean {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (!isLockHeld()) rmSync(LOCK, { force: true })
    return false
  }
}

function isLockHeld(): boolean {
  try {
    return process.kill(Number(readFileSync(LOCK, 'utf8')), 0)
  } catch {
    return false
  }
}

/** Builds `dist/` with Vite when it is missing or older than its sources; says nothing itself. */
export function buildIfStale(): BuildResult {
  return withLock(build)
}

function build(): BuildResult {
  const stamp = join(ROOT, STAMP)
  const wanted = fingerprint()
  const isThere = OUTPUTS.every((output) => existsSync(join(ROOT, output)))
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
    return { ok: true, isNew: false }
  }
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--app', '--logLevel', 'warn']
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  if (status !== 0) return { ok: false, log: `${stdout}${stderr}${error?.message ?? ''}` }
  writeFileSync(stamp, wanted)
  return { ok: true, isNew: true }
}
