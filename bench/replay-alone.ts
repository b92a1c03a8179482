/**
 * Reads and replays one transcript in this process, with nothing around it: `node bench/replay-alone.ts FILE`
 * prints a line of JSON. The clock starts when the modules are there, as they are in a server that waits.
 */
import { createHash } from 'node:crypto'
import { loadConfig } from '../core/host/workspace/config-files.ts'
import { openTranscript } from '../core/host/transcripts/transcript.ts'
import { openWorkspace } from '../core/host/workspace/workspace.ts'
import { useThreadAutomata } from '../core/host/threads/automata-thread.ts'
import { ownAutomata } from '../core/host/automata/write.ts'
import { createTimeLimit } from '../core/host/platform/guard/guard.ts'
import { compilePipeline } from '../core/host/rules/pipelines.ts'
import { replaySession } from '../core/host/replay/session/replay.ts'
import { valueOf } from '../fixtures/host.ts'
import { ROOT } from './server.ts'

/** What a window asks for that was never opened before. */
export const CONFIG = { preset: 'recommended', domains: 'default', profile: null, classify: null }

export interface Alone {
  /** Milliseconds on the clock and of processor time, all threads of the process together. */
  readonly clock: number
  readonly cpu: number
  readonly turns: number
  /** Of the columns. */
  readonly hash: string
}

/** Names columns by what they say, in whatever order their fields stand. */
export function hashOf(columns: object | null): string {
  const fields = Object.entries(columns ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

async function replayAlone(path: string): Promise<Alone> {
  const workspace = openWorkspace(ROOT)
  useThreadAutomata({ shipped: ROOT, automata: ownAutomata(process.env)?.folder ?? null })
  const start = performance.now()
  const used = process.cpuUsage()
  const opened = valueOf(await openTranscript(path))
  const compiled = valueOf(compilePipeline(valueOf(await loadConfig(workspace, CONFIG))))
  const session = opened.transcript.sessions[0]
  if (session === undefined) throw new Error(`${path} holds no session`)
  const { signal } = new AbortController()
  const { columns } = await replaySession(compiled, session, { limit: createTimeLimit(), signal })
  const clock = performance.now() - start
  const { user, system } = process.cpuUsage(used)
  opened.close()
  return { clock, cpu: (user + system) / 1000, turns: columns.turns, hash: hashOf(columns) }
}

const [path] = process.argv.slice(2)
if (import.meta.main && path !== undefined)
  process.stdout.write(`${JSON.stringify(await replayAlone(path))}\n`)
