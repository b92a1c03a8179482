import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { contract, type HostEvent } from '../../wire/contract.ts'
import { type Forward, Forwarded, type Port, serve } from '../../wire/rpc.ts'
import { OTLP_PORT } from '../../wire/otlp-port.ts'
import type { ReceiverStatus } from '../../wire/receiver.ts'
import type { SavedFiles } from '../../wire/shapes.ts'
import type { LabThreadContract, SessionContract } from '../../wire/threads.ts'
import { refusal, valueOrRefuse } from '../platform/threads/refusal.ts'
import { carryLabels } from '../workspace/content-labels.ts'
import { type Workspace, openWorkspace } from '../workspace/workspace.ts'
import { trustPlace } from '../platform/trust/place.ts'
import { notice } from '../platform/terminal.ts'
import { createPrefetch } from '../sessions/main/prefetch.ts'
import { createCoachHandlers } from '../coach/main/handlers.ts'
import { createExportHandlers } from '../export/main/export-handlers.ts'
import {
  type CoachService,
  type CoachServiceOptions,
  createCoachService,
} from '../coach/main/service.ts'
import type { MainHandlers } from '../threads/main/handlers.ts'
import type { Receive } from '../receiver/main/receiver.ts'
import { createFormatHandlers } from '../mappings/main/format-handlers.ts'
import type { Places } from '../sessions/main/held.ts'
import type { HostOptions } from './host-options.ts'
import { createHostEvents } from '../windows/main/host-events.ts'
import { createLabPart } from '../corpus/main/lab-handlers.ts'
import { createLibraryHandlers } from '../library/main/library-handlers.ts'
import { createIndexStore } from '../library/main/index-file.ts'
import { createLivePart } from '../live/main/live.ts'
import { createLibrary } from '../library/main/library.ts'
import { createOpenSessions } from '../sessions/main/open-sessions.ts'
import { createProbePart } from '../probe/main/probe-handlers.ts'
import { createPictureHandlers } from '../pictures/main/picture-handlers.ts'
import { createQueueHandlers } from '../queue/main/queue-handlers.ts'
import { type StateStore, openStateStore, startWith } from '../settings/main/state-store.ts'
import {
  createFront,
  createProbeThread,
  createResultsThread,
  forwardTo,
  type Front,
} from '../threads/main/threads.ts'
import { createSessionHandlers } from './main-session-handlers.ts'
import { withHelpers } from '../corpus/main/scan-helpers.ts'
import { createResultsAt } from '../results/main/results-at.ts'
import { createRestrictedThreads, type StartThread } from '../threads/main/restricted-thread.ts'
import { createRightsDesk, type RightsDesk } from '../threads/main/rights.ts'
import { createTrustPart } from '../trust/main/trust.ts'
import { createScratchHandlers } from '../scratch/main/handlers.ts'
import { createPads } from '../sessions/main/pads.ts'
import { createUpdateHandlers } from '../updates/main/updates.ts'
import { createUploads } from '../uploads/main/uploads.ts'
import { prepareFirstWindow } from './first-window.ts'
import { SESSION_LIMITS } from '../threads/main/session-limits.ts'
import { createWorkerPool } from '../threads/main/worker-pool.ts'

export type { Dialogs } from '../library/main/library-handlers.ts'
export type { HostOptions } from './host-options.ts'

/** The workbench behind one or more windows. Knows neither Electron nor HTTP. */
export interface Host {
  /** Serves one window. When its port closes, all that it opened is closed. */
  mount(port: Port): void
  push(event: HostEvent): void
  /** Set by a server of browser windows: returns the URL for a further browser. */
  offerLinks(newUrl: () => string): void
  /** [F147] Receives traces and logs from now on, regardless of the settings. Rejects if it cannot listen. */
  receive(how: Receive): Promise<ReceiverStatus>
  close(): Promise<void>
}

/** Keys, calls and labels of the coach; texts and patterns are the threads'. */
function coachOf(
  { stateDir, keyVault: vault, env }: HostOptions,
  {
    workspace,
    state,
    ...around
  }: Pick<CoachServiceOptions, 'say' | 'clock'> & {
    readonly workspace: Workspace
    readonly state: StateStore
  },
): CoachService {
  const settings = async () => (await state.settings()).coach
  const { root, trust } = workspace
  return createCoachService({ ...around, workspace: root, trust, stateDir, vault, env, settings })
}

