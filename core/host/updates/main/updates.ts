import type { FoundUpdate, UpdateState } from '../../../wire/updates.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { reporting, throttled } from '../../platform/threads/yielding.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'

/** Updates of the shell. Failures are errors with a user-facing message. */
export interface Updates {
  /** Why there are none, or null. */
  readonly off: string | null
  readonly address: string | null
  /** The newer version, or null. */
  look(): Promise<FoundUpdate | null>
  /** Downloads the found update, and verifies its hash. */
  download(report: (done: number, total: number) => void, signal: AbortSignal): Promise<void>
  /** Checks the hash again, replaces the application and ends. */
  install(): Promise<void>
}

/** [F182] [U211] The answers of one application, the same for all its windows. */
export function createUpdateHandlers(
  updates: Updates | null,
  version: string,
): MainHandlersOf<'updates'> {
  let looked = false
  let found: FoundUpdate | null = null
  let isHere = false
  const off =
    updates === null ? 'the program that installed it updates it, for example npm' : updates.off
  const state = (): UpdateState => ({
    current: version,
    off,
    address: updates?.address ?? null,
    looked,
    found,
    isHere,
  })
  function able(): Updates {
    if (updates !== null && off === null) return updates
    throw refusal({
      what: `this application does not update itself: ${off ?? ''}`,
      where: 'Updates',
      do: 'Update it the way it was installed',
    })
  }
  function wanted(): Updates {
    if (found !== null) return able()
    throw refusal({ what: 'no update was found', where: 'Updates', do: 'Look for one first' })
  }

  return {
    'updates.state': state,
    'updates.look': async () => {
      const newer = await able().look()
      if (newer?.sha512 !== found?.sha512) isHere = false
      ;[looked, found] = [true, newer]
      return state()
    },
    'updates.download': async function* (_, { signal }) {
      yield* downloading(wanted(), signal)
      isHere = true
      yield { kind: 'downloaded', state: state() }
    },
    'updates.install': async () => {
      const from = wanted()
      if (!isHere)
        throw refusal({
          what: 'the update is not on this machine yet',
          where: 'Updates',
          do: 'Download it first',
        })
      await from.install()
      return {}
    },
  }
}

interface Downloading {
  readonly kind: 'progress'
  readonly phase: 'downloading'
  readonly done: number
  readonly total: number
}

async function* downloading(from: Updates, signal: AbortSignal): AsyncGenerator<Downloading> {
  yield* reporting<Downloading, undefined>(async (report) => {
    const tell = throttled((done, total) =>
      report({ kind: 'progress', phase: 'downloading', done, total }),
    )
    await from.download(tell, signal)
    return undefined
  })
}
