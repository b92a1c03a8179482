import type { SavedFiles } from '../../core/wire/shapes.ts'

type Look = () => void
const looks = new Map<SavedFiles, Set<Look>>()

/** [F22] Calls `look` when a window saved such files, this one too, and when this one comes to the front. */
export function onSaved(what: SavedFiles, look: Look): () => void {
  const all = looks.get(what) ?? new Set<Look>()
  looks.set(what, all.add(look))
  return () => void all.delete(look)
}

export function tellSaved(what: SavedFiles): void {
  for (const look of looks.get(what) ?? []) look()
}

/** Other programs send no notifications, so saved data is checked when the page becomes visible again. */
export function lookWhenShown(page: Document): void {
  page.addEventListener('visibilitychange', () => {
    if (page.visibilityState === 'visible') for (const what of looks.keys()) tellSaved(what)
  })
}
