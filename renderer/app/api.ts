import type { TurnscopeContract } from '../../core/wire/contract.ts'
import {
  hasOtherKey,
  onOtherKey,
  pastedAddress,
  printedName,
  stateOfKey,
  tokenOf,
  wayIn,
} from './origin-key.ts'
import { type Client, type Port, connect } from '../../core/wire/rpc.ts'
import { socketPort } from '../../core/wire/socket-port.ts'

/**
 * The object that the desktop preload or an exported page puts on the window: an opaque message pipe, and the path of a
 * dropped file.
 */
interface Bridge {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  pathForFile(file: File): string
  /** An exported page: files, folders, programs and services of a machine are absent. */
  readonly isPage?: boolean
  /** Sentences about the page's contents and omissions. */
  readonly about?: readonly string[]
  /** [U120] [U122] Capabilities that the exported page lacks. */
  readonly lacks?: readonly string[]
  /** [U128] The page's host did not answer any more and was ended; another one is there. */
  readonly onGone?: (listener: () => void) => void
  readonly onAgain?: (listener: () => void) => void
  /** [U127] Returns the page with its edits as a file. */
  readonly asFile?: () => Promise<string>
}
declare global {
  interface Window {
    readonly turnscope?: Bridge
  }
}

export type Host = Client<TurnscopeContract>

/**
 * `no_token`: there is no key in this browser. `used`: the address was used before, elsewhere. `new_key`:
 * the host was started again and takes other keys. `refused`: no host answers.
 */
export type Shut = 'no_token' | 'used' | 'new_key' | 'refused'

/** Receives connection changes; each `online` brings a new client. */
export interface ConnectionListener {
  /** `settle` drops prefetched answers that no caller has taken over (U204). */
  online(host: Host, settle: () => void): void
  lost(attempt: number, retryInMs: number): void
  /** Access is impossible until the operator acts. */
  shut(why: Shut): void
}

const PROTOCOL = 'turnscope.rpc'
const nothingAhead = (): void => undefined
const RETRY_MS = [400, 800, 1600, 3200, 6400, 10_000] as const

/** [R14] Whether this window is an exported HTML file. Known before anything is asked of the host. */
export function isPage(): boolean {
  return 'window' in globalThis && window.turnscope?.isPage === true
}

/** Whether this is a window of the desktop shell. */
export function isDesktop(): boolean {
  return window.turnscope !== undefined && !isPage()
}

/** A capability that a feature may need and an exported page may lack. */
export type Need = 'machine' | 'text' | 'edit'

/** [R14] [U120] [U122] A live window has every capability. An exported page has those it was exported with. */
export function has(need: Need): boolean {
  if (!isPage()) return true
  return need !== 'machine' && window.turnscope?.lacks?.includes(need) !== true
}

/** [R14] Sentences in which an exported page describes itself. */
export function aboutPage(): readonly string[] {
  return window.turnscope?.about ?? []
}

/** [U127] An exported page as a file, with the labels and edits that were made in it. */
export async function pageAsFile(): Promise<string> {
  const text = await window.turnscope?.asFile?.()
  if (text === undefined) throw new Error('this window is no exported page')
  return text
}

/** Path of a dropped file if the shell provides it; null in a browser and for files that are not on disk. */
export function pathForFile(file: File): string | null {
  const path = window.turnscope?.pathForFile(file) ?? ''
  return path === '' ? null : path
}

/**
 * [U74] Follows a pasted address: this page takes its token, or is replaced by the page of the other host. Returns
 * false if the text is no such address. The place on screen is kept.
 */
export function takeAddress(text: string, retry: () => void): boolean {
  const place = location.hash.replace(/^#/u, '')
  const address = pastedAddress(text, location.origin, place)
  if (address.kind === 'none') return false
  if (address.kind === 'there') location.assign(address.url)
  else {
    history.replaceState(history.state, '', `${location.pathname}#token=${address.token}&${place}`)
    retry()
  }
  return true
}

/**
 * Connects to the host that served this page, through the desktop shell's pipe or else a WebSocket with this origin's
 * key. Reconnects automatically. Returns `retry`, which tries again immediately.
 */
export function connectHost(listener: ConnectionListener): () => void {
  const bridge = window.turnscope
  if (bridge) {
    const open = () => {
      const port: Port = {
        post: (message) => bridge.post(message),
        onMessage: (receive) => bridge.onMessage(receive),
        onClose: (closed) => bridge.onGone?.(closed),
      }
      listener.online(connect<TurnscopeContract>(port), nothingAhead)
    }
    bridge.onGone?.(() => listener.lost(0, 0))
    bridge.onAgain?.(open)
    open()
    return () => undefined
  }
  return connectSocket(listener)
}

function connectSocket(listener: ConnectionListener): () => void {
  let attempt = 0
  let everOpen = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: WebSocket | null = null

  const retry = () => {
    const wait = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 10_000
    attempt += 1
    listener.lost(attempt, wait)
    timer = setTimeout(() => void open(), wait)
  }
  const closed = async (key: string) => {
    const state = await stateOfKey(key)
    // Two tabs opened one link: the key of the later one holds.
    if (state === 'other' && hasOtherKey(key)) await open()
    else if (state === 'other') listener.shut('new_key')
    else if (everOpen) retry()
    else listener.shut('refused')
  }
  const open = async () => {
    clearTimeout(timer)
    current = null
    const way = await wayIn()
    if ('why' in way) {
      const printed = way.why === 'no_token' ? printedName(location.href) : null
      if (printed === null) listener.shut(way.why)
      else location.replace(printed)
      return
    }
    const url = new URL('rpc', location.href)
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
    url.hash = ''
    const socket = new WebSocket(url, [PROTOCOL, way.key])
    current = socket
    socket.addEventListener('open', () => {
      attempt = 0
      everOpen = true
      listener.online(connect<TurnscopeContract>(portOf(socket)), nothingAhead)
    })
    socket.addEventListener('close', () => {
      if (current === socket) void closed(way.key)
    })
  }
  /** [U19] An address that is pasted into this very tab changes nothing but the fragment. */
  const isOpen = () => current?.readyState === WebSocket.OPEN
  addEventListener('hashchange', () => {
    if (tokenOf(location.hash) !== null && !isOpen()) void open()
  })
  onOtherKey(() => {
    if (!isOpen()) void open()
  })
  void open()
  return () => void open()
}

function portOf(socket: WebSocket): Port {
  return socketPort({
    isOpen: () => socket.readyState === WebSocket.OPEN,
    send: (text) => socket.send(text),
    onText: (listener) =>
      socket.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (typeof event.data === 'string') listener(event.data)
      }),
    onClose: (gone) => socket.addEventListener('close', gone),
  })
}
