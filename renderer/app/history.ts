import { valueOf } from './async-data.ts'
import { DIALOGS } from './features.ts'
import { goTo } from './go-to.ts'
import { tokenOf } from './origin-key.ts'
import { type Entry, type Place, type Write, writeFor } from './places.ts'
import { restoredSoon } from './restore.ts'
import { isWaitedFor } from './select.ts'
import { patchView, type State, store } from './store.ts'
import { createDelay } from './timing.ts'
import { linkOf, readLink, writeLink } from './url.ts'

/** Browsers refuse more than some hundred changes of the URL in half a minute: a held key makes more. */
const URL_MS = 150
/** New entries in so many milliseconds at most, of a key that is held down; then they change the last one. */
const MOST_NEW = 20
const MOST_MS = 5000
/**
 * [U70] Selections that follow each other within this time, in ms, are one movement. Only its end is a place in the
 * history.
 */
const REST_MS = 500

/** The subset of a window used here. */
export interface Page {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>
  readonly history: Pick<History, 'pushState' | 'replaceState' | 'back' | 'go'>
  addEventListener(type: 'popstate', listener: (event: Pick<PopStateEvent, 'state'>) => void): void
}

function placeOf(state: State): Place {
  const { dialog, selected } = state.view
  return { fragment: writeLink(linkOf(state)), dialog, selected }
}

/** Before anything was open, and while something is being opened, the URL knows more than we do. */
function isSettled({ document, session, folders, view }: State, isFirst: boolean): boolean {
  if (document.pending !== null) return false
  if (document.source === null)
    return !isFirst || folders.shown !== null || view.results !== null || view.dialog !== null
  return valueOf(session.events) !== null && view.selected !== null
}

function isByItself({ document: { follow }, session, view }: State): boolean {
  if (session.awaited !== null || view.present?.isPlaying === true) return true
  if (isWaitedFor(view.selected)) return true
  return follow.stick && valueOf(session.replay)?.columns.seq.at(-1) === view.selected
}

/** Data stored with a history entry besides its address. */
function stateOf({ dialog, under }: Entry) {
  return { turnscope: { dialog, under } }
}

const nameOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

/** Reads the state of a history entry, which any page of this origin may have written. */
function readState(state: unknown): Pick<Entry, 'dialog' | 'under'> {
  // The state may be any object. Values that are not strings count as absent.
  const { turnscope } = Object(state) as Readonly<Record<string, unknown>>
  const { dialog, under } = Object(turnscope) as Readonly<Record<string, unknown>>
  const known = DIALOGS.some(([name]) => name === dialog)
  return { dialog: known ? nameOrNull(dialog) : null, under: nameOrNull(under) }
}

/**
 * Writes new entries immediately. Writes the first change of an entry immediately, and batches changes that follow
 * closely.
 */
function createWriter({ history, location }: Page) {
  const pause = createDelay()
  let wanted: Entry | null = null
  let pushed: readonly number[] = []
  const url = ({ fragment }: Entry) =>
    `${location.pathname}${location.search}${fragment ? `#${fragment}` : ''}`
  const flush = () => {
    if (wanted !== null) history.replaceState(stateOf(wanted), '', url(wanted))
    wanted = null
  }
  const change = (entry: Entry) => {
    wanted = entry
    if (pause.isDue()) return
    flush()
    pause.restart(flush, URL_MS)
  }
  return {
    change,
    /** Returns false if it only changed the last entry. */
    add: (entry: Entry): boolean => {
      const now = performance.now()
      pushed = pushed.filter((at) => now - at < MOST_MS)
      if (pushed.length >= MOST_NEW) {
        change({ ...entry, under: null })
        return false
      }
      flush()
      pushed = [...pushed, now]
      history.pushState(stateOf(entry), '', url(entry))
      return true
    },
    flush,
    /** Discards an unwritten change. */
    forget: () => {
      wanted = null
    },
  }
}

