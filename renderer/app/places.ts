/** A place of the window, as its history records it. */
export interface Place {
  /** The link without `#`. */
  readonly fragment: string
  /** Dialogs lie over a place; a link does not open them. */
  readonly dialog: string | null
  /** Selected event. With another preset the same event may be another turn, although the selection did not move. */
  readonly selected: number | null
}

/** An entry of the history. */
export interface Entry extends Place {
  /** Of an entry with a dialog: the fragment of the entry before it. */
  readonly under: string | null
}

/** `leave`: back to the entry before, which the place is. */
export type Write = 'none' | 'push' | 'replace' | 'leave'

export interface Circumstances {
  /** The page was just loaded at it, or Back or Forward is on its way to it. */
  readonly isArriving: boolean
  /** The step before was a moment ago: a held key, a drag. */
  readonly isHeld: boolean
  /** True if the operator did not choose it: the newest turn of a followed file, or an awaited turn. */
  readonly isByItself: boolean
}

/** Parts of a link that change during typing. */
const TYPED = ['find', 'only', 'in'] as const
const STEPS = ['turn', 'event'] as const

/**
 * [U70] Decides how the history records a change of place. Every session, turn, tab and dialog is a place. Of steps in
 * quick succession, only the last one is.
 */
export function writeFor(at: Entry, now: Place, how: Circumstances): Write {
  if (at.fragment === now.fragment && at.dialog === now.dialog) return 'none'
  if (how.isArriving) return 'replace'
  if (at.dialog !== null) return writeOverDialog(at, now)
  if (now.dialog !== null) return 'push'
  if (rest(at.fragment, TYPED) === rest(now.fragment, TYPED)) return 'replace'
  const isStep =
    rest(at.fragment, [...TYPED, ...STEPS]) === rest(now.fragment, [...TYPED, ...STEPS])
  if (!isStep) return 'push'
  return how.isHeld || how.isByItself || at.selected === now.selected ? 'replace' : 'push'
}

/** A dialog that was closed leaves no entry, unless it led somewhere: then that takes its place. */
function writeOverDialog(at: Entry, now: Place): Write {
  return now.dialog === null && now.fragment === at.under ? 'leave' : 'replace'
}

function rest(fragment: string, parts: readonly string[]): string {
  const query = new URLSearchParams(fragment)
  for (const part of parts) query.delete(part)
  return query.toString()
}
