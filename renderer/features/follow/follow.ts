import { isPage } from '../../app/api.ts'
import { valueOf } from '../../app/async-data.ts'
import { onGrown } from '../../app/grow.ts'
import { askForFile, feed, isHeld } from '../../app/handed-files.ts'
import { failureOf } from '../../app/host.ts'
import { createTask } from '../../app/task.ts'
import { selectNewest } from '../../app/select.ts'
import { resumeSticking } from '../../app/stick.ts'
import { type State, notFollowing, patchDocument, patchView, store } from '../../app/store.ts'

const following = createTask()

/** True if the host reads the source from a path, or this browser has a handle. The host refuses archives. */
export function canFollow(state: State): boolean {
  const { source, opened } = state.document
  if (isPage() || valueOf(opened) === null) return false
  return source?.kind === 'path' || isHeld(state)
}

/** [I99] Stops the sending of an upload's new content; null if the host reads the file itself. */
let feeding: (() => void) | null = null

function startFeeding(): void {
  const { source } = store.getState().document
  if (source?.kind !== 'upload' || source.upload === null) return
  const say = (state: 'gone' | 'watching') =>
    patchDocument({ follow: { ...store.getState().document.follow, state } })
  feeding = feed(source.upload, {
    onGone: (isGone) => say(isGone ? 'gone' : 'watching'),
    onFailed: failedToFollow,
  })
}

function failedToFollow(error: unknown): void {
  stopFollow()
  patchView({ notice: failureOf(error, 'Following this file') })
}

/** The browser can request permission only during a key press or a click. */
async function askAndFollow(upload: string): Promise<void> {
  const isAllowed = await askForFile(upload).catch(() => false)
  if (isAllowed) startFollow()
  else patchView({ notice: NOT_ALLOWED })
}

const NOT_ALLOWED = {
  what: 'the browser does not let this page read the file again',
  where: 'Follow',
  do: 'Press Follow once more and allow it, or choose the file again, with o.',
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
      error: failedToFollow,
      end: stopFollow,
    },
  )
  startFeeding()
}

export function stopFollow(): void {
  following.stop()
  feeding?.()
  feeding = null
  patchDocument({ follow: notFollowing })
}

export function toggleFollow(): void {
  const { source } = store.getState().document
  if (following.isRunning()) stopFollow()
  else if (source?.kind === 'upload') void askAndFollow(source.upload ?? '')
  else startFollow()
}

/** The pill: back to the newest turn. */
export function jumpToEnd(): void {
  resumeSticking()
  selectNewest()
}