/** [F131] Starts session threads. The first one may already run. */
function startFirst(
  { firstThread }: HostOptions,
  desk: RightsDesk,
  start: StartThread,
): StartThread {
  return firstThread?.join(desk).start(start) ?? start
}

/** Creates the parts of a host that all its windows share. */
function openParts(options: HostOptions) {
  const { shipped, stateDir, version, env = process.env } = options
  const { workers: threads = 2, say = notice, clock = () => Date.now() } = options
  const trust = trustPlace({ ...options, env, isOwn: options.isOwnWorkspace ?? false })
  const workspace = openWorkspace(options.workspace, shipped, trust)
  const stored = openStateStore(stateDir, say)
  const chosen = options.preset === undefined ? stored : startWith(stored, options.preset)
  const events = createHostEvents()
  const { state, handlers: trustHandlers } = createTrustPart({
    workspace,
    state: chosen,
    clock,
    push: events.push,
  })
  const { automata } = options
  const data = { workspace: workspace.root, shipped, trust, automata: automata?.folder ?? null }
  const limits = SESSION_LIMITS
  const desk = createRightsDesk(workspace, automata?.keep)
  const restricted = createRestrictedThreads(desk, say)
  const { start } = restricted
  const pool = createWorkerPool<SessionContract>({
    url: options.sessionUrl,
    data,
    limits,
    size: threads,
    start: startFirst(options, desk, start),
  })
  const labPool = createWorkerPool<LabThreadContract>({
    url: options.labUrl,
    data,
    limits,
    start: withHelpers(start),
    size: 1,
  })
  const indexes = createIndexStore(stateDir, say)
  const probeThread = createProbeThread({ url: options.probeUrl, env, data: { ...data, stateDir } })
  const resultsThread = createResultsThread({ url: options.resultsUrl, data })
  const places: Places = {
    pool,
    shipped,
    base: workspace.root,
    uploads: createUploads(stateDir, {
      clock,
      carryLabels: (from, to) => carryLabels(workspace, from, to),
    }),
    pads: createPads(stateDir),
    results: { thread: resultsThread, folder: join(stateDir, 'results') },
    onClosed: probeThread.forget,
    onLocated: desk.opened,
  }
  return {
    workspace,
    state,
    clock,
    pool,
    threads,
    labPool,
    events,
    trustHandlers,
    restricted,
    probeThread,
    resultsThread,
    places,
    ...createFront(pool),
    links: createLinks(),
    prefetch: createPrefetch(places),
    library: createLibrary({ pool, threads, workspace, state, indexes, version, clock, say }),
    coach: coachOf(options, { workspace, state, say, clock }),
    updates: createUpdateHandlers(options.updates ?? null, version),
    live: createLivePart({
      url: options.hookUrl ?? null,
      receiverUrl: options.receiverUrl ?? null,
      receiverPort: options.receiverPort ?? OTLP_PORT,
      shipped,
      version,
      env,
      state,
      say,
    }),
  }
}

/** Serves one window. Returns what closes all that it opened. */
function serveWindow(
  options: HostOptions,
  parts: ReturnType<typeof openParts>,
  port: Port,
): () => Promise<void> {
  const { shipped, dialogs, home = homedir() } = options
  const { state, clock, labPool, events, front, probeThread, library, coach } = parts
  const { base, uploads, pads } = parts.places
  const sessions = createOpenSessions(parts.places, parts.prefetch)
  const onLabels = () => events.tell({ kind: 'saved', what: 'labels' })
  const lab = createLabPart({ sessions, pool: labPool, base, onLabels })
  const probe = createProbePart({ sessions, lab, thread: probeThread, state })
  const handlers: MainHandlers = {
    'host.info': describeHost(options, base, front),
    'host.events': (_, { signal }) => events.stream(signal),
    'host.link': () => ({ url: parts.links.next() }),
    'host.yours': makingYours(options, base),
    ...createLibraryHandlers({
      state,
      uploads,
      library,
      shipped,
      dialogs,
      home,
      workspace: base,
    }),
    ...createPictureHandlers(parts),
    ...createExportHandlers(sessions, base),
    ...createSessionHandlers(sessions, {
      state,
      clock,
      onOpened: options.onOpened,
      blocksOf: probe.blocks,
      personasOf: probe.personas,
      comparedPersonasOf: probe.comparedPersonas,
      probeCausesOf: probe.causes,
    }),
    ...createCoachHandlers({ sessions, coach, front, shipped }),
    ...lab.handlers,
    ...probe.handlers,
    ...createQueueHandlers({ lab, thread: probeThread, state }),
    ...createScratchHandlers({ sessions, pads, probe: probe.draft }),
    ...createFormatHandlers({ sessions, front }),
    ...parts.trustHandlers,
    ...parts.live.handlers,
    ...parts.updates,
    'results.at': createResultsAt(sessions, { state, clock }),
  }
  const forward = forwardTo({
    workspace: front,
    session: (key) => sessions.get(key).link,
    lab: lab.link,
    probe: probeThread.link,
    results: parts.resultsThread.link,
    settings: async () => (await state.settings()).probe,
  })
  serve(contract, handlers, port, tellingSaves(forward, events.tell))
  return async () => {
    await lab.close()
    await sessions.closeAll()
  }
}

