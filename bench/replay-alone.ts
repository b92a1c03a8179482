/**
 * Reads and replays one transcript in this process alone: `node bench/replay-alone.ts FILE` prints a line of JSON. The
 * clock starts after the modules are loaded, as in a running server.
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

/** The configuration that a new window requests. */
export const CONFIG = { preset: 'recommended', domains: 'default', profile: null, classify: null }

export interface Alone {
  /** Milliseconds on the clock and of processor time, all threads of the process together. */
  readonly clock: number
  readonly cpu: number
  readonly turns: number
  /** Of the columns. */
  readonly hash: string
}

/** Hashes columns by content, independent of the order of their fields. */
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
