import { join } from 'node:path'
import { expect } from '@playwright/test'
import { ROOT } from '../../scripts/build.ts'
import { type Double, type WireMessage, waitUntil } from './launch.ts'
import type { ForgedSender, PermissionAnswers } from './options.ts'

/** One thing that the built shell has to do; a mutant names the check that catches it. */
export type Check = (double: Double) => Promise<void>

const PAGE = 'app://turnscope/'
const CHANNEL = 'turnscope:rpc'
const SAMPLE_FILE = join(ROOT, 'fixtures/sessions/st-003.jsonl')

const last = (messages: readonly WireMessage[]) => messages.at(-1)
const valueOf = (messages: readonly WireMessage[]) => last(messages)?.v as Record<string, unknown>
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Events that the window got after `act`, at least `count` of them. */
export async function eventsAfter(
  double: Double,
  count: number,
  act: () => Promise<unknown>,
): Promise<readonly unknown[]> {
  const id = await double.subscribe('host.events', {})
  // A call behind it on the same pipe: when that is answered, the stream is open.
  await double.rpc('settings.get', {})
  const before = (await double.received(id)).length
  await act()
  const after = async () => (await double.received(id)).slice(before)
  await waitUntil(async () => (await after()).length >= count, double)
  return (await after()).map(({ v }) => v)
}

const openEvent = (path: string, turn: number | null = null, tab: string | null = null) => ({
  kind: 'open',
  source: { kind: 'path', path },
  turn,
  tab,
})

async function isAnswered(double: Double, from: ForgedSender, id: number): Promise<boolean> {
  await double.received(id)
  const message = { id, t: 'open', m: 'settings.get', p: {} }
  await double.ask({ op: 'ipc', channel: CHANNEL, message, from })
  // A call of the page itself goes the same way behind it.
  await double.rpc('settings.get', {})
  return (await double.received(id)).length > 0
}

