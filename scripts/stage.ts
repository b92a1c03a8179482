import { spawn } from 'node:child_process'
import { ROOT } from './build.ts'
import { createMeter } from './processor-time.ts'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 }

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  }
}

interface Ran {
  readonly ok: boolean
  readonly output: string
  /** Processor seconds; null if the system does not report them. */
  readonly processor: number | null
}

/** [F105] Asked at the end of each command. */
const meter = createMeter()

export interface StageResult extends Ran {
  readonly counts: Counts
}

/** One part of the gate. */
export interface Stage {
  readonly name: string
  readonly run: () => Promise<StageResult>
}

/** A stage that is not a test runner counts as one. */
export function countStage(ran: Ran): StageResult {
  return { ...ran, counts: { ...NOTHING, [ran.ok ? 'passed' : 'failed']: 1 } }
}

/** Runs a command of this repository to its end; its output in one piece, never an interactive one. */
export function runCommand(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const child = spawn(name, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
    })
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    let processor: number | null = null
    const settle = (ok: boolean) =>
      resolve({ ok, output: Buffer.concat(chunks).toString('utf8'), processor })
    child.once('exit', () => {
      processor = meter()
    })
    child.once('error', (error) => {
      chunks.push(Buffer.from(error.message))
      settle(false)
    })
    child.once('close', (code) => settle(code === 0))
  })
}
