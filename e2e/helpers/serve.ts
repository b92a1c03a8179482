import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, type Page } from '@playwright/test'
import { ROOT } from '../../scripts/build.ts'
import { keyOf } from '../../fixtures/key.ts'
import { serveWorkspace } from './host-process.ts'
import { temporaryFolder } from './sessions.ts'

export type Files = Awaited<ReturnType<typeof temporaryFolder>>

export interface Served {
  /** With a token for one use: the first `goto` connects, and all pages of its browser have the key then. */
  readonly url: string
  readonly origin: string
  /** A workspace of this test's own; presets, domains and samples come from the repository. */
  readonly workspace: string
}

interface StartOptions {
  /** File that the first page opens. */
  readonly file?: string
  /** Port of a host that was closed before. Any free port if left out. */
  readonly port?: string
  /**
   * Port on which the window's switch receives traces and logs. Any free port if left out, because the usual one may be
   * in use.
   */
  readonly receiverPort?: number
  /** An existing workspace, which the caller removes. A fresh empty one if left out. */
  readonly workspace?: string
  /** Address of a feed of updates. */
  readonly feed?: string
  /** Variables of the environment while it runs. */
  readonly variables?: Readonly<Record<string, string>>
}

/** Starts serve mode on a free port, over an empty workspace, in a host process of this Playwright worker. */
export async function startTurnscope(
  options: StartOptions = {},
): Promise<Served & { readonly close: () => Promise<void> }> {
  const workspace = options.workspace ?? (await mkdtemp(join(tmpdir(), 'turnscope-e2e-')))
  // Trust, keys and hook results of the account that runs the tests must not be read or written.
  const config = `${workspace}-config`
  const { url, close } = await serveWorkspace({
    op: 'start',
    workspace,
    root: join(ROOT, 'dist/renderer'),
    port: Number(options.port ?? 0),
    receiverPort: options.receiverPort ?? 0,
    file: options.file ?? null,
    feed: options.feed ?? null,
    variables: {
      XDG_CONFIG_HOME: config,
      XDG_CACHE_HOME: config,
      XDG_STATE_HOME: config,
      ...options.variables,
    },
  })
  const folders = options.workspace === undefined ? [workspace, config] : [config]
  const closeAll = async () => {
    try {
      await close()
    } finally {
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    }
  }
  return { url, origin: new URL(url).origin, workspace, close: closeAll }
}

/**
 * `test` with a running Turnscope. `workbench`: a page on the first screen of a host with a fresh workspace, `served`.
 * `placed`: a page of `served` that has its key and shows nothing yet, for tests that open a link first. `linked`: the
 * same for a host that all tests of one worker share, for tests that change nothing but their own files. `files`: a
 * folder for them. A page that logs an error or breaks the CSP fails its test.
 */
export const test = base.extend<
  {
    file: string | undefined
    shown: 'first look' | 'all'
    served: Served
    workbench: Page
    placed: Page
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
    const { close, ...served } = await startTurnscope(file === undefined ? {} : { file })
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
      // The address works once. A test that continued before the key is stored would have no access.
      await page.waitForFunction(() => localStorage.getItem('turnscope.key') !== null)
      await use(page)
    })
  },
  placed: async ({ page, served }, use) => {
    await withoutErrors(page, async () => {
      await giveKey(page, served)
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

/** [U171] Sets the stored state of a browser in which every tab and lane was opened. Runs in the page. */
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
