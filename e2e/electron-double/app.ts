import { closeBrowser, options } from './engine.ts'
import { must, preventable, strictEmitter } from './strict.ts'

const EVENTS = [
  'ready',
  'activate',
  'open-file',
  'open-url',
  'second-instance',
  'web-contents-created',
  'window-all-closed',
  'before-quit',
  'will-quit',
]

// The command line as the system hands it over: the program, then (from a clone) the app's folder.
process.argv.splice(
  0,
  2,
  'electron',
  ...(options.isPackaged ? [] : [options.appPath]),
  ...options.args,
)

Object.defineProperty(process, 'resourcesPath', { value: options.resourcesPath })

export const lifecycle = { isReady: false, isSandboxed: false }
export const recorded = {
  recentDocuments: [] as string[],
  protocolClients: [] as string[],
}
/** Windows that are open, with how to close each. */
export const openWindows = new Map<object, () => Promise<void>>()

const ready = new Promise<void>((resolve) => {
  setImmediate(() => {
    lifecycle.isReady = true
    app.emit('ready')
    resolve()
  })
})

let isQuitting = false

export const app = strictEmitter('app', EVENTS, {
  isPackaged: options.isPackaged,
  getVersion: () => '0.0.0-double',
  getAppPath: () => options.appPath,
  getPath: (name: string) => {
    must(name === 'userData', `app.getPath('${name}') is not modelled`)
    return options.userData
  },
  whenReady: () => ready,
  enableSandbox: () => {
    must(!lifecycle.isReady, 'app.enableSandbox() can only be called before app is ready')
    lifecycle.isSandboxed = true
  },
  requestSingleInstanceLock: () => options.isFirstInstance,
  setAsDefaultProtocolClient: (scheme: string) => {
    recorded.protocolClients.push(scheme)
    return true
  },
  addRecentDocument: (path: string) => {
    recorded.recentDocuments.push(path)
  },
  quit: () => {
    if (isQuitting) return
    isQuitting = true
    void quit()
  },
  exit: (code = 0) => void closeBrowser().finally(() => process.exit(code)),
})

/** before-quit, then the windows, then will-quit: each may say no. */
async function quit(): Promise<void> {
  const before = preventable({})
  app.emit('before-quit', before)
  if (before.defaultPrevented) {
    isQuitting = false
    return
  }
  for (const close of openWindows.values()) await close()
  const will = preventable({})
  app.emit('will-quit', will)
  if (!will.defaultPrevented) app.exit(0)
}
