import { z } from 'zod'
import { contract, HostInfo, Opened, Progress } from '../../contract.ts'
import type { Contract } from '../../rpc.ts'
import { coachWorkerContract } from '../coach/wire.ts'

/** `turns`: those of the main threads, for the list of recent files. */
const WorkerOpened = Opened.omit({ key: true, name: true, path: true }).extend({
  turns: z.int().min(0),
})
export type WorkerOpened = z.infer<typeof WorkerOpened>

/**
 * What the main process asks of a worker thread. Everything about an opened session is forwarded as
 * it came; only opening differs, because the main process decides names and keys.
 */
export const workerContract = {
  'session.open': {
    kind: 'stream',
    in: z.object({ key: z.string(), path: z.string() }),
    out: z.discriminatedUnion('kind', [Progress, WorkerOpened]),
  },
  /** Compiling domain files is too slow for the main process. */
  'workspace.describe': {
    kind: 'call',
    in: z.object({}),
    out: HostInfo.pick({ presets: true, domainFiles: true, profiles: true }),
  },
  'workspace.domains': contract['host.domains'],
  'session.close': contract['session.close'],
  'session.index': contract['session.index'],
  'session.replay': contract['session.replay'],
  'session.rows': contract['session.rows'],
  'session.trace': contract['session.trace'],
  'session.oracle': contract['session.oracle'],
  'session.response': contract['session.response'],
  'session.prompt': contract['session.prompt'],
  'playground.compose': contract['playground.compose'],
  'session.raw': contract['session.raw'],
  'session.problems': contract['session.problems'],
  'session.line': contract['session.line'],
  'session.find': contract['session.find'],
  ...coachWorkerContract,
} as const satisfies Contract
export type WorkerContract = typeof workerContract

/** What a worker is started with. */
export const WorkerData = z.object({ workspace: z.string(), shipped: z.string() })
export type WorkerData = z.infer<typeof WorkerData>
