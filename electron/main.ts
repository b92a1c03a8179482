import { statSync } from 'node:fs'
import { join, basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  protocol,
  safeStorage,
  session,
  shell,
  type Dialog,
} from 'electron'
import type { TrustItem } from '../core/engine/schema/trust.ts'
import type { HostEvent } from '../core/wire/contract.ts'
import { makeYours } from '../core/host/workspace/make-yours.ts'
import { createHost, type Dialogs } from '../core/host/entries/host.ts'
import type { Updates } from '../core/host/updates/main/updates.ts'
import { ownAutomata } from '../core/host/automata/write.ts'
import { compilePatternsAtOnce } from '../core/host/rules/compile-patterns.ts'
import { itemsNow } from '../core/host/trust/main/trust.ts'
import { createAssetHandler } from './asset-handler.ts'
import { openUpdates } from './updates/open.ts'
import { openExternalLink } from './external-links.ts'
import { createKeychainVault } from './key-store.ts'
import { menuTemplate } from './menu.ts'
import { LINK_SCHEME } from '../core/host/windows/deep-link.ts'
import { announceDesktop } from '../core/host/windows/opener.ts'
import { linkEvent, openFileEvent, openRequests } from './open-request.ts'
import { createOutbox } from './outbox.ts'
import { servePorts } from './ports.ts'
import { finishBeforeQuit } from './quit.ts'
import { APP_SCHEME, denyPermissions, guardContents, isOwnPage } from './security.ts'
import { loadPage, openWindow, reveal } from './window.ts'
import { seedWorkspace } from './workspace.ts'

/** Composition root: connects the parts, decides nothing. The order before and after `ready` is Electron's rule. */
protocol.registerSchemesAsPrivileged([APP_SCHEME])
app.enableSandbox()
compilePatternsAtOnce()

const outbox = createOutbox<HostEvent>()
const quitting = finishBeforeQuit(app)
const openLink = (url: string) => openExternalLink(shell, url)

function openAll(args: readonly string[], cwd: string): void {
  for (const event of openRequests(args, cwd, isFile)) outbox.send(event)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function revealAny(): void {
  const [window] = BrowserWindow.getAllWindows()
  if (window) reveal(window)
}

/** Folder that ships with Turnscope: plain files beside the archive once installed, the repository in a clone. */
function shippedFolder(): string {
  return app.isPackaged ? join(process.resourcesPath, 'shipped') : app.getAppPath()
}

/**
 * The workspace: in a clone, the repository or the folder given to `npm start`. In an installed app, a folder of the
 * operator's, filled on first start.
 */
async function findWorkspace(shipped: string): Promise<string> {
  if (!app.isPackaged) return process.env['TURNSCOPE_WORKSPACE'] ?? shipped
  const workspace = join(app.getPath('userData'), 'workspace')
  await seedWorkspace(shipped, workspace, app.getVersion())
  return workspace
}

/** `npm start -- --trust`: all that the workspace names now may be used, for this start only. */
async function trustedNow(workspace: string, shipped: string): Promise<readonly TrustItem[]> {
  if (app.isPackaged || process.env['TURNSCOPE_TRUST'] !== '1') return []
  return itemsNow(workspace, shipped)
}

/** `npm start -- --preset P`: for this start only, nothing is stored. */
function startPreset(): { readonly preset?: string } {
  const preset = process.env['TURNSCOPE_PRESET']
  return preset === undefined ? {} : { preset }
}

/** [F180] Updates of this install, if it can update itself. */
function updatesHere(): Promise<Updates> {
  return openUpdates({
    platform: process.platform,
    env: process.env,
    execPath: process.execPath,
    isPackaged: app.isPackaged,
    resourcesPath: process.resourcesPath,
    isWindowsStore: process.windowsStore,
  })
}

/** Script of a thread. */
function threadAt(name: string): URL {
  return pathToFileURL(join(app.getAppPath(), `dist/main/${name}.cjs`))
}

async function start(): Promise<void> {
  await app.whenReady()
  denyPermissions(session.defaultSession)
  protocol.handle(APP_SCHEME.scheme, createAssetHandler(join(app.getAppPath(), 'dist/renderer')))
  const shipped = shippedFolder()
  const workspace = await findWorkspace(shipped)
  const stateDir = join(workspace, '.turnscope')
  const host = createHost({
    workspace,
    shipped,
    stateDir,
    mode: 'desktop',
    // An installed application has a workspace in its own folder, which it filled itself.
    isOwnWorkspace: app.isPackaged,
    makeYours,
    thisRun: await trustedNow(workspace, shipped),
    ...startPreset(),
    keyVault: createKeychainVault({
      safeStorage,
      path: join(stateDir, 'coach', 'key.bin'),
      platform: process.platform,
    }),
    version: app.getVersion(),
    automata: ownAutomata(process.env),
    sessionUrl: threadAt('session'),
    labUrl: threadAt('lab'),
    probeUrl: threadAt('probe'),
    hookUrl: threadAt('hook-host'),
    receiverUrl: threadAt('otlp'),
    resultsUrl: threadAt('results'),
    dialogs: createDialogs(dialog),
    // [F167] Not before: a link may name anything.
    onOpened: (path) => app.addRecentDocument(path),
    updates: await updatesHere(),
  })
  quitting.add(() => host.close())
  outbox.connect((event) => host.push(event))

  const showWindow = () => {
    const window = openWindow({
      preload: join(app.getAppPath(), 'dist/preload/preload.cjs'),
      devTools: !app.isPackaged,
      statePath: join(stateDir, 'window.json'),
      onSaving: (saved) => quitting.add(() => saved),
    })
    servePorts({
      ipcMain,
      contents: window.webContents,
      isOwnPage,
      mount: (port) => host.mount(port),
    })
    loadPage(window)
  }
  const run = (command: string) => outbox.send({ kind: 'command', command })
  const isMac = process.platform === 'darwin'
  const template = menuTemplate({ isMac, isPackaged: app.isPackaged, run, openLink })
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) showWindow()
  })
  showWindow()
}

