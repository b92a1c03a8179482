import { randomUUID } from 'node:crypto'
import type { CDPSession, Page, Route } from '@playwright/test'
import { fromBrowserUrl, handlers, readScript, toBrowserUrl } from './engine.ts'
import { ipcMain } from './ipc-main.ts'
import { mainWorld, preloadWorld } from './page-worlds.ts'
import { assertJsonSafe, must, preventable, strictEmitter } from './strict.ts'

const WORLD = 'electron-double-preload'
const EVENTS = [
  'did-navigate',
  'did-finish-load',
  'render-process-gone',
  'destroyed',
  'will-navigate',
  'will-frame-navigate',
  'will-redirect',
  'will-attach-webview',
]

type OpenHandler = (details: { url: string }) => { action: 'allow' | 'deny' }

let lastId = 0

/** A page of real Chromium behind the WebContents API that the app uses. */
export function createWebContents(session: object) {
  lastId += 1
  const id = lastId
  const secret = `d${randomUUID()}`
  const binding = `b${randomUUID().replaceAll('-', '')}`
  const worlds = new Map<string, number>()
  const pageErrors: string[] = []
  let openHandler: OpenHandler = () => ({ action: 'allow' })
  let page: Page | null = null
  let cdp: CDPSession | null = null
  let mainFrame = ''
  let url = ''
  let isDestroyed = false
  /** The URL that the app itself loads: no guard is asked about that. */
  let loading: string | null = null

  const contents = strictEmitter('webContents', EVENTS, {
    id,
    session,
    isDestroyed: () => isDestroyed,
    getURL: () => url,
    setWindowOpenHandler: (handler: OpenHandler) => {
      openHandler = handler
    },
    send: (channel: string, ...args: readonly unknown[]) => {
      must(!isDestroyed, 'Object has been destroyed')
      assertJsonSafe(args, `send(${channel})`)
      const world = worlds.get(mainFrame)
      if (world === undefined || cdp === null) return
      const text = JSON.stringify(JSON.stringify({ channel, args }))
      const expression = `turnscopeDoubleDeliver(${text})`
      // A page that went away in between loses the message, as in Electron.
      cdp.send('Runtime.evaluate', { contextId: world, expression }).catch(() => undefined)
    },
  })

  function receive(payload: string, executionContextId: number): void {
    const frame = [...worlds].find(([, world]) => world === executionContextId)?.[0]
    if (frame === undefined) return
    const { channel, args } = JSON.parse(payload) as { channel: string; args: readonly unknown[] }
    const senderFrame = { url, parent: frame === mainFrame ? null : {} }
    ipcMain.emit(channel, { sender: contents, senderFrame }, ...args)
  }

  async function answer(route: Route): Promise<void> {
    const request = route.request()
    const target = fromBrowserUrl(request.url())
    const isTop = request.isNavigationRequest() && request.frame() === page?.mainFrame()
    if (isTop && loading === request.url()) loading = null
    else if (request.isNavigationRequest() && isDenied(target, isTop)) {
      await route.abort('aborted')
      return
    }
    const handler = handlers.get(new URL(target).protocol.slice(0, -1))
    if (!handler) {
      // The double has no network.
      await route.abort('blockedbyclient')
      return
    }
    const response = await handler(new Request(target, { method: request.method() }))
    must(response.status < 300 || response.status >= 400, 'a redirect is not modelled')
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    })
  }

  function isDenied(target: string, isMainFrame: boolean): boolean {
    const event = preventable({ url: target, isMainFrame, isSameDocument: false })
    contents.emit('will-frame-navigate', event)
    if (isMainFrame && !event.defaultPrevented) contents.emit('will-navigate', event)
    return event.defaultPrevented
  }

  async function attach(newPage: Page, preload: string | undefined): Promise<void> {
    page = newPage
    cdp = await newPage.context().newCDPSession(newPage)
    cdp.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return
      mainFrame = frame.id
      url = fromBrowserUrl(frame.url)
      contents.emit('did-navigate', {}, url)
    })
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name !== WORLD) return
      const { frameId } = context.auxData as { frameId: string }
      worlds.set(frameId, context.id)
    })
    cdp.on('Runtime.bindingCalled', ({ payload, executionContextId }) =>
      receive(payload, executionContextId),
    )
    mainFrame = (await cdp.send('Page.getFrameTree')).frameTree.frame.id
    await cdp.send('Page.enable')
    await cdp.send('Runtime.enable')
    await cdp.send('Runtime.addBinding', { name: binding, executionContextName: WORLD })
    if (preload !== undefined) await addPreload(cdp, preload)
    newPage.on('console', (message) => {
      if (message.type() === 'error') pageErrors.push(message.text())
    })
    newPage.on('pageerror', (error) => {
      pageErrors.push(String(error))
    })
    newPage.on('load', () => contents.emit('did-finish-load'))
    // Electron asks before there is a page; here it exists for a moment and is closed.
    const answers: string[] = []
    cdp.on('Page.windowOpen', (opened) => {
      answers.push(openHandler({ url: fromBrowserUrl(opened.url) }).action)
    })
    newPage.on('popup', (popup) => {
      if (answers.shift() === 'deny') void popup.close()
    })
    newPage.on('crash', () => contents.emit('render-process-gone', {}, { reason: 'crashed' }))
    newPage.on('close', () => {
      isDestroyed = true
      contents.emit('destroyed')
    })
    await newPage.route('**/*', answer)
  }

  async function addPreload(session: CDPSession, path: string): Promise<void> {
    const secretText = JSON.stringify(secret)
    const source = `(${mainWorld.toString()})(${secretText})`
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source })
    await session.send('Page.addScriptToEvaluateOnNewDocument', {
      worldName: WORLD,
      source: `if (window === window.top) (${preloadWorld.toString()})(${secretText}, ${JSON.stringify(binding)},
        ({ require, module, exports }) => { const process = undefined; ${readScript(path)}\n })`,
    })
  }

  async function load(target: string): Promise<void> {
    loading = toBrowserUrl(target)
    await page?.goto(loading)
  }

  return { contents, attach, load, page: () => page, pageErrors }
}