export const CHECKS = {
  'shows one window with one IPC channel, no developer tools once installed': async (double) => {
    const state = await double.state()
    expect(state).toMatchObject({ windows: 1, pages: 1, visible: true, devTools: false })
    expect(state.channels).toEqual([CHANNEL])
    expect(state.protocolClients).toEqual(['turnscope'])
  },

  'shows the workbench without an error on the page': async (double) => {
    await double.ask({ op: 'waitFor', selector: '#root > *' })
    await double.rpc('library.list', {})
    expect((await double.state()).pageErrors).toEqual([])
  },

  'gives the page one frozen pipe and nothing of Node': async (double) => {
    const seen = await double.evaluate(`({
      keys: Object.keys(window.turnscope ?? {}),
      frozen: Object.isFrozen(window.turnscope),
      node: [typeof require, typeof process, typeof module, typeof Buffer],
      secure: isSecureContext,
      leaks: Object.getOwnPropertyNames(window).filter((name) => /electron|ipc|double/i.test(name) && name !== 'doubleInbox'),
    })`)
    expect(seen).toEqual({
      keys: ['post', 'onMessage', 'pathForFile'],
      frozen: true,
      node: ['undefined', 'undefined', 'undefined', 'undefined'],
      secure: true,
      leaks: [],
    })
    expect(await double.evaluate(`window.turnscope.pathForFile(new File(['x'], 'x.jsonl'))`)).toBe(
      '',
    )
  },

  'answers a call': async (double) =>
    expect(valueOf(await double.rpc('host.info', {}))).toMatchObject({
      mode: 'desktop',
      nativeDialog: true,
    }),

  'opens a sample session as a stream, then replays it in a worker thread': async (double) => {
    const { samples } = valueOf(await double.rpc('library.list', {})) as {
      samples: ReadonlyArray<{ id: string }>
    }
    expect(samples.length).toBeGreaterThan(0)
    const source = { kind: 'sample', id: samples[0]?.id }
    const opening = await double.rpc('session.open', { source })
    const opened = opening.filter(({ t }) => t === 'next').at(-1)?.v as Record<string, unknown>
    expect(opened).toMatchObject({ kind: 'opened' })
    const config = { preset: 'recommended', domains: 'default', profile: null, classify: null }
    const input = { key: opened['key'], session: 0, config, compare: null }
    const replaying = await double.rpc('session.replay', input)
    expect(last(replaying)?.e?.message ?? 'ok').toBe('ok')
    const packed = JSON.parse(replaying.at(-2)?.j ?? 'null') as unknown
    expect(packed).toMatchObject({ kind: 'replayed' })
  },

  'refuses bad input and unknown methods': async (double) => {
    const code = async (method: string, input: unknown) => last(await double.rpc(method, input))?.e
    expect(await code('host.domains', { preset: 7 })).toMatchObject({ code: 'BAD_INPUT' })
    expect(await code('no.such', {})).toMatchObject({ code: 'NO_METHOD' })
    expect(await code('toString', {})).toMatchObject({ code: 'NO_METHOD' })
  },

  'serves its files and nothing else, with a CSP header that Chromium enforces': async (double) => {
    const seen = await double.evaluate<Record<string, unknown>>(`(async () => {
      const page = await fetch('/')
      const blocked = []
      addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective))
      const script = document.createElement('script')
      try {
        script.textContent = 'window.inlineRan = true'
      } catch {}
      document.head.append(script)
      await fetch('https://elsewhere.example/').catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 100))
      const status = async (path, init) => (await fetch(path, init)).status
      return {
        csp: page.headers.get('content-security-policy'),
        nosniff: page.headers.get('x-content-type-options'),
        inlineRan: window.inlineRan === true,
        blocked,
        statuses: [
          await status('/no-such-file'),
          await status('/%2e%2e/main/main.cjs'),
          await status('/', { method: 'POST' }),
        ],
      }
    })()`)
    expect(seen).toEqual({
      csp: expect.stringContaining(
        "default-src 'none'; script-src 'self'; style-src 'self';",
      ) as unknown,
      nosniff: 'nosniff',
      inlineRan: false,
      blocked: ['require-trusted-types-for', 'connect-src'],
      statuses: [404, 404, 405],
    })
  },

  'stays on its page: navigations, frames, redirects and webviews are denied': async (double) => {
    const stream = await double.subscribe('host.events', {})
    const before = await double.evaluate('location.href')
    await double.evaluate(`void (location.href = 'https://elsewhere.example/')`)
    await pause(300)
    expect(await double.evaluate('location.href')).toBe(before)
    const denied = (event: string, details: object) =>
      double.ask<boolean>({ op: 'contentsEvent', event, details })
    const main = (url: string) => ({ url, isMainFrame: true })
    for (const url of [
      'https://turnscope/',
      'app://other/',
      'app://turnscope.example/',
      'data:,x',
    ]) {
      expect(await denied('will-navigate', main(url)), url).toBe(true)
    }
    expect(await denied('will-navigate', main(`${PAGE}index.html`))).toBe(false)
    expect(await denied('will-frame-navigate', { url: PAGE, isMainFrame: false })).toBe(true)
    expect(await denied('will-redirect', main(PAGE))).toBe(true)
    expect(await denied('will-attach-webview', {})).toBe(true)
    // The page did not navigate, so its open stream still works.
    await double.ask({ op: 'menu', id: 'theme-light' })
    await waitUntil(async () => (await double.received(stream)).length > 0, double)
  },

  'opens no window; allow-listed links go to the browser of the person': async (double) => {
    const before = (await double.state()).openedExternally.length
    const link = 'https://docs.python.org/3/library/re.html'
    for (const url of ['https://elsewhere.example/', 'file:///etc/passwd', 'about:blank', link]) {
      await double.evaluate(`void window.open(${JSON.stringify(url)})`)
    }
    await waitUntil(async () => (await double.state()).openedExternally.length > before, double)
    await pause(500)
    // The double closes each page it opened; this takes a moment on a busy machine.
    await waitUntil(async () => (await double.state()).pages === 1, double)
    const state = await double.state()
    expect(state.openedExternally.slice(before)).toEqual([link])
    expect({ windows: state.windows, pages: state.pages }).toEqual({ windows: 1, pages: 1 })
  },

  'closes what was open when the page loads again, and works again': async (double) => {
    const old = await double.subscribe('host.events', {})
    await double.rpc('settings.get', {})
    await double.evaluate(`void location.reload()`)
    const isNew = `!('doubleInbox' in window) && document.readyState === 'complete'`
    // A question that meets the document on its way out gets no answer.
    await waitUntil(() => double.evaluate<boolean>(isNew).catch(() => false), double)
    const events = await eventsAfter(double, 1, () => double.ask({ op: 'menu', id: 'theme-dark' }))
    expect(events).toEqual([{ kind: 'command', command: 'theme-dark' }])
    expect(await double.received(old)).toEqual([])
  },

  'hears no other window, frame or origin': async (double) => {
    const own = { contentsId: 'own', url: `${PAGE}index.html`, isMainFrame: true } as const
    const forged = (change: Partial<ForgedSender>) => ({ ...own, ...change })
    expect(await isAnswered(double, own, 2_000_000_000)).toBe(true)
    const senders = [
      forged({ contentsId: 'other' }),
      forged({ isMainFrame: false }),
      forged({ url: null }),
      forged({ url: 'https://turnscope/' }),
      forged({ url: 'app://turnscope.example/' }),
      forged({ url: 'app://turnscope@other/' }),
      forged({ url: '' }),
    ]
    for (const [index, sender] of senders.entries()) {
      expect(await isAnswered(double, sender, 2_000_000_001 + index), sender.url ?? 'null').toBe(
        false,
      )
    }
  },

  'grants no permission but writing text to the clipboard': async (double) => {
    const ask = (permission: string, url: string) =>
      double.ask<PermissionAnswers>({ op: 'permissions', permission, url })
    const none = { request: false, check: false, device: false, displayMedia: false }
    for (const permission of ['media', 'geolocation', 'notifications', 'usb', 'clipboard-read']) {
      expect(await ask(permission, PAGE), permission).toEqual(none)
    }
    const write = 'clipboard-sanitized-write'
    expect(await ask(write, PAGE)).toEqual({ ...none, request: true, check: true })
    expect(await ask(write, 'https://elsewhere.example/')).toEqual(none)
  },

  'hands files and deep links of the system to the window': async (double) => {
    const relative = 'fixtures/sessions/st-003.jsonl'
    const link = `turnscope://open?path=${encodeURIComponent(SAMPLE_FILE)}&turn=12&tab=momentum`
    const fire = (event: string, ...args: readonly unknown[]) =>
      double.ask({ op: 'appEvent', event, args })
    const events = await eventsAfter(double, 5, async () => {
      await fire('second-instance', ['turnscope', '--no-sandbox', relative, 'gone.jsonl'], ROOT)
      await fire('second-instance', ['turnscope', link], ROOT)
      await fire('open-url', 'turnscope://open?path=//host/share/x.jsonl')
      await fire('open-url', link)
      await fire('open-file', SAMPLE_FILE)
    })
    expect(events).toEqual([
      openEvent(SAMPLE_FILE),
      openEvent(SAMPLE_FILE, 12, 'momentum'),
      expect.objectContaining({ kind: 'refused' }),
      openEvent(SAMPLE_FILE, 12, 'momentum'),
      openEvent(SAMPLE_FILE),
    ])
    const isRecent = async () => (await double.state()).recentDocuments.includes(SAMPLE_FILE)
    await waitUntil(isRecent, double, 30_000)
  },

  'shows the turn and the tab of a deep link': async (double) => {
    const link = `turnscope://open?path=${encodeURIComponent(SAMPLE_FILE)}&turn=7&tab=why-not`
    await double.ask({ op: 'appEvent', event: 'open-url', args: [link] })
    const isShown = `/turn=7&tab=why-not/.test(location.hash)`
    await waitUntil(() => double.evaluate<boolean>(isShown), double, 30_000)
    await double.ask({ op: 'waitFor', selector: '[role=tab][aria-selected=true] >> text=Why not' })
    const isRecent = async () => (await double.state()).recentDocuments.includes(SAMPLE_FILE)
    await waitUntil(isRecent, double, 30_000)
  },

  'sends menu items to the window as commands': async (double) => {
    const events = await eventsAfter(double, 1, () => double.ask({ op: 'menu', id: 'palette' }))
    expect(events).toEqual([{ kind: 'command', command: 'palette' }])
  },

  'keeps its window place and ends with 0 when the window closes': async (double) => {
    await double.ask({ op: 'closeWindow' }).catch(() => undefined)
    expect(await double.exited(), double.output()).toBe(0)
  },
} as const satisfies Readonly<Record<string, Check>>

export type CheckName = keyof typeof CHECKS
