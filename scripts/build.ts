/**
 * `npm run build [PART…]`: builds the parts of `dist/` whose inputs changed. `--force` builds them all.
 */
import { fork, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { LABELS, PARTS, type Part, isBundle, refreshRecord, stateOf } from './build/parts.ts'
import type { LaneMessage } from './build/lane.ts'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

const LOCK = join(ROOT, 'node_modules/.cache/build.lock')
const LANE = join(ROOT, 'scripts/build/lane.ts')
/** Time between two attempts to take the lock, in ms. */
const LOCK_MS = 100

type BuildResult =
  { readonly ok: true; readonly isNew: boolean } | { readonly ok: false; readonly log: string }

/** State of one part while a build runs. `ms` is the time since it started. */
export interface Progress {
  readonly part: Part
  readonly state: LaneMessage['state']
  readonly ms: number
}

/**
 * Parts that have to be built, in the order of the build. Reads no file whose size and time are unchanged.
 * @param root absolute path of the project
 * @param has whether an output exists
 */
export function staleParts(
  parts: readonly Part[] = PARTS,
  root = ROOT,
  has: (path: string) => boolean = existsSync,
): readonly Part[] {
  const states = parts.map((part) => ({ part, ...stateOf(root, part, has) }))
  const touched = states.filter((each) => each.isTouched)
  if (touched.length > 0 && takeLock()) {
    for (const { part } of touched) refreshRecord(root, part)
    freeLock()
  }
  return states.filter((each) => each.isStale).map((each) => each.part)
}

/** Builds the parts of `dist/` that are missing or older than their inputs. Prints nothing. */
export function buildIfStale(parts: readonly Part[] = PARTS): BuildResult {
  if (staleParts(parts).length === 0) return { ok: true, isNew: false }
  const args = [fileURLToPath(import.meta.url), ...parts]
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  if (status === 0) return { ok: true, isNew: true }
  return { ok: false, log: `${stdout}${stderr}${error?.message ?? ''}` }
}

/**
 * Builds the stale ones among the parts. Waits for another build that is under way.
 * @param onProgress called when a part starts and when it is built
 */
export async function buildParts(
  parts: readonly Part[],
  onProgress: (progress: Progress) => void,
  force = false,
): Promise<BuildResult> {
  while (!takeLock()) await sleep(LOCK_MS)
  try {
    const stale = force ? parts : staleParts(parts)
    if (stale.length === 0) return { ok: true, isNew: false }
    const logs = await Promise.all(lanesOf(stale).map((lane) => runLane(lane, onProgress)))
    const failed = logs.filter((log) => log !== null)
    return failed.length === 0 ? { ok: true, isNew: true } : { ok: false, log: failed.join('\n') }
  } finally {
    freeLock()
  }
}

/**
 * Parts that one process builds one after the other. Bundles share the bundler, which uses several processors; the others
 * run next to it, each in its own process.
 */
function lanesOf(stale: readonly Part[]): ReadonlyArray<readonly Part[]> {
  const bundles = stale.filter(isBundle)
  const others = stale.filter((part) => !isBundle(part)).map((part) => [part])
  return bundles.length > 0 ? [bundles, ...others] : others
}

/** Null if the parts were built, else the output of the process. */
function runLane(
  lane: readonly Part[],
  onProgress: (progress: Progress) => void,
): Promise<string | null> {
  const child = fork(LANE, [ROOT, ...lane], {
    cwd: ROOT,
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  const startedAt = new Map<Part, number>()
  const output: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk))
  child.on('message', ({ part, state }: LaneMessage) => {
    const now = performance.now()
    if (state === 'started') startedAt.set(part, now)
    onProgress({ part, state, ms: now - (startedAt.get(part) ?? now) })
  })
  return new Promise((settle) => {
    child.once('error', (error) => settle(error.message))
    child.once('close', (code) =>
      settle(code === 0 ? null : Buffer.concat(output).toString('utf8').trimEnd()),
    )
  })
}

/** Returns false if a living process holds the lock. */
function takeLock(): boolean {
  mkdirSync(dirname(LOCK), { recursive: true })
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (isLockHeld()) return false
    rmSync(LOCK, { force: true })
    return takeLock()
  }
}

function freeLock(): void {
  rmSync(LOCK, { force: true })
}

function isLockHeld(): boolean {
  try {
    const pid = Number(readFileSync(LOCK, 'utf8'))
    return pid === process.pid || process.kill(pid, 0)
  } catch {
    return false
  }
}

/** One line about a part that was built; null while it is under way. */
function progressLine({ part, state, ms }: Progress): string | null {
  return state === 'built' ? `built ${LABELS[part]} (${part}), ${(ms / 1000).toFixed(1)} s` : null
}

async function main(args: readonly string[]): Promise<void> {
  const isPart = (name: string): name is Part => PARTS.some((part) => part === name)
  const force = args.includes('--force')
  const names = args.filter((arg) => arg !== '--force')
  if (!names.every(isPart)) {
    process.stderr.write(`usage: npm run build -- [--force] [${PARTS.join('|')}]…\n`)
    process.exitCode = 2
    return
  }
  const parts = names.length === 0 ? PARTS : PARTS.filter((part) => names.includes(part))
  const built = await buildParts(
    parts,
    (progress) => {
      const line = progressLine(progress)
      if (line !== null) process.stdout.write(`${line}\n`)
    },
    force,
  )
  if (built.ok) {
    if (!built.isNew) process.stdout.write('dist/ is current\n')
    return
  }
  process.stderr.write(`${built.log}\nThe build failed.\n`)
  process.exitCode = 1
}

if (import.meta.main) await main(process.argv.slice(2))
