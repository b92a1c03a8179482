import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeYours } from './host/workspace/make-yours.ts'
import { createHost } from './host/entries/host.ts'
import type { FirstThread } from './host/threads/main/first-thread.ts'
import { type Served, serveLoopback } from './host/windows/main/loopback.ts'
import { compilePatternsAtOnce } from './host/rules/compile-patterns.ts'
import type { OpenEvent } from './host/windows/deep-link.ts'
import { announceServe } from './host/windows/opener.ts'
import { ownAutomata } from './host/automata/write.ts'
import type { Receive } from './host/receiver/main/receiver.ts'
import type { Updates } from './host/updates/main/updates.ts'
import type { ReceiverStatus } from './wire/receiver.ts'
import { itemsNow } from './host/trust/main/trust.ts'
import { HOME, THREADS } from './place.ts'
import { packageVersion } from './version.ts'
import { isPersonal } from './workspace-place.ts'

export interface StartServe {
  /** Folder with `profiles/`; its `.turnscope` keeps settings and recent files. */
  readonly workspace: string
  /** Transcripts that the first window opens (I97); relative paths start at the current folder. */
  readonly files?: readonly string[]
  /** [L108] Target of a link, with its place; it is opened first. */
  readonly link?: OpenEvent
  /** 0 or left out = any free port. */
  readonly port?: number
  /** Preset that windows start with, instead of the one in the settings. */
  readonly preset?: string
  /** [V38] Everything that the workspace names now may be used, for this run. */
  readonly trust?: boolean
  /** [F147] Traces and logs are received, from the start. */
  readonly receive?: Receive
  /** [F154] Port on which the window's switch starts the receiver (default 4318; 0 = any free port). */
  readonly receiverPort?: number
  /** [F131] The first thread of `THREADS.session`, where it was started before this module was loaded. */
  readonly firstThread?: FirstThread
  /** Updates of the program that starts it, if that can update itself. */
  readonly updates?: Updates
  /** Folder of the built renderer. */
  readonly root: string
}

export interface Started extends Served {
  /** [F147] Null if nothing is received from the start. */
  readonly receiver: ReceiverStatus | null
}

/**
 * Serve mode in one call: host, worker threads and the loopback server. The caller prints `url` and
 * calls `close` at the end. Throws where the renderer is not built or the port is taken.
 */
export async function startServe(options: StartServe): Promise<Started> {
  compilePatternsAtOnce()
  if (!existsSync(join(options.root, 'index.html'))) {
    throw new Error(
      `${options.root}: the window is not built. Run \`npm run build\`, or \`npm start\``,
    )
  }
  const host = createHost({
    workspace: options.workspace,
    shipped: HOME,
    thisRun: options.trust === true ? await itemsNow(options.workspace, HOME) : [],
    stateDir: join(options.workspace, '.turnscope'),
    isOwnWorkspace: isPersonal(options.workspace),
    makeYours,
    mode: 'serve',
    sessionUrl: THREADS.session,
    labUrl: THREADS.lab,
    probeUrl: THREADS.probe,
    hookUrl: THREADS.hook,
    receiverUrl: THREADS.receiver,
    resultsUrl: THREADS.results,
    version: packageVersion(),
    automata: ownAutomata(process.env),
    ...(options.receiverPort === undefined ? {} : { receiverPort: options.receiverPort }),
    ...(options.preset === undefined ? {} : { preset: options.preset }),
    ...(options.updates === undefined ? {} : { updates: options.updates }),
    ...(options.firstThread === undefined ? {} : { firstThread: options.firstThread }),
  })
  if (options.link !== undefined) host.push(options.link)
  const [first, ...others] = (options.files ?? []).map((file) => resolve(file))
  if (first !== undefined) {
    const source = { kind: 'path', path: first } as const
    host.push({ kind: 'open', source, others, turn: null, tab: null })
  }
  try {
    const receiver = options.receive === undefined ? null : await host.receive(options.receive)
    const served = await serveLoopback(host, {
      root: options.root,
      ...(options.port === undefined ? {} : { port: options.port }),
    })
    const forget = await announceServe({ workspace: options.workspace, port: served.port })
    const close = async () => {
      await forget()
      await served.close()
      await host.close()
    }
    return { ...served, receiver, close }
  } catch (error) {
    await host.close()
    throw error
  }
}
