import type { IpcMain, IpcMainEvent, WebContents } from 'electron'
import type { Port } from '../core/wire/rpc.ts'
import { CHANNEL } from './channel.ts'

interface WindowPorts {
  readonly ipcMain: Pick<IpcMain, 'on' | 'off'>
  readonly contents: WebContents
  /** True for the URLs of our own page. */
  readonly isOwnPage: (url: string) => boolean
  /** Puts the host behind a port; called once for every document that speaks. */
  readonly mount: (port: Port) => void
}

interface OpenPort {
  readonly deliver: (message: unknown) => void
  readonly close: () => void
}

/**
 * One port per document of a window. A message counts only when it comes from this window, from its
 * main frame, and from our own page; a load, a crash or the end of the window closes the port, and
 * with it all that was open.
 *
 * The end of a document is `did-navigate` (committed), not `did-start-navigation`: that one also
 * fires for navigations which are then denied, and would cut off a page that stays.
 */
export function servePorts(options: WindowPorts): void {
  const { ipcMain, contents } = options
  let current: OpenPort | null = null

  const onMessage = (event: IpcMainEvent, message: unknown) => {
    if (!isTrustedSender(event, options)) return
    current ??= openPort(contents, options.mount)
    current.deliver(message)
  }
  const closeCurrent = () => {
    const closing = current
    current = null
    closing?.close()
  }

  ipcMain.on(CHANNEL, onMessage)
  contents.on('did-navigate', closeCurrent)
  contents.on('render-process-gone', closeCurrent)
  contents.once('destroyed', () => {
    ipcMain.off(CHANNEL, onMessage)
    closeCurrent()
  })
}

function isTrustedSender(
  event: Pick<IpcMainEvent, 'sender' | 'senderFrame'>,
  options: Pick<WindowPorts, 'contents' | 'isOwnPage'>,
): boolean {
  const frame = event.senderFrame
  // Null when the frame navigated away or died between sending and receiving.
  if (event.sender.id !== options.contents.id || frame === null) return false
  return frame.parent === null && options.isOwnPage(frame.url)
}

function openPort(contents: WebContents, mount: (port: Port) => void): OpenPort {
  const messageListeners: Array<(message: unknown) => void> = []
  const closeListeners: Array<() => void> = []
  let closed = false
  mount({
    post: (message) => {
      if (!closed && !contents.isDestroyed()) contents.send(CHANNEL, message)
    },
    onMessage: (listener) => {
      messageListeners.push(listener)
    },
    onClose: (listener) => {
      closeListeners.push(listener)
    },
  })
  return {
    deliver: (message) => {
      for (const listener of messageListeners) listener(message)
    },
    close: () => {
      closed = true
      for (const listener of closeListeners) listener()
    },
  }
}
