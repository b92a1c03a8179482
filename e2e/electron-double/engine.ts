import { readFileSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { type DoubleOptions, OPTIONS_VARIABLE } from './options.ts'

/** The options of this run. */
export const options = JSON.parse(process.env[OPTIONS_VARIABLE] ?? '{}') as DoubleOptions

const launched: Promise<Browser> = chromium.launch({
  executablePath: options.browser,
  args: [...options.launchArgs],
})

let context: Promise<BrowserContext> | null = null

/** A new page of the browser that backs all windows. */
export async function newPage(size: { width: number; height: number }): Promise<Page> {
  context ??= launched.then(async (browser) => {
    const made = await browser.newContext({ viewport: size })
    // Requests that no window's route answers (a popup) also reach no network.
    await made.route('**/*', (route) => route.abort('blockedbyclient'))
    return made
  })
  return (await context).newPage()
}

export async function openPages(): Promise<number> {
  return context === null ? 0 : (await context).pages().length
}

export async function closeBrowser(): Promise<void> {
  await (await launched).close()
}

export interface Scheme {
  readonly standard?: boolean
  readonly secure?: boolean
}

export type ProtocolHandler = (request: Request) => Promise<Response> | Response

/** Custom schemes: registered before ready, handled after. */
export const schemes = new Map<string, Scheme>()
export const handlers = new Map<string, ProtocolHandler>()

/**
 * Chromium outside Electron knows no custom scheme: `app://host/path` is shown to it as
 * `https://host.app.invalid/path`, and translated back for everything that the app sees.
 */
export function toBrowserUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { protocol, host, pathname, search, hash } = new URL(url)
  const scheme = protocol.slice(0, -1)
  if (!schemes.has(scheme)) return url
  return `https://${host}.${scheme}.invalid${pathname}${search}${hash}`
}

export function fromBrowserUrl(url: string): string {
  const match = /^https:\/\/([^/]*)\.([a-z]+)\.invalid(\/.*)?$/.exec(url)
  if (!match?.[2] || !schemes.has(match[2])) return url
  return `${match[2]}://${match[1] ?? ''}${match[3] ?? '/'}`
}

export function readScript(path: string): string {
  return readFileSync(path, 'utf8')
}
