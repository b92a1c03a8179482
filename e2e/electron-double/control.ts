import { app, openWindows, recorded } from './app.ts'
import { windowDetails } from './browser-window.ts'
import { openPages } from './engine.ts'
import { ipcMain } from './ipc-main.ts'
import type { Command, DoubleState, ForgedSender } from './options.ts'
import { must, preventable } from './strict.ts'
import { askPermissions, menuItems, openedExternally } from './system.ts'

/** Answers a test's commands over the child process's own channel, one answer a command. */
export function answerCommands(): void {
  // The test is over, or its process died: no browser is left behind.
  process.once('disconnect', () => app.exit(0))
  process.on('message', (message: { readonly id: number; readonly command: Command }) => {
    Promise.resolve()
      .then(() => run(message.command))
      .then(
        (value) => process.send?.({ id: message.id, value }),
        (error: unknown) => process.send?.({ id: message.id, error: String(error) }),
      )
  })
}

function theWindow() {
  const [details] = windowDetails.values()
  must(details !== undefined, 'there is no window')
  return details.contents
}

function thePage() {
  const page = theWindow().page()
  must(page !== null, 'the window has no page yet')
  return page
}

async function state(): Promise<DoubleState> {
  const [details] = windowDetails.values()
  return {
    windows: openWindows.size,
    pages: await openPages(),
    visible: details?.isVisible() ?? false,
    openedExternally,
    ...recorded,
    channels: ipcMain.eventNames(),
    devTools: details?.devTools ?? false,
    pageErrors: details?.contents.pageErrors ?? [],
  }
}

function forge(channel: string, message: unknown, from: ForgedSender): void {
  const { contents } = theWindow()
  const sender = from.contentsId === 'own' ? contents : { id: contents.id + 1000 }
  const frame = { url: from.url, parent: from.isMainFrame ? null : {} }
  ipcMain.emit(channel, { sender, senderFrame: from.url === null ? null : frame }, message)
}

type Answers = {
  readonly [Op in Command['op']]: (command: Extract<Command, { op: Op }>) => unknown
}

const ANSWERS: Answers = {
  evaluate: ({ expression }) => thePage().evaluate(expression),
  waitFor: ({ selector }) => thePage().locator(selector).first().waitFor({ timeout: 30_000 }),
  state,
  appEvent: ({ event, args }) => app.emit(event, preventable({}), ...args),
  contentsEvent: ({ event, details }) => {
    const fired = preventable(details)
    theWindow().contents.emit(event, fired)
    return fired.defaultPrevented
  },
  ipc: ({ channel, message, from }) => forge(channel, message, from),
  permissions: ({ permission, url }) => askPermissions(permission, url),
  menu: ({ id }) => {
    must(menuItems.has(id), `there is no menu item ${id}`)
    menuItems.get(id)?.click?.()
  },
  closeWindow: () => {
    for (const close of openWindows.values()) void close()
  },
}

function run(command: Command): unknown {
  // The table has an entry for every op that takes commands of that op.
  const answer = ANSWERS[command.op] as (command: Command) => unknown
  return answer(command)
}
