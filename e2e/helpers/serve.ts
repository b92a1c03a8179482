import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, type Page } from '@playwright/test'
import { ROOT } from '../../scripts/build.ts'
import { keyOf } from '../../fixtures/key.ts'
import { temporaryFolder } from './sessions.ts'

export type Files = Awaited<ReturnType<typeof temporaryFolder>>

export interface Served {
  /** With a token for one use: the first `goto` connects, and all pages of its browser have the key then. */
  readonly url: string
  readonly origin: string
  /** A workspace of this test's own; presets, domains and samples come from the repository. */
  readonly workspace: string
}

const SERVER = fileURLToPath(new URL('serve-main.ts', import.meta.url))
/** Node keeps what it compiled here: the second server starts in half the time. */
export const COMPILED = join(ROOT, 'node_modules/.cache/compiled')

/**
 * Starts serve mode in a process of its own, on a free port, in an empty workspace. `file`: what the
 * first page opens. `port`: of a host before. `receiverPort`: where the switch lets traces and logs be received, any
 * free port otherwise: at the usual one somebody else may listen. `kept`: an existing workspace, which is not removed.
 */
export async function startTurnscope(
  file?: string,
  port?: string,
  receiverPort = 0,
  kept: string | null = null,
): Promise<Served & { readonly close: () => Promise<void> }> {
  const workspace = kept ?? (await mkdtemp(join(tmpdir(), 'turnscope-e2e-')))
  const args = [workspace, join(ROOT, 'dist/renderer'), port ?? '0']
  if (file !== undefined) args.push(file)
  // What is trusted there is nobody's: not that of whoever runs the tests.
  const config = `${workspace}-config`
  const server = fork(SERVER, args, {
    execArgv: [],
    // NODE_OPTIONS is the test runner's own.
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_COMPILE_CACHE: COMPILED,
      XDG_CONFIG_HOME: config,
      XDG_CACHE_HOME: config,
      // What agents of whoever runs the tests said is nobody's business here.
      XDG_STATE_HOME: config,
      TURNSCOPE_TEST_RECEIVER_PORT: String(receiverPort),
    },
  })
  const url = await new Promise<string>((resolve, reject) => {
    server.once('message', (message: string) => resolve(message))
    server.once('exit', (code) =>
      reject(new Error(`serve mode ended with ${code ?? 'a signal'} before it served`)),
    )
  })
  const close = async () => {
    server.disconnect()
    if (server.exitCode === null) await once(server, 'exit')
    for (const folder of kept === null ? [workspace, config] : [config])
      await rm(folder, { recursive: true, force: true })
  }
  return { url, origin: new URL(url).origin, workspace, close }
}

/**
 * `test` with a running Turnscope. `workbench`: a page at the start of a server of this test's own,
 * `served`. `linked`: a page that has its key and shows nothing yet, of a server that tests of one worker
 * share: for those that open deep links and change nothing but files of their own. `files`: a folder for
 * them. A page that logs an error or breaks the CSP fails its test.
 */
export const test = base.extend<
  {
    file: string | undefined
    shown: 'first look' | 'all'
    served: Served
    workbench: Page
    linked: Page
    files: Files
  },
  { shared: Served }
>({
  file: [undefined, { option: true }],
  shown: ['first look', { option: true }],
  page: async ({ page, shown }, use) => {
    if (shown === 'all') await page.addInitScript(showAll)
    await use(page)
  },
  served: async ({ file }, use) => {
    const { close, ...served } = await startTurnscope(file)
    await use(served)
    await close()
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  files: async ({}, use) => {
    const files = await temporaryFolder()
    await use(files)
    await files.clean()
  },
  shared: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants a pattern
    async ({}, use) => {
      const { close, ...served } = await startTurnscope()
      await use(served)
      await close()
    },
    { scope: 'worker' },
  ],
  workbench: async ({ page, served }, use) => {
    await withoutErrors(page, async () => {
      await page.goto(served.url)
      // The address opens once: a test that went on before the key is kept would stand outside.
      await page.waitForFunction(() => localStorage.getItem('turnscope.key') !== null)
      await use(page)
    })
  },
  linked: async ({ page, shared }, use) => {
    await withoutErrors(page, async () => {
      await giveKey(page, shared)
      await use(page)
    })
  },
})

async function withoutErrors(page: Page, run: () => Promise<void>): Promise<void> {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => {
    errors.push(String(error))
  })
  await run()
  if (errors.length > 0) throw new Error(`the page reported errors:\n${errors.join('\n')}`)
}

/** [U171] As if somebody had opened every tab and every lane before. Runs in the page. */
function showAll(): void {
  const tabs = 'decision why-not momentum signals prompt budget bundle coach probe raw'.split(' ')
  const lanes = 'self query tokens coach probe persona'.split(' ')
  localStorage.setItem('turnscope.shown', JSON.stringify({ tabs, lanes }))
}

/** As if the page had been there before: an empty document of the origin, and the key in its place. */
async function giveKey(page: Page, { origin, url }: Served): Promise<void> {
  const empty = `${origin}/empty`
  const body = '<link rel="icon" href="data:,">'
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(empty)
  await page.unroute(empty)
  await page.evaluate((key) => localStorage.setItem('turnscope.key', key), await keyOf(url))
}

export { expect } from '@playwright/test'