if (app.requestSingleInstanceLock()) {
  // [L109] Commands write links that open here.
  if (app.isPackaged && app.setAsDefaultProtocolClient(LINK_SCHEME))
    void announceDesktop(process.env['APPIMAGE'] ?? process.execPath)
  openAll(process.argv.slice(1), process.cwd())
  app.on('open-file', (event, path) => {
    event.preventDefault()
    outbox.send(openFileEvent(path))
    revealAny()
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    // A link is parsed as a link in any form that the system passes it, never as a path.
    outbox.send(linkEvent(url))
    revealAny()
  })
  app.on('second-instance', (_event, argv, cwd) => {
    openAll(argv.slice(1), cwd)
    revealAny()
  })
  app.on('web-contents-created', (_event, contents) => guardContents(contents, openLink))
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  start().catch((error: unknown) => {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    dialog.showErrorBox('Turnscope cannot start', reason)
    app.exit(1)
  })
} else {
  app.quit()
}

const FILTERS = [
  { name: 'Session transcripts', extensions: ['jsonl', 'json', 'ndjson', 'parquet'] },
  { name: 'All files', extensions: ['*'] },
]

const SAVE_FILTERS = [{ name: 'Turnscope JSONL', extensions: ['jsonl'] }]

/** The native file dialogs. */
function createDialogs(dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>): Dialogs {
  return {
    open: async () => {
      const { canceled, filePaths } = await dialog.showOpenDialog({
        title: 'Open sessions',
        properties: ['openFile', 'multiSelections'],
        filters: FILTERS,
      })
      return canceled ? [] : filePaths
    },
    folder: async () => {
      const { canceled, filePaths } = await dialog.showOpenDialog({
        title: 'Add a folder of sessions',
        buttonLabel: 'Add',
        properties: ['openDirectory'],
      })
      return canceled ? null : (filePaths[0] ?? null)
    },
    save: async (suggested) => {
      const { canceled, filePath } = await dialog.showSaveDialog({
        title: 'Export a session',
        // A name only: the system keeps the folder that was used last.
        defaultPath: basename(suggested),
        filters: SAVE_FILTERS,
      })
      return canceled || filePath === '' ? null : filePath
    },
  }
}
