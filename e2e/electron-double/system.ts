import { basename, join } from 'node:path'
import type { PermissionAnswers } from './options.ts'
import { type ProtocolHandler, type Scheme, handlers, options, schemes } from './engine.ts'
import { lifecycle } from './app.ts'
import { must, strict } from './strict.ts'

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged: (list: ReadonlyArray<{ scheme: string; privileges?: Scheme }>) => {
    must(!lifecycle.isReady, 'registerSchemesAsPrivileged has to be called before app is ready')
    for (const { scheme, privileges } of list) schemes.set(scheme, privileges ?? {})
  },
  handle: (scheme: string, handler: ProtocolHandler) => {
    must(lifecycle.isReady, 'protocol.handle has to be called after app is ready')
    const known = schemes.get(scheme)
    must(known?.standard === true && known.secure === true, `${scheme} is not standard and secure`)
    handlers.set(scheme, handler)
  },
})

type Callback<T> = (answer: T) => void

interface PermissionHandlers {
  request?: (c: null, permission: string, answer: Callback<boolean>, d: object) => void
  check?: (c: null, permission: string, origin: string, d: object) => boolean
  device?: (details: object) => boolean
  displayMedia?: (request: object, answer: Callback<object | null>) => void
}

const permissions: PermissionHandlers = {}

export const session = strict('session', {
  defaultSession: strict('session.defaultSession', {
    setPermissionRequestHandler: (handler: NonNullable<PermissionHandlers['request']>) => {
      permissions.request = handler
    },
    setPermissionCheckHandler: (handler: NonNullable<PermissionHandlers['check']>) => {
      permissions.check = handler
    },
    setDevicePermissionHandler: (handler: NonNullable<PermissionHandlers['device']>) => {
      permissions.device = handler
    },
    setDisplayMediaRequestHandler: (handler: NonNullable<PermissionHandlers['displayMedia']>) => {
      permissions.displayMedia = handler
    },
  }),
})

/** The app's answers. A handler that was never set grants, as in Electron. */
export function askPermissions(permission: string, url: string): PermissionAnswers {
  const answers = { request: true, check: true, device: true, displayMedia: true }
  const details = { requestingUrl: url, isMainFrame: true }
  permissions.request?.(null, permission, (granted) => (answers.request = granted), details)
  answers.check = permissions.check?.(null, permission, url, details) ?? true
  answers.device = permissions.device?.({ deviceType: permission, origin: url }) ?? true
  permissions.displayMedia?.({ securityOrigin: url }, (streams) => {
    answers.displayMedia = streams !== null
  })
  return answers
}

export const openedExternally: string[] = []

export const shell = strict('shell', {
  openExternal: (url: string) => {
    openedExternally.push(url)
    return Promise.resolve()
  },
})

/** A system without a keychain: Turnscope must refuse to keep a key. */
export const safeStorage = strict('safeStorage', {
  getSelectedStorageBackend: () => 'basic_text',
  isAsyncEncryptionAvailable: () => Promise.resolve(true),
})

export const dialog = strict('dialog', {
  showOpenDialog: ({ properties }: { readonly properties?: readonly string[] }) => {
    const wanted = properties?.join() ?? ''
    must(
      wanted === 'openFile,multiSelections' || wanted === 'openDirectory',
      `files or one folder, not ${wanted}`,
    )
    const chosen = wanted !== 'openDirectory' ? options.chosenFile : options.chosenFolder
    return Promise.resolve({
      canceled: chosen === null,
      filePaths: chosen === null ? [] : [chosen],
    })
  },
  showSaveDialog: ({ defaultPath }: { readonly defaultPath?: string }) => {
    const { saveFolder } = options
    must(defaultPath === basename(defaultPath ?? ''), 'the page may suggest a name, no folder')
    return Promise.resolve({
      canceled: saveFolder === null,
      filePath: saveFolder === null ? '' : join(saveFolder, defaultPath),
    })
  },
  showErrorBox: (title: string, text: string) => console.error(`${title}: ${text}`),
})

export const screen = strict('screen', {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1440, height: 900 } }],
})

export const nativeTheme = strict('nativeTheme', { shouldUseDarkColors: false })

interface MenuItem {
  readonly id?: string
  readonly label?: string
  readonly role?: string
  readonly type?: string
  readonly click?: () => void
  readonly submenu?: readonly MenuItem[]
}

/** Items of the application menu that have an id, by id. */
export const menuItems = new Map<string, MenuItem>()

function collect(items: readonly MenuItem[]): void {
  for (const item of items) {
    must(
      item.label !== undefined || item.role !== undefined || item.type === 'separator',
      'a menu item needs a label, a role or the type separator',
    )
    if (item.id !== undefined) {
      must(!menuItems.has(item.id), `two menu items with the id ${item.id}`)
      menuItems.set(item.id, item)
    }
    collect(item.submenu ?? [])
  }
}

export const Menu = strict('Menu', {
  buildFromTemplate: (template: readonly MenuItem[]) => template,
  setApplicationMenu: (menu: readonly MenuItem[]) => {
    must(lifecycle.isReady, 'the menu can only be set after app is ready')
    menuItems.clear()
    collect(menu)
  },
})
