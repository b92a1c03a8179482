/**
 * Delay of a prompt by the hook of a coding agent (F170 to F174): 200 prompts, each of which starts a process, with and
 * without a running host, compared with a Node that runs nothing. The answers of both are compared.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { median, p95, type Section } from './measure.ts'
import { ROOT } from './server.ts'

const PROMPTS = 200
const START = join(ROOT, 'bin/turnscope.cjs')
const ASKS = ['fix the crash in', 'now write a test for', 'explain', 'refactor', 'ok, go on with']
const PARTS = ['the parser', 'the export', 'the login page', 'the cache']

function promptAt(at: number): string {
  return `${ASKS[at % ASKS.length] ?? ''} ${PARTS[(at * 3) % PARTS.length] ?? ''}, step ${at}`
}

interface Run {
  readonly ms: number
  readonly out: string
}

/** One process from its start to its end. */
function run(args: readonly string[], input: string, state: string): Run {
  const began = performance.now()
  const env = { ...process.env, XDG_STATE_HOME: state, NODE_COMPILE_CACHE: undefined }
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', input, env })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status ?? 'a signal'}`)
  return { ms: performance.now() - began, out: stdout }
}

async function startHost(state: string) {
  const env = { ...process.env, XDG_STATE_HOME: state }
  const host = spawn(process.execPath, [START, 'hook', 'serve'], { env, stdio: 'ignore' })
  while (!existsSync(join(state, 'turnscope/live/resident.json'))) await wait(50)
  return host
}

/** The sessions without times, which are those of the runs. */
const recordOf = (state: string) =>
  readFileSync(join(state, 'turnscope/live/claude-code/bench.jsonl'), 'utf8').replace(
    /"(?:at|startedAt)":\d+/gu,
    '',
  )

export async function benchHook(): Promise<Section> {
  const [hosted, alone] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'turnscope-bench-hook-')))
  if (hosted === undefined || alone === undefined) throw new Error('no folders')
  const host = await startHost(hosted)
  const times = { bare: [] as number[], host: [] as number[], alone: [] as number[] }
  let differ = 0
  for (let at = 0; at < PROMPTS; at += 1) {
    const input = JSON.stringify({ session_id: 'bench', cwd: ROOT, prompt: promptAt(at) })
    times.bare.push(run(['-e', '0'], '', hosted).ms)
    const byHost = run([START, 'hook'], input, hosted)
    const byItself = run([START, 'hook'], input, alone)
    times.host.push(byHost.ms)
    times.alone.push(byItself.ms)
    if (byHost.out !== byItself.out) differ += 1
  }
  host.kill()
  if (recordOf(hosted) !== recordOf(alone)) differ += 1
  for (const folder of [hosted, alone]) rmSync(folder, { recursive: true, force: true })
  const row = (name: string, of: readonly number[]) => [
    name,
    ...[median(of), p95(of), median(of) - median(times.bare), p95(of) - p95(times.bare)].map((ms) =>
      ms.toFixed(0),
    ),
  ]
  return {
    title: `A prompt and its hook, milliseconds on the clock, ${PROMPTS} prompts`,
    head: ['', 'median', 'p95', 'beyond bare node, median', 'p95'],
    rows: [
      row('bare node', times.bare),
      row('hook, a host answers', times.host),
      row('hook, no host', times.alone),
    ],
    notes: [
      differ === 0 ? 'answers and records are equal' : `${differ} answers or records differ`,
      'aim: under 30 ms at p95 beyond the start of the process, with a host',
    ],
    failed: differ > 0,
  }
}
