import { homedir } from 'node:os'
import { basename } from 'node:path'
import {
  contract,
  type HostEvent,
  type HostInfo,
  type TurnscopeContract,
} from '../../wire/contract.ts'
import { IMPORTERS } from '../../engine/import/table.ts'
import { type Handlers, type Port, serve } from '../../wire/rpc.ts'
import { createExportHandlers } from './export-handlers.ts'
import { createCoachHandlers } from './coach/handlers.ts'
import type { KeyVault } from './coach/keys.ts'
import { type CoachService, type CoachServiceOptions, createCoachService } from './coach/service.ts'
import { createHostEvents } from './host-events.ts'
import { type Dialogs, createLibraryHandlers } from './library-handlers.ts'
import { createFolderHandlers } from './library/folder-handlers.ts'
import { createLabHandlers } from './lab/lab-handlers.ts'
import { createIndexStore } from './library/index-file.ts'
import { createLibrary } from './library/library.ts'
import { createOpenSessions } from './open-sessions.ts'
import { createProbeHandlers } from './probe/handlers.ts'
import { type ProbeThread, createProbeThread } from './probe/thread.ts'
import { createSessionHandlers } from './session-handlers.ts'
import { type StateStore, openStateStore, startWith } from './state-store.ts'
import { createUploads } from './uploads.ts'
import { type Lease, type WorkerPool, createWorkerPool } from './worker-pool.ts'
import { openWorkspace } from '../files/workspace.ts'

export type { Dialogs } from './library-handlers.ts'

export interface HostOptions {
  /** Folder with `profiles/`; relative paths of transcripts start here. */
  readonly workspace: string
  /** Folder that ships with Turnscope (`profiles/`, `fixtures/`): samples, and what the workspace lacks. */
  readonly shipped: string
  /** Where `state.json` and uploads are kept. */
  readonly stateDir: string
  readonly mode: HostInfo['mode']
  /** `core/host/session/main.ts`, or its bundle. */
  readonly workerUrl: URL
  /** `core/host/probe/main.ts`, or its bundle. */
  readonly probeUrl: URL
  readonly version: string
  readonly dialogs?: Dialogs
  /** Where the coach's key is kept (default: a file of the state folder, for its owner only). */
  readonly keyVault?: KeyVault
  /** Environment that keys of the coach and of the probe's services come from (default: that of the process). */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Preset that windows start with, instead of the one in the settings; nothing is stored. */
  readonly preset?: string
  /** Epoch milliseconds. */
  readonly clock?: () => number
  /** Where one-line notices go (default: stderr). */
  readonly say?: (line: string) => void
  /** Worker threads for sessions (default 2). */
  readonly workers?: number
  /** Where tools keep their transcripts (default: the home folder of this account). */
  readonly home?: string
}

/** The workbench behind one or more windows. Knows neither Electron nor HTTP. */
export interface Host {
  /** Serves one window; when its port closes, what it opened is closed. */
  mount(port: Port): void
  push(event: HostEvent): void
  close(): Promise<void>
}

interface Stateful {
  readonly state: StateStore
}

type Ask = <T>(question: (client: Lease['client']) => Promise<T>) => Promise<T>

/**
 * Asks a thread about the workspace. It is started at once, and made to compile what a window asks
 * for first, so that it is warm when one comes; it weighs nothing. A failure shows where it matters:
 * on the window's own call.
 */
function createFront(pool: WorkerPool): Ask {
  let front = pool.lease(0)
  front.client.call('workspace.describe', {}).catch(() => undefined)
  return (question) => {
    if (front.lost() !== null) front = pool.lease(0)
    return question(front.client)
  }
}

/** Keys, calls and labels of the coach; texts and patterns are the workers'. */
function coachOf(
  { stateDir, keyVault: vault, env }: HostOptions,
  { state, ...around }: Pick<CoachServiceOptions, 'workspace' | 'say' | 'clock'> & Stateful,
): CoachService {
  const settings = async () => (await state.settings()).coach
  return createCoachService({ ...around, stateDir, vault, env, settings })
}

