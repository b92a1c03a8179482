import { isPage } from '../../app/api.ts'
import { valueOf } from '../../app/async-data.ts'
import { onGrown } from '../../app/grow.ts'
import { failureOf } from '../../app/host.ts'
import { createTask } from '../../app/task.ts'
import { selectNewest } from '../../app/select.ts'
import { resumeSticking } from './stick.ts'
import { type State, notFollowing, patchDocument, patchView, store } from '../../app/store.ts'

const following = createTask()

/** Only what the host reads from a path can be followed; the host refuses archives. */
export function canFollow(state: State): boolean {
  if (isPage()) return false
  return state.document.source?.kind === 'path' && valueOf(state.document.opened) !== null
}

/** [U4] Watches the opened file and keeps its end in sight, until stopped or another file is opened. */
function startFollow(): void {
  const opened = valueOf(store.getState().document.opened)
  if (!opened || following.isRunning()) return
  patchDocument({ follow: { state: 'watching', stick: true, seen: 0 } })
  selectNewest()
  following.subscribe(
    'session.follow',
    { key: opened.key },
    {
      next: (message) => {
        if (message.kind === 'grown') onGrown(message)
        else
          patchDocument({ follow: { ...store.getState().document.follow, state: message.state } })
      },
      error: (error) => {
        stopFollow()
        patchView({ notice: failureOf(error, 'Following this file') })
      },
      end: stopFollow,
    },
  )
}

export function stopFollow(): void {
  following.stop()
  patchDocument({ follow: notFollowing })
}

export function toggleFollow(): void {
  if (following.isRunning()) stopFollow()
  else startFollow()
}

/** The pill: back to the newest turn. */
export function jumpToEnd(): void {
  resumeSticking()
  selectNewest()
}

/** The reader has read that the file was replaced. */
export function seenRestart(): void {
  const { follow } = store.getState().document
  if (follow.state === 'restarted') patchDocument({ follow: { ...follow, state: 'watching' } })
}
