import type { Failure } from './async-data.ts'
import type { Link } from './link.ts'

const UNDER_WAY = 'turnscope.restoring'
const CRASHED = 'turnscope.crashed'
/** The page counts as healthy if it still responds this many ms after its session appeared. */
const WELL_MS = 1000

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const FORGETFUL: Store = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
}

/** Of this tab only. Outside of a browser, as in unit tests, nothing is kept. */
function ofTab(): Store {
  return 'sessionStorage' in globalThis ? sessionStorage : FORGETFUL
}

/** A part of the window that a link can open. */
export type LinkedPart = 'tab' | 'dock' | 'all'

/** The fields of a link to clear so that the part is not opened. */
const WITHOUT: Readonly<Record<LinkedPart, Partial<Link>>> = {
  tab: { tab: null },
  dock: { dock: null, study: null },
  all: {
    tab: null,
    dock: null,
    study: null,
    find: null,
    only: false,
    tour: null,
    present: null,
  },
}

/** [U15] The part failed while it was shown: the next load of the page does not open it. */
export function rememberCrash(part: LinkedPart, kept: Store = ofTab()): void {
  kept.setItem(CRASHED, part)
}

/** The link is open and the page answers: the next load may open it again. */
export function restored(kept: Store = ofTab()): void {
  kept.removeItem(UNDER_WAY)
}

export function restoredSoon(): void {
  setTimeout(() => restored(), WELL_MS)
}

function partOf(text: string | null): LinkedPart | null {
  return text === 'tab' || text === 'dock' || text === 'all' ? text : null
}

/**
 * [U15] The part of a link to open. If the previous load crashed or hung while opening a link, the suspect parts are
 * left out. If the cause is unknown and the link has none of those parts, it is not opened at all.
 * @param load names this load of the page; a reconnection is not another load
 */
export function beginRestore(
  link: Link,
  load: string,
  kept: Store = ofTab(),
): { readonly link: Link; readonly notice: Failure | null } {
  const before = kept.getItem(UNDER_WAY)
  const crashed = partOf(kept.getItem(CRASHED))
  if (before === load) return { link, notice: null }
  kept.removeItem(CRASHED)
  kept.setItem(UNDER_WAY, load)
  const part = crashed ?? (before === null ? null : 'all')
  if (part === null || (link.source === null && link.library === null && link.results === null)) {
    return { link, notice: null }
  }
  const less = { ...link, ...WITHOUT[part] }
  const isSame = JSON.stringify(less) === JSON.stringify(link)
  if (isSame && part !== 'all') return { link, notice: null }
  return {
    link: isSame ? { ...less, source: null, library: null, results: null } : less,
    notice: {
      what: 'the page failed while it was shown, so it was not opened again',
      where: leftOut(link, isSame, part),
      do: 'Open it yourself to try it once more',
    },
  }
}

function leftOut(link: Link, whole: boolean, part: LinkedPart): string {
  if (whole) return 'This session'
  const names = [
    part !== 'dock' && link.tab !== null ? `Tab ${link.tab}` : '',
    part !== 'tab' && link.dock !== null ? `Panel ${link.dock}` : '',
  ].filter((name) => name !== '')
  return names.length > 0 ? names.join(', ') : 'Part of the link'
}
