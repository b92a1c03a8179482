import type { LiveSession } from '../../../core/wire/live.ts'
import { type AsyncData, type Failure, idle } from '../../app/async-data.ts'
import { act } from '../../app/tell.ts'
import { failureOf, host } from '../../app/host.ts'
import { openSource } from '../../app/open.ts'
import { createQuery, featureStore } from '../../app/query.ts'
import { type Answer, call } from '../../app/question.ts'
import { patchView, store } from '../../app/store.ts'

interface Live {
  readonly status: AsyncData<Answer<'live.status'>>
  readonly isSwitching: boolean
  readonly failure: Failure | null
  readonly receiverFailure: Failure | null
}

const own = featureStore<Live>({
  status: idle,
  isSwitching: false,
  failure: null,
  receiverFailure: null,
})
export const { use: useLive } = own
const status = createQuery({ place: own.place('status') })

/** Milliseconds between two looks while the dialog is open. */
const LOOK_MS = 2000
let asked = 0

function look(): void {
  asked += 1
  const options = { where: 'Live sessions', of: `${asked}`, isLasting: () => false }
  void status.ask(call('live.status', {}, options))
}

/** Polls while the dialog is open. Returns a function that stops polling. */
export function watchLive(): () => void {
  look()
  const timer = setInterval(look, LOOK_MS)
  return () => clearInterval(timer)
}

/** Turns answering on or off. */
export async function switchAnswering(on: boolean): Promise<void> {
  own.patch({ isSwitching: true, failure: null })
  try {
    await host().call('live.answer', { on })
  } catch (error) {
    own.patch({ failure: failureOf(error, 'Answering hooks') })
  }
  own.patch({ isSwitching: false })
  look()
}

/** [F154] Receives traces and logs, or not any more. */
export async function switchReceiving(on: boolean): Promise<void> {
  own.patch({ isSwitching: true, receiverFailure: null })
  try {
    await host().call('live.receive', { on })
  } catch (error) {
    own.patch({ receiverFailure: failureOf(error, 'Receiving traces and logs') })
  }
  own.patch({ isSwitching: false })
  look()
}

/** [U210] Opens a session that was recorded, and follows it: the agent may still be at work. */
export function openLive({ path }: LiveSession): void {
  patchView({ dialog: null })
  openSource({ kind: 'path', path })
  const stop = store.subscribe(() => {
    // Until the new session is open, the previous one stays on screen.
    const { source: shown, pending, opened } = store.getState().document
    const source = pending ?? shown
    const isLeft = source?.kind !== 'path' || source.path !== path || opened.status === 'failed'
    if (!isLeft && (pending !== null || opened.status !== 'ready')) return
    stop()
    if (!isLeft) act('follow-file', null)
  })
}
