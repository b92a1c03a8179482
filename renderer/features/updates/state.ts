import type { UpdateState } from '../../../core/wire/updates.ts'
import { type AsyncData, type Failure, type Progress, idle, ready } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { createQuery, featureStore } from '../../app/query.ts'
import { call } from '../../app/question.ts'
import { createTask } from '../../app/task.ts'

interface Updating {
  readonly state: AsyncData<UpdateState>
  readonly isLooking: boolean
  /** Null: nothing is being downloaded. */
  readonly progress: Progress | null
  readonly failure: Failure | null
}

const own = featureStore<Updating>({
  state: idle,
  isLooking: false,
  progress: null,
  failure: null,
})
export const { use: useUpdates } = own
const state = createQuery({ place: own.place('state') })
const downloading = createTask()

/** Reads the stored state. Sends no request to any server. */
export function readUpdates(): void {
  void state.ask(call('updates.state', {}, { where: 'Updates', isLasting: () => false }))
}

/** Asks the publisher's address whether there is something newer. */
export async function lookForUpdate(): Promise<void> {
  own.patch({ isLooking: true, failure: null })
  try {
    own.patch({ state: ready(await host().call('updates.look', {})) })
  } catch (error) {
    own.patch({ failure: failureOf(error, 'Looking for updates') })
  }
  own.patch({ isLooking: false })
}

/** Downloads the update found and checks its hash. */
export function downloadUpdate(): void {
  own.patch({
    progress: { kind: 'progress', phase: 'downloading', done: 0, total: 0 },
    failure: null,
  })
  downloading.subscribe(
    'updates.download',
    {},
    {
      next: (message) =>
        own.patch(
          message.kind === 'progress' ? { progress: message } : { state: ready(message.state) },
        ),
      error: (error) =>
        own.patch({ progress: null, failure: failureOf(error, 'Downloading the update') }),
      end: () => own.patch({ progress: null }),
    },
  )
}

export function cancelDownload(): void {
  downloading.stop()
  own.patch({ progress: null })
}

/** Ends the application; the new one starts. */
export async function installUpdate(): Promise<void> {
  try {
    await host().call('updates.install', {})
  } catch (error) {
    own.patch({ failure: failureOf(error, 'Installing the update') })
  }
}
