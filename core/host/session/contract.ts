import { z } from 'zod'
import { contract, Grown, HostInfo, Opened, Progress } from '../../wire/contract.ts'
import type { Contract } from '../../wire/rpc.ts'
import { readingContract } from './library-contract.ts'
import { coachWorkerContract } from './coach/contract.ts'
import { ProbeBlocks, probeSessionContract } from '../probe/session-contract.ts'
import { labWorkerContract } from '../lab/contract.ts'

/** Those of the main threads, for the list of recent files. */
const turns = z.int().min(0)
const WorkerOpened = Opened.omit({ key: true, name: true, path: true }).extend({ turns })
export type WorkerOpened = z.infer<typeof WorkerOpened>
const WorkerGrown = Grown.extend({ turns })
export type WorkerGrown = z.infer<typeof WorkerGrown>
const WorkerFollowing = z.object({
  kind: z.literal('following'),
  state: z.enum(['watching', 'restarted', 'gone']),
})

/**
 * What the main process asks of a worker thread. Everything about an opened session is forwarded as
 * it came; only opening differs, because the main process decides names and keys. Packed answers
 * cross the main process as text: columns of 100,000 turns would hold it up for 100 ms.
 */
export const workerContract = {
  'session.open': {
    kind: 'stream',
    in: z.object({ key: z.string(), path: z.string() }),
    out: z.discriminatedUnion('kind', [Progress, WorkerOpened, WorkerGrown]),
  },
  'session.follow': {
    kind: 'stream',
    in: z.object({ key: z.string() }),
    out: z.discriminatedUnion('kind', [WorkerGrown, WorkerFollowing]),
  },
  /** Compiling domain files is too slow for the main process. */
  'workspace.describe': {
    kind: 'call',
    in: z.object({}),
    out: HostInfo.pick({ presets: true, domainFiles: true, profiles: true }),
  },
  'workspace.domains': contract['host.domains'],
  'session.close': contract['session.close'],
  'session.index': { ...contract['session.index'], packed: true },
  'session.replay': { ...contract['session.replay'], packed: true },
  'session.rows': contract['session.rows'],
  'session.trace': contract['session.trace'],
  'session.oracle': { ...contract['session.oracle'], packed: true },
  'session.response': contract['session.response'],
  /** With what the probe found for the messages concerned. */
  'session.prompt': {
    ...contract['session.prompt'],
    in: contract['session.prompt'].in.omit({ probe: true }).extend({ blocks: ProbeBlocks }),
  },
  'playground.compose': contract['playground.compose'],
  'session.raw': contract['session.raw'],
  'session.problems': contract['session.problems'],
  'session.line': contract['session.line'],
  'bundle.session': contract['bundle.session'],
  'bundle.step': contract['bundle.step'],
  'bundle.build': contract['bundle.build'],
  'bundle.library': contract['bundle.library'],
  'session.find': { ...contract['session.find'], packed: true },
  'session.excerpts': contract['session.excerpts'],
  'session.tools': contract['session.tools'],
  'export.review': contract['export.review'],
  'export.write': contract['export.write'],
  'export.text': contract['export.text'],
  ...readingContract,
  ...coachWorkerContract,
  ...labWorkerContract,
  ...probeSessionContract,
} as const satisfies Contract
export type WorkerContract = typeof workerContract

/** What a worker is started with. */
export const WorkerData = z.object({ workspace: z.string(), shipped: z.string() })
export type WorkerData = z.infer<typeof WorkerData>
