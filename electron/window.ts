import { BrowserWindow, nativeTheme, screen } from 'electron'
import { writeFileAtomic } from '../core/host/platform/files/atomic-file.ts'
import { PAGE_URL, webPreferences } from './security.ts'
import { type WindowState, fitToScreens, readWindowState } from './window-state.ts'

/** The page's own background, so that the first frame does not flash. */
const BACKGROUND = { dark: '#0e1217', light: '#f5f7f9' } as const

interface WindowOptions {
  readonly preload: string
  readonly devTools: boolean
  /** File that keeps size and position between starts. */
  readonly statePath: string
  /** Called with a promise that resolves when the window's state is on disk. */
  readonly onSaving: (saved: Promise<void>) => void
}

/** The workbench window, shown when its first frame is ready. The caller loads the page. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const saved = readWindowState(options.statePath)
  const workAreas = screen.getAllDisplays().map((display) => display.workArea)
  const window = new BrowserWindow({
    ...fitToScreens(saved, workAreas),
    title: 'Turnscope',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: webPreferences(options.preload, options.devTools),
  })
  if (saved?.maximized === true) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', () => {
    const state: WindowState = { ...window.getNormalBounds(), maximized: window.isMaximized() }
    const text = `${JSON.stringify(state)}\n`
    // A lost window place is no reason to trouble anybody on the way out.
    options.onSaving(writeFileAtomic(options.statePath, text).catch(() => undefined))
  })
  return window
}

export function loadPage(window: BrowserWindow): void {
  void window.loadURL(PAGE_URL)
}

/** Brings a window back into the operator's view. */
export function reveal(
  window: Pick<BrowserWindow, 'isMinimized' | 'restore' | 'show' | 'focus'>,
): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
