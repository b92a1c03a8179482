import type { TrustPlace } from '../../engine/schema/trust.ts'
import type { HostInfo } from '../../wire/contract.ts'
import type { makeYours } from '../workspace/make-yours.ts'
import type { OwnAutomata } from '../platform/automata-places.ts'
import type { KeyVault } from '../coach/main/keys.ts'
import type { FirstThread } from '../threads/main/first-thread.ts'
import type { Dialogs } from '../library/main/library-handlers.ts'
import type { Updates } from '../updates/main/updates.ts'

/** The parts of a host. */
export interface HostOptions {
  /** Folder with `profiles/`; relative paths of transcripts start here. */
  readonly workspace: string
  /** Folder that ships with Turnscope (`profiles/`, `fixtures/`): samples, and files that the workspace lacks. */
  readonly shipped: string
  /** Folder of `state/` and of uploads. */
  readonly stateDir: string
  readonly mode: HostInfo['mode']
  /** `core/host/entries/session.ts`, or its bundle. */
  readonly sessionUrl: URL
  /** [F131] The first thread of `sessionUrl`, which was started before. */
  readonly firstThread?: FirstThread
  /** `core/host/entries/lab.ts`, or its bundle. */
  readonly labUrl: URL
  /** `core/host/probe/main.ts`, or its bundle. */
  readonly probeUrl: URL
  /** `core/host/hook/main.ts`, or its bundle; without it hooks are not answered from here. */
  readonly hookUrl?: URL
  /** `core/host/receiver/main.ts`, or its bundle; without it nothing is received here. */
  readonly receiverUrl?: URL
  /** [F154] Port on which the window's switch starts the receiver (default 4318; 0 = any free port). */
  readonly receiverPort?: number
  /** `core/host/results/main.ts`, or its bundle. */
  readonly resultsUrl: URL
  readonly version: string
  readonly dialogs?: Dialogs
  /** [F167] Told of each file of this machine that opened, by its absolute path. */
  readonly onOpened?: (path: string) => void
  /** Updates of the desktop application. Other installations are updated by the means that installed them. */
  readonly updates?: Updates
  /** Store of the coach's key (default: a file of the state folder, readable by its owner only). */
  readonly keyVault?: KeyVault
  /** Environment that keys of the coach and of the probe's services come from (default: that of the process). */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Preset that windows start with, instead of the one in the settings; nothing is stored. */
  readonly preset?: string
  /** [V32] The application made this workspace, in its own folder: nothing is asked about it. */
  readonly isOwnWorkspace?: boolean
  /** [F122] Left out in an exported page, which has no files to copy. */
  readonly makeYours?: typeof makeYours
  /** [V38] Permissions for this run only. */
  readonly thisRun?: TrustPlace['thisRun']
  /** Epoch milliseconds. */
  readonly clock?: () => number
  /** Target of one-line notices (default: stderr). */
  readonly say?: (line: string) => void
  /** Worker threads for sessions (default 2). */
  readonly workers?: number
  /** Storage for automata between one start and the next (default: none). */
  readonly automata?: OwnAutomata | undefined
  /** Folder in which tools keep their transcripts (default: the home folder of this account). */
  readonly home?: string
}
