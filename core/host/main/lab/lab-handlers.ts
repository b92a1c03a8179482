import { isAbsolute, resolve } from 'node:path'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Client, Handlers, Input, Output } from '../../../wire/rpc.ts'
import { type OpenSession, type OpenSessions, explain } from '../open-sessions.ts'
import {
  type CorpusHolder,
  type HeldCorpus,
  createCorpusHolder,
  explainLab,
} from './corpus-holder.ts'
import { streamOf } from '../../../wire/stream-of.ts'
import type { WorkerPool } from '../worker-pool.ts'
import type { WorkerContract } from '../../session/contract.ts'
import type { LabelHome } from '../../lab/contract.ts'

type LabName = Extract<
  keyof TurnscopeContract,
  `lab.${string}` | `draft.${string}` | `git.${string}` | `labels.${string}`
>
type LabHandlers = Pick<Handlers<TurnscopeContract>, LabName>
type CorpusCall =
  | 'lab.signals'
  | 'lab.matches'
  | 'lab.turns'
  | 'lab.matrix'
  | 'lab.cell'
  | 'lab.coverage'
  | 'lab.explain'
  | 'labels.export'
type CorpusStream = 'lab.flips' | 'lab.lint' | 'lab.ablation' | 'lab.whatIf' | 'lab.suggest'
type WorkspaceCall =
  | 'draft.load'
  | 'draft.keep'
  | 'draft.history'
  | 'draft.at'
  | 'draft.save'
  | 'draft.edit'
  | 'git.revisions'

type SessionCall = 'lab.marks' | 'labels.get' | 'labels.set' | 'labels.outcome'

interface LabOptions {
  readonly sessions: OpenSessions
  /** Threads of the lab alone; one is started at the first corpus. */
  readonly pool: WorkerPool
  readonly ask: <T>(question: (client: Client<WorkerContract>) => Promise<T>) => Promise<T>
  /** Where relative paths start. */
  readonly base: string
}

interface LabPart {
  readonly handlers: LabHandlers
  /** Lets go of the window's corpus. */
  close(): Promise<void>
}

function labelHomeOf({ path, name, fixed }: OpenSession): LabelHome {
  return { path, name, beside: fixed === null }
}

interface Context {
  readonly signal: AbortSignal
}

/** Methods of tune, flips, compare, label and lab: the main process forwards, threads answer. */
export function createLabHandlers(options: LabOptions): LabPart {
  const corpora = createCorpusHolder(options.pool)
  return {
    close: corpora.close,
    handlers: {
      ...corpusHandlers(corpora, options),
      ...workspaceHandlers(options.ask),
      ...labelHandlers(corpora, options.sessions),
    },
  }
}

function corpusHandlers(
  corpora: CorpusHolder,
  options: LabOptions,
): Pick<LabHandlers, CorpusCall | CorpusStream | 'lab.open' | 'lab.close'> {
  const call =
    <K extends CorpusCall>(name: K) =>
    async (
      input: Input<WorkerContract, K> & { corpus: string },
      { signal }: Context,
    ): Promise<Output<WorkerContract, K>> => {
      const held = corpora.get(input.corpus)
      try {
        return await held.lease.client.call(name, input, signal)
      } catch (error) {
        throw explainLab(error, held)
      }
    }

  const stream = <K extends CorpusStream>(name: K) =>
    async function* (
      input: Input<WorkerContract, K> & { corpus: string },
      { signal }: Context,
    ): AsyncGenerator<Output<WorkerContract, K>> {
      const held = corpora.get(input.corpus)
      try {
        yield* streamOf(held.lease.client, name, input, signal)
      } catch (error) {
        throw explainLab(error, held)
      }
    }

  return {
    'lab.open': (input, { signal }) => openCorpus(corpora, options, input, signal),
    'lab.close': async ({ corpus }) => {
      if (corpora.current()?.id === corpus) await corpora.close()
      return {}
    },
    'lab.flips': stream('lab.flips'),
    'lab.lint': stream('lab.lint'),
    'lab.ablation': stream('lab.ablation'),
    'lab.whatIf': stream('lab.whatIf'),
    'lab.suggest': stream('lab.suggest'),
    'lab.signals': call('lab.signals'),
    'lab.matches': call('lab.matches'),
    'lab.turns': call('lab.turns'),
    'lab.matrix': call('lab.matrix'),
    'lab.cell': call('lab.cell'),
    'lab.coverage': call('lab.coverage'),
    'lab.explain': call('lab.explain'),
    'labels.export': call('labels.export'),
  }
}

async function* openCorpus(
  corpora: CorpusHolder,
  { sessions, base }: LabOptions,
  input: Input<TurnscopeContract, 'lab.open'>,
  signal: AbortSignal,
): AsyncGenerator<Output<WorkerContract, 'lab.open'>> {
  const { samples, config } = input
  const files = input.keys.map((key) => {
    const session = sessions.get(key)
    return { key, shown: session.shownPath, home: labelHomeOf(session) }
  })
  const folders = input.folders.map((each) => (isAbsolute(each) ? each : resolve(base, each)))
  const held = await corpora.replace()
  try {
    const whole = { corpus: held.id, files, folders, samples, config }
    yield* streamOf(held.lease.client, 'lab.open', whole, signal)
  } catch (error) {
    throw explainLab(error, held)
  }
}

function workspaceHandlers(ask: LabOptions['ask']): Pick<LabHandlers, WorkspaceCall> {
  const call =
    <K extends WorkspaceCall>(name: K) =>
    (input: Input<WorkerContract, K>, { signal }: Context): Promise<Output<WorkerContract, K>> =>
      ask((client) => client.call(name, input, signal))
  return {
    'draft.load': call('draft.load'),
    'draft.keep': call('draft.keep'),
    'draft.history': call('draft.history'),
    'draft.at': call('draft.at'),
    'draft.save': call('draft.save'),
    'draft.edit': call('draft.edit'),
    'git.revisions': call('git.revisions'),
  }
}

function labelHandlers(
  corpora: CorpusHolder,
  sessions: OpenSessions,
): Pick<LabHandlers, SessionCall> {
  /** Tells the thread that holds the session; `write` also tells the corpus, which has read labels too. */
  const call =
    <K extends SessionCall>(name: K, write = false) =>
    async (
      input: Input<TurnscopeContract, K> & { key: string },
      { signal }: Context,
    ): Promise<Output<WorkerContract, K>> => {
      const session = sessions.get(input.key)
      try {
        // Both contracts differ by `home` alone; a name that varies loses the tie between them.
        const whole = { ...input, home: labelHomeOf(session) } as Input<WorkerContract, K>
        const answer = await session.lease.client.call(name, whole, signal)
        if (write) await relabel(corpora.current(), input.key)
        return answer
      } catch (error) {
        throw explain(error, session)
      }
    }
  return {
    'lab.marks': call('lab.marks'),
    'labels.get': call('labels.get'),
    'labels.set': call('labels.set', true),
    'labels.outcome': call('labels.outcome', true),
  }
}

async function relabel(held: HeldCorpus | null, key: string): Promise<void> {
  // A corpus that is going away needs no labels.
  await held?.lease.client.call('lab.relabel', { corpus: held.id, key }).catch(() => undefined)
}