/** Started with the first question to it. */
function probeThreadOf(
  { probeUrl: url, shipped, stateDir, env = process.env }: HostOptions,
  workspace: string,
): ProbeThread {
  return createProbeThread({ url, env, data: { workspace, shipped, stateDir } })
}

function toStderr(line: string): void {
  process.stderr.write(`turnscope: ${line}\n`)
}

/** Puts the host together: workspace, state, worker threads, handlers. */
export function createHost(options: HostOptions): Host {
  const { shipped, stateDir, dialogs, clock = () => Date.now(), home = homedir() } = options
  const { version, workers: threads = 2, say = toStderr } = options
  const workspace = openWorkspace(options.workspace, shipped)
  const stored = openStateStore(stateDir, say)
  const state = options.preset === undefined ? stored : startWith(stored, options.preset)
  const events = createHostEvents()
  const data = { workspace: workspace.root, shipped }
  const pool = createWorkerPool({ url: options.workerUrl, data, size: threads })
  const labPool = createWorkerPool({ url: options.workerUrl, data, size: 1 })
  const indexes = createIndexStore(stateDir)
  const library = createLibrary({ pool, threads, workspace, state, indexes, version, clock, say })
  const ask = createFront(pool)
  const probeThread = probeThreadOf(options, workspace.root)
  const coach = coachOf(options, { workspace: workspace.root, state, say, clock })
  const leaving = new Set<() => Promise<void>>()

  return {
    mount: (port) => {
      const uploads = createUploads(stateDir)
      const sessions = createOpenSessions({
        ...{ pool, uploads, shipped },
        base: workspace.root,
        onClosed: probeThread.forget,
      })
      const probe = createProbeHandlers({ sessions, thread: probeThread, state })
      const lab = createLabHandlers({ sessions, pool: labPool, ask, base: workspace.root })
      const handlers: Handlers<TurnscopeContract> = {
        'host.info': describeHost(options, workspace.root, ask),
        'host.events': (_, { signal }) => events.stream(signal),
        ...createWorkspaceHandlers(ask),
        ...createLibraryHandlers({ state, uploads, shipped, dialogs }),
        ...createFolderHandlers(library, { home, workspace: workspace.root }),
        ...createExportHandlers({ sessions, base: workspace.root, ask }),
        ...createSessionHandlers(sessions, { state, clock, blocksOf: probe.blocks }),
        ...createCoachHandlers({ sessions, coach, ask, workspace: workspace.root, shipped }),
        ...lab.handlers,
        ...probe.handlers,
      }
      const leave = async () => {
        leaving.delete(leave)
        await lab.close()
        await sessions.closeAll()
        await uploads.close()
      }
      leaving.add(leave)
      port.onClose(() => void leave())
      serve(contract, handlers, port)
    },
    push: events.push,
    close: async () => {
      await Promise.all([...leaving].map((leave) => leave()))
      await state.settled()
      await coach.settled()
      await probeThread.close()
      await labPool.close()
      await pool.close()
    },
  }
}

function describeHost(
  { version, mode, dialogs }: HostOptions,
  workspace: string,
  ask: Ask,
): Handlers<TurnscopeContract>['host.info'] {
  return async (_, { signal }) => ({
    ...{ version, mode },
    nativeDialog: dialogs !== undefined,
    workspace: basename(workspace),
    formats: IMPORTERS.map(({ name, label }) => ({ name, label })),
    ...(await ask((client) => client.call('workspace.describe', {}, signal))),
  })
}

/** What the thread that knows the workspace answers, for any window. */
function createWorkspaceHandlers(ask: Ask) {
  return {
    'host.domains': (names, { signal }) =>
      ask((client) => client.call('workspace.domains', names, signal)),
    'playground.compose': (draft, { signal }) =>
      ask((client) => client.call('playground.compose', draft, signal)),
    'bundle.build': (draft, { signal }) =>
      ask((client) => client.call('bundle.build', draft, signal)),
    'bundle.library': (_, { signal }) => ask((client) => client.call('bundle.library', {}, signal)),
  } satisfies Partial<Handlers<TurnscopeContract>>
}
