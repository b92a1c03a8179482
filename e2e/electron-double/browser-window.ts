import { app, lifecycle, openWindows } from './app.ts'
import { newPage } from './engine.ts'
import { must, preventable, strictEmitter } from './strict.ts'
import { session } from './system.ts'
import { createWebContents } from './web-contents.ts'

interface WindowOptions {
  readonly width?: number
  readonly height?: number
  readonly x?: number
  readonly y?: number
  readonly show?: boolean
  readonly webPreferences?: Readonly<Record<string, unknown>>
}

/** Preferences that would make another kind of renderer than the one that the double is. */
const REQUIRED: Readonly<Record<string, boolean>> = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webSecurity: true,
}
const FORBIDDEN = [
  'nodeIntegrationInWorker',
  'nodeIntegrationInSubFrames',
  'webviewTag',
  'allowRunningInsecureContent',
  'experimentalFeatures',
  'enableBlinkFeatures',
]

function checkPreferences(preferences: Readonly<Record<string, unknown>>): void {
  for (const [name, wanted] of Object.entries(REQUIRED)) {
    must(preferences[name] === wanted, `webPreferences.${name} has to be ${String(wanted)}`)
  }
  for (const name of FORBIDDEN) {
    must(preferences[name] !== true && typeof preferences[name] !== 'string', `${name} is set`)
  }
  must(lifecycle.isSandboxed, 'app.enableSandbox() was not called')
}

export const windowDetails = new Map<
  object,
  { isVisible: () => boolean; devTools: boolean; contents: ReturnType<typeof createWebContents> }
>()

function createWindow(wanted: WindowOptions) {
  must(lifecycle.isReady, 'Cannot create BrowserWindow before app is ready')
  const preferences = wanted.webPreferences ?? {}
  checkPreferences(preferences)
  const size = { width: wanted.width ?? 800, height: wanted.height ?? 600 }
  let isVisible = wanted.show !== false
  let isMaximized = false
  const web = createWebContents(session.defaultSession)
  app.emit('web-contents-created', {}, web.contents)
  const { preload } = preferences
  const attached = newPage(size).then((page) =>
    web.attach(page, typeof preload === 'string' ? preload : undefined),
  )

  const window = strictEmitter('BrowserWindow', ['ready-to-show', 'close', 'closed'], {
    webContents: web.contents,
    loadURL: async (url: string) => {
      await attached
      await web.load(url)
    },
    show: () => {
      isVisible = true
    },
    focus: () => undefined,
    restore: () => undefined,
    isMinimized: () => false,
    isDestroyed: () => web.contents.isDestroyed(),
    maximize: () => {
      isMaximized = true
    },
    isMaximized: () => isMaximized,
    getNormalBounds: () => ({ x: wanted.x ?? 0, y: wanted.y ?? 0, ...size }),
  })
  web.contents.once('did-finish-load', () => window.emit('ready-to-show'))
  web.contents.once('destroyed', () => {
    openWindows.delete(window)
    windowDetails.delete(window)
    window.emit('closed')
    if (openWindows.size === 0) app.emit('window-all-closed')
  })
  openWindows.set(window, async () => {
    const event = preventable({})
    window.emit('close', event)
    if (!event.defaultPrevented) await web.page()?.close()
  })
  const devTools = preferences['devTools'] !== false
  windowDetails.set(window, { isVisible: () => isVisible, devTools, contents: web })
  return window
}

/** `new BrowserWindow()`; what `new` gives back is the strict window itself. */
export const BrowserWindow = Object.assign(
  function BrowserWindow(wanted: WindowOptions = {}) {
    return createWindow(wanted)
  },
  { getAllWindows: () => [...openWindows.keys()] },
)
