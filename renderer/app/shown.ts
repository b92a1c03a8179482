import { z } from 'zod'
import { FEWEST_SHOWN, patchView, type Shown, store } from './store.ts'

const KEY = 'turnscope.shown'
/** More names than there are tabs or lanes are not ours. */
const NAMES = z.array(z.string().max(40)).max(40).readonly()
const Kept = z.object({ tabs: NAMES, lanes: NAMES })

/**
 * The tabs and lanes shown last in this browser. The default selection if the storage is blocked or holds other data.
 */
export function keptShown(): Shown {
  try {
    const kept = Kept.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
    return kept.success ? kept.data : FEWEST_SHOWN
  } catch {
    return FEWEST_SHOWN
  }
}

function keep(shown: Shown): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(shown))
  } catch {
    // Without a storage the choice holds for this window.
  }
}

/** Shows exactly these tabs and lanes. A layout changes the view and not the remembered choice. */
export function show(shown: Shown): void {
  patchView({ shown })
  if (store.getState().view.layout === null) keep(shown)
}

const added = (list: readonly string[], names: readonly string[]) => [
  ...list,
  ...names.filter((name) => !list.includes(name)),
]

/** [U171] Adds a tab, and the lanes of its feature with it. */
export function showTab(tab: string, lanes: readonly string[]): void {
  const { shown } = store.getState().view
  if (shown.tabs.includes(tab)) return
  show({ tabs: added(shown.tabs, [tab]), lanes: added(shown.lanes, lanes) })
}

/** Takes a tab away. The open one stays in sight until another is chosen. */
export function hideTab(tab: string): void {
  const { shown } = store.getState().view
  show({ ...shown, tabs: shown.tabs.filter((name) => name !== tab) })
}

export function showLanes(lanes: readonly string[]): void {
  const { shown } = store.getState().view
  show({ ...shown, lanes: added(shown.lanes, lanes) })
}

export function toggleLane(lane: string): void {
  const { shown } = store.getState().view
  if (shown.lanes.includes(lane))
    show({ ...shown, lanes: shown.lanes.filter((name) => name !== lane) })
  else showLanes([lane])
}