function makingYours(
  { makeYours, shipped }: HostOptions,
  workspace: string,
): MainHandlers['host.yours'] {
  return async () => {
    if (makeYours === undefined) throw refusal(NO_FILES)
    return valueOrRefuse(await makeYours(shipped, workspace))
  }
}

/** [U18] URLs for other browsers, if a server provides them. */
function createLinks() {
  let newUrl: (() => string) | null = null
  return {
    offer: (next: () => string) => {
      newUrl = next
    },
    next: (): string => {
      if (newUrl !== null) return newUrl()
      const what = 'the desktop application has no address for a browser'
      throw refusal({ what, where: 'this window', do: 'Start `turnscope serve`' })
    },
  }
}

/** Calls that write what other windows may show. */
const SAVES: ReadonlyMap<string, SavedFiles> = new Map([
  ['draft.save', 'domains'],
  ['coach.save', 'coach'],
  // Kept and discarded ones alike.
  ['draft.keep', 'drafts'],
  ['tour.save', 'tours'],
])

/** [F22] Notifies all windows when a save is answered. */
function tellingSaves(forward: Forward, tell: (event: HostEvent) => void): Forward {
  return async (call) => {
    const forwarded = await forward(call)
    const what = SAVES.get(call.name)
    if (what === undefined) return forwarded
    return new Forwarded(async (post, signal) => {
      await forwarded.relay(post, signal)
      tell({ kind: 'saved', what })
    })
  }
}

/** Puts the host together: workspace, state, threads, handlers. */
export function createHost(options: HostOptions): Host {
  const parts = openParts(options)
  const leaving = new Set<() => Promise<void>>()
  // [U201] By then the file named at the start is known, and it is read before any compilation.
  setImmediate(() => void prepareFirstWindow(parts))
  return {
    mount: (port) => {
      const closeAll = serveWindow(options, parts, port)
      const leave = async () => {
        leaving.delete(leave)
        await closeAll()
      }
      leaving.add(leave)
      port.onClose(() => void leave())
    },
    push: (event) => {
      // [U201] Reads ahead only if no window is open: an open window requests the file immediately.
      if (event.kind === 'open' && leaving.size === 0) parts.prefetch.begin(event)
      parts.events.push(event)
    },
    offerLinks: parts.links.offer,
    receive: parts.live.receive,
    close: async () => {
      await Promise.all([...leaving].map((leave) => leave()))
      await parts.prefetch.close()
      await parts.places.uploads.close()
      await parts.live.close()
      await parts.state.settled()
      await parts.coach.settled()
      await parts.probeThread.close()
      await parts.resultsThread.close()
      await parts.labPool.close()
      await parts.pool.close()
      parts.restricted.close()
      options.firstThread?.close()
    },
  }
}

const NO_FILES = {
  what: 'a page has no workspace to copy files into',
  where: 'this page',
  do: 'Start `turnscope serve`',
}

function describeHost(
  { version, mode, dialogs }: HostOptions,
  workspace: string,
  front: Front,
): MainHandlers['host.info'] {
  return async (_, { signal }) => ({
    version,
    mode,
    nativeDialog: dialogs !== undefined,
    workspace: basename(workspace),
    ...(await front().call('workspace.describe', {}, signal)),
  })
}
