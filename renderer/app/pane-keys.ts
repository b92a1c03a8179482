/** Panels whose keys work, or whose text is typed, only while they have the keyboard: `data-takes-keys`. */
export const TAKES_KEYS = '[data-takes-keys]'

/** The panel that has the keyboard now; null if none that takes keys has it. */
export function paneWithKeys(target: EventTarget | null): string | null {
  const pane = target instanceof Element ? target.closest(TAKES_KEYS) : null
  return pane?.getAttribute('data-takes-keys') ?? null
}
