import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base } from '@playwright/test'
import type { Page } from '@playwright/test'
import { ROOT } from '../../scripts/build.ts'

export interface Served {
  /** With the token: one `goto` connects. */
  readonly url: string
  readonly origin: string
  /** A workspace of this test's own; presets, domains and samples come from the repository. */
  readonly workspace: string
}

const SERVER = fileURLToPath(new URL('serve-main.ts', import.meta.url))

/**
 * Starts serve mode in a process of its own, on a free port, in an empty workspace. `file`: what the
 * first page opens.
 */
export async function startTurnscope(
  file?: string,
): Promise<Served & { readonly close: () => Promise<void> }> {
  const workspace = await mkdtemp(join(tmpdir(), 'turnscope-e2e-'))
  const args = [workspace, join(ROOT, 'dist/renderer'), ...(file === undefined ? [] : [file])]
  const server = fork(SERVER, args, {
    execArgv: [],
    // NODE_OPTIONS is the test runner's own.
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const url = await new Promise<string>((resolve, reject) => {
    server.once('message', (message: string) => {
      resolve(message)
    })
    server.once('exit', (code) => {
      reject(new Error(`serve mode ended with ${code ?? 'a signal'} before it served`))
    })
  })
  const close = async () => {
    server.disconnect()
    if (server.exitCode === null) await once(server, 'exit')
    await rm(workspace, { recursive: true, force: true })
  }
  return { url, origin: new URL(url).origin, workspace, close }
}

/**
 * `test` with a running Turnscope: `served` is one server per test, `workbench` a page that shows it.
 * A page that logs an error or breaks the CSP fails its test.
 */
export const test = base.extend<{
  file: string | undefined
  served: Served
  workbench: Page
}>({
  file: [undefined, { option: true }],
  served: async ({ file }, use) => {
    const { close, ...served } = await startTurnscope(file)
    await use(served)
    await close()
  },
  workbench: async ({ page, served }, use) => {
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', (error) => {
      errors.push(String(error))
    })
    await page.goto(served.url)
    await use(page)
    if (errors.length > 0) throw new Error(`the page reported errors:\n${errors.join('\n')}`)
  },
})

export { expect } from '@playwright/test'