/** [U70] [U71] The history of the window: Back and Forward return to earlier places. */
class WindowHistory {
  #at: Entry
  #isFirst = true
  #isArriving: boolean
  /** The entry of a closed dialog is being left. A requested move runs afterwards. */
  #isLeaving = false
  #isGoing = false
  #next: (() => void) | null = null
  #steppedAt = -Infinity
  readonly #page: Page
  readonly #writer

  constructor(page: Page) {
    this.#page = page
    this.#writer = createWriter(page)
    const fragment = writeLink(readLink(page.location.hash))
    this.#at = { fragment, dialog: null, selected: null, under: null }
    // Content opened on an empty page is the second place. Content that the page was loaded with is the first.
    this.#isArriving = fragment !== ''
  }

  follow(): () => void {
    this.#page.addEventListener('popstate', (event) => this.#popped(event.state))
    return store.subscribe((state, before) => {
      if (state.view.selected !== before.view.selected) this.#stepped()
      this.#sync()
    })
  }

  #isHeld = false
  #stepped(): void {
    const now = performance.now()
    this.#isHeld = now - this.#steppedAt < REST_MS
    this.#steppedAt = now
  }

  #sync(): void {
    const state = store.getState()
    if (this.#isLeaving || this.#isGoing || !isSettled(state, this.#isFirst)) return
    if (this.#isFirst) restoredSoon()
    const now = placeOf(state)
    const write = writeFor(this.#at, now, {
      isArriving: this.#isArriving,
      isHeld: this.#isHeld,
      isByItself: isByItself(state),
    })
    // Arriving is no step of the reader.
    const isStep = !this.#isArriving && this.#at.selected !== null && !isByItself(state)
    if (!isStep) this.#steppedAt = -Infinity
    this.#isFirst = false
    this.#isArriving = false
    this.#write(write, now)
  }

  #write(write: Write, now: Place): void {
    if (write === 'none') {
      this.#at = { ...this.#at, selected: now.selected }
      return
    }
    const before = this.#at
    if (write === 'leave') {
      this.#at = { ...now, under: null }
      this.#writer.flush()
      this.#isLeaving = true
      this.#page.history.back()
      return
    }
    const isNew = write === 'push'
    const under = now.dialog === null ? null : isNew ? before.fragment : before.under
    this.#at = { ...now, under }
    if (!isNew) this.#writer.change(this.#at)
    else if (!this.#writer.add(this.#at)) this.#at = { ...this.#at, under: null }
  }

  #popped(kept: unknown): void {
    const { hash, pathname, search } = this.#page.location
    if (this.#isLeaving) {
      this.#isLeaving = false
      const next = this.#next
      this.#next = null
      this.#sync()
      next?.()
      return
    }
    this.#writer.forget()
    const token = tokenOf(hash)
    if (token !== null) {
      // [U74] A printed address was pasted into this tab: the place stays. Who is in already needs no token.
      const isIn = store.getState().document.connection.kind === 'online'
      const place = isIn ? this.#at.fragment : `token=${token}&${this.#at.fragment}`
      this.#page.history.replaceState(null, '', `${pathname}${search}#${place}`)
      return
    }
    const link = readLink(hash)
    const { dialog, under } = readState(kept)
    const { selected } = store.getState().view
    this.#at = { fragment: writeLink(link), dialog, selected, under }
    // Half of the way is no place.
    this.#isGoing = true
    goTo(link)
    patchView({ dialog })
    this.#isGoing = false
    this.#isArriving = true
    this.#sync()
  }

  /** [U71] The command Back or Forward. */
  go(by: 1 | -1): void {
    const act = () => this.#page.history.go(by)
    if (this.#isLeaving) this.#next = act
    else act()
  }
}

/** Keeps URL and history telling where we are. */
export function followHistory(page: Page) {
  const all = new WindowHistory(page)
  const stop = all.follow()
  return { go: (by: 1 | -1) => all.go(by), stop }
}
