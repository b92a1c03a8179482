const KEY = 'turnscope.dock'
const DEFAULT_PX = 320

/** Height of the dock as it was left, in pixels. */
export function dockHeight(): number {
  const kept = Number(localStorage.getItem(KEY))
  return kept >= 150 && kept <= 2000 ? kept : DEFAULT_PX
}

export function rememberDockHeight(pixels: number): void {
  if (pixels > 0) localStorage.setItem(KEY, String(Math.round(pixels)))
}
