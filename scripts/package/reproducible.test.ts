import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildIfStale, ROOT } from '../build.ts'
import { pack } from './pack.ts'

// [F123] A second build of the same sources, in another folder, at another time. Rebuilding a release must give the
// published bytes.

mkdirSync(join(ROOT, 'out'), { recursive: true })
/** Beside the build's own output, so that packages can be linked instead of copied. */
const base = mkdtempSync(join(ROOT, 'out/again-'))
const again = join(base, 'in/another/folder')
/** Records of a build hold the modification times of this clone (F210). They are not packed. */
const isOfThisClone = (path: string) => path.startsWith('.parts/') || path === 'cli/inputs.json'

/** Inputs of the build: all files except results, folders of tests and packages. */
const LEFT_OUT = new Set([
  '.git',
  'dist',
  'e2e',
  'node_modules',
  'out',
  'test-results',
  '.turnscope',
])

const MODEL_PACKAGES = 'scripts/model-packages/node_modules'
const isNoPackage = (path: string) => basename(path) !== 'node_modules'

function hashes(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((each) => each.isFile())
  return new Map(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), hashOf(path)] as const)
      .filter(([path]) => !isOfThisClone(path))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Hard links: a link to the folder would be followed, and name the first folder in both builds. */
function linkPackages(): void {
  const from = join(ROOT, 'node_modules')
  const to = join(again, 'node_modules')
  const isTaken = (name: string) => !name.startsWith('.') && !HEAVY.includes(name)
  for (const name of readdirSync(from).filter(isTaken)) link(join(from, name), join(to, name))
}

function link(from: string, to: string): void {
  const info = lstatSync(from)
  if (info.isFile()) linkSync(from, to)
  else if (info.isDirectory()) {
    mkdirSync(to, { recursive: true })
    for (const name of readdirSync(from)) link(join(from, name), join(to, name))
  }
}

/** No bundle holds a part of these. */
const HEAVY = [
  'electron',
  'playwright-core',
  '@lancedb',
  'turnscope-own-node',
  'typescript',
  'oxlint',
  '@oxlint-tsgolint',
]

beforeAll(() => {
  const built = buildIfStale()
  if (!built.ok) throw new Error(built.log)
  for (const name of readdirSync(ROOT).filter((each) => !LEFT_OUT.has(each)))
    cpSync(join(ROOT, name), join(again, name), { recursive: true, filter: isNoPackage })
  linkPackages()
  // Packages installed by the first build (F128).
  link(join(ROOT, MODEL_PACKAGES), join(again, MODEL_PACKAGES))
  const args = [join(again, 'scripts/build.ts')]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: again,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8' },
  })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
}, 120_000)
afterAll(() => rmSync(base, { recursive: true, force: true }), 120_000)

it('[F123] two builds in two folders give the same bytes', () => {
  const first = hashes(join(ROOT, 'dist'))
  const second = hashes(join(again, 'dist'))
  expect(first.size).toBeGreaterThan(200)
  expect([...second]).toEqual([...first])
})

it('[F123] two packed packages are the same file', () => {
  const [first, second] = [ROOT, again].map((root, at) => {
    const into = join(base, `packed-${at}`)
    mkdirSync(into)
    return pack(root, into, true)
  })
  expect(second?.sha256).toBe(first?.sha256)
})
