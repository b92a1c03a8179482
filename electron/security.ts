import type {
  CustomScheme,
  HandlerDetails,
  Session,
  WebContents,
  WebPreferences,
  WindowOpenHandlerResponse,
} from 'electron'

const SCHEME = 'app'
const HOST = 'turnscope'
export const PAGE_URL = `${SCHEME}://${HOST}/`

/** `app://` behaves like https: a separate origin, secure, fetchable. No content is loaded by file URL. */
export const APP_SCHEME = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true },
} as const satisfies CustomScheme

/** True for URLs of our own page; the page, its assets and nothing else live there. */
export function isOwnPage(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host, username, password } = new URL(url)
  return protocol === `${SCHEME}:` && host === HOST && username === '' && password === ''
}

/** Every switch that matters is written out, so that a changed default cannot loosen one. */
export function webPreferences(preload: string, devTools: boolean): WebPreferences {
  return {
    preload,
    devTools,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    navigateOnDragDrop: false,
    // The spell checker downloads dictionaries, and the window has no prose to check.
    spellcheck: false,
  }
}

interface Navigation {
  readonly url: string
  readonly isMainFrame: boolean
  preventDefault(): void
}

/** The page may load itself again; every other navigation, frame, redirect, webview and window is denied. */
export function guardContents(
  contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>,
  openExternal: (url: string) => void,
): void {
  const guard = (details: Navigation) => {
    if (!details.isMainFrame || !isOwnPage(details.url)) details.preventDefault()
  }
  contents.on('will-navigate', guard)
  contents.on('will-frame-navigate', guard)
  contents.on('will-redirect', (details) => details.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }: HandlerDetails): WindowOpenHandlerResponse => {
    openExternal(url)
    return { action: 'deny' }
  })
}

/** Copying text to the clipboard is the only thing the page may ask the system for. */
const GRANTED: ReadonlySet<string> = new Set(['clipboard-sanitized-write'])

export function denyPermissions(
  session: Pick<
    Session,
    | 'setPermissionRequestHandler'
    | 'setPermissionCheckHandler'
    | 'setDevicePermissionHandler'
    | 'setDisplayMediaRequestHandler'
  >,
): void {
  session.setPermissionRequestHandler((_contents, permission, callback, details) =>
    callback(GRANTED.has(permission) && isOwnPage(details.requestingUrl)),
  )
  session.setPermissionCheckHandler(
    (_contents, permission, origin) => GRANTED.has(permission) && isOwnPage(origin),
  )
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_request, callback) => callback(null))
}
