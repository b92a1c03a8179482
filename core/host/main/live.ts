import { messageOf } from '../../engine/result.ts'
import type { LiveStatus } from '../../wire/live.ts'
import { liveFolder } from '../hook/places.ts'
import type { Resident } from '../hook/resident.ts'
import { liveStatus } from '../hook/status.ts'
import { startHookThread } from '../hook/thread.ts'
import { refusal } from '../shared/refusal.ts'
import type { Env } from '../shared/trust/place.ts'
import type { MainHandlersOf } from './handlers.ts'
import type { StateStore } from './state-store.ts'

interface Around {
  /** Entry of the thread that answers hooks; null where there is none. */
  readonly url: URL | null
  readonly shipped: string
  readonly version: string
  readonly env: Env
  readonly state: StateStore
  readonly say: (line: string) => void
}

/** Prompts of running agents, for all windows of a host. */
export interface LivePart {
  readonly handlers: MainHandlersOf<'live'>
  close(): Promise<void>
}

/** [U210] Answers hooks where the person turned it on; off until then. */
export function createLivePart({ url, shipped, version, env, state, say }: Around): LivePart {
  const folder = liveFolder(env)
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
    if (folder === null) return NOTHING
    const status = await liveStatus(folder, version)
    return { ...status, here: status.here && running !== null }
  }

  if (url !== null && folder !== null)
    void state
      .settings()
      .then(({ answersHooks }) => (answersHooks ? start() : undefined))
      .catch((error: unknown) => say(messageOf(error)))

  return {
    handlers: {
      'live.status': now,
      'live.answer': async ({ on }) => {
        await (on ? start() : stop())
        await state.change({ answersHooks: on })
        return now()
      },
    },
    close: stop,
  }
}

/** Of an account that has no folder for what is recorded. */
const NOTHING: LiveStatus = {
  ...{ resident: null, here: false, sessions: [], total: 0, problems: [], install: [] },
}

function cannot() {
  return refusal({
    what: 'hooks cannot be answered from here',
    where: 'this host',
    do: 'Run turnscope hook serve',
  })
}
