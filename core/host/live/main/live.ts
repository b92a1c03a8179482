import { messageOf } from '../../../engine/result.ts'
import type { LiveStatus } from '../../../wire/live.ts'
import { liveFolder } from '../../hook/places.ts'
import type { Resident } from '../../hook/resident.ts'
import { liveStatus } from '../../hook/status.ts'
import { startHookThread } from '../../hook/thread.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import type { Env } from '../../platform/trust/place.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import {
  type Receive,
  type ReceiverPart,
  createReceiverPart,
} from '../../receiver/main/receiver.ts'
import type { StateStore } from '../../settings/main/state-store.ts'

interface Around {
  /** Entry of the thread that answers hooks; null if there is none. */
  readonly url: URL | null
  /** Entry of the thread that receives traces and logs; null if there is none. */
  readonly receiverUrl: URL | null
  readonly receiverPort: number
  readonly shipped: string
  readonly version: string
  readonly env: Env
  readonly state: StateStore
  readonly say: (line: string) => void
}

/** Prompts of running agents, for all windows of a host. */
interface LivePart {
  readonly handlers: MainHandlersOf<'live'>
  /** [F147] */
  readonly receive: ReceiverPart['start']
  close(): Promise<void>
}

/** [U210] Answers hooks if the operator enabled it; disabled until then. */
export function createLivePart(around: Around): LivePart {
  const { url, shipped, version, env, state, say } = around
  const folder = liveFolder(env)
  const receiver = createReceiverPart({ url: around.receiverUrl, folder, say })
  // [F154] The default when a window starts it: with a token. A command's options replace it.
  let usual: Receive = { port: around.receiverPort, isOpen: false }
  let running: Promise<Resident> | null = null

  const start = async (): Promise<void> => {
    if (url === null || folder === null) throw cannot()
    running ??= startHookThread({ url, folder, shipped, version }, () => {
      running = null
    })
    await running.catch((error: unknown) => {
      running = null
      throw error
    })
  }
  const stop = async (): Promise<void> => {
    const resident = await running?.catch(() => null)
    running = null
    await resident?.close()
  }
  const now = async (): Promise<LiveStatus> => {
    const told = { receiver: receiver.status() }
    if (folder === null) return { ...NOTHING, ...told }
    const status = await liveStatus(folder, version)
    return { ...status, ...told, here: status.here && running !== null }
  }

  const startKept = async (): Promise<void> => {
    const { answersHooks, receivesTraces } = await state.settings()
    const kept = [
      ...(answersHooks && url !== null ? [start()] : []),
      ...(receivesTraces && around.receiverUrl !== null ? [receiver.start(usual)] : []),
    ]
    for (const one of await Promise.allSettled(kept))
      if (one.status === 'rejected') say(messageOf(one.reason))
  }
  if (folder !== null) void startKept().catch((error: unknown) => say(messageOf(error)))

  return {
    handlers: {
      'live.status': now,
      'live.answer': async ({ on }) => {
        await (on ? start() : stop())
        await state.change({ answersHooks: on })
        return now()
      },
      'live.receive': async ({ on }) => {
        await (on ? receiver.start(usual) : receiver.stop())
        await state.change({ receivesTraces: on })
        return now()
      },
    },
    receive: (how) => {
      usual = how
      return receiver.start(how)
    },
    close: async () => {
      await Promise.all([stop(), receiver.stop()])
    },
  }
}

/** Status for an account that has no folder for records. */
const NOTHING: Omit<LiveStatus, 'receiver'> = {
  resident: null,
  here: false,
  sessions: [],
  total: 0,
  problems: [],
  install: [],
}

function cannot() {
  return refusal({
    what: 'hooks cannot be answered from here',
    where: 'this host',
    do: 'Run turnscope hook serve',
  })
}
