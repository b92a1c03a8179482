import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { makeSession } from '../fixtures/host.ts'
import { keyOf } from '../fixtures/key.ts'
import { expect, startTurnscope, test } from './helpers/serve.ts'
import { repeatedSample } from './helpers/sessions.ts'

const NAME = 'chat.jsonl'

/** Goes to an address and chooses a file in the browser's dialog, which gives a copy and no handle. */
async function choose(page: Page, url: string, text: string): Promise<void> {
  // From the start: the browser needs a moment before it hands its dialog over.
  const chosen = page.waitForEvent('filechooser')
  await page.goto(url)
  // The host is connected: before that, nothing can be opened.
  await expect(page.locator('.cards').getByRole('button').first()).toBeVisible()
  await page.keyboard.press('o')
  const buffer = Buffer.from(text)
  await (await chosen).setFiles({ name: NAME, mimeType: 'application/jsonl', buffer })
  await expect(page.locator('.status')).toContainText('replayed in')
}

test('[I96] [T86] a label on a chosen file is there after a reload and after a restart', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.assign(globalThis, { showOpenFilePicker: undefined })
  })
  const workspace = await mkdtemp(join(tmpdir(), 'turnscope-e2e-'))
  const text = await repeatedSample(1)
  const primary = page.getByRole('group', { name: 'Primary of this turn' })
  const chosen = primary.getByRole('button', { pressed: true })
  const first = await startTurnscope({ workspace })
  await choose(page, first.url, text)
  await page.keyboard.press('L')
  await expect(primary).toBeVisible()
  await page.keyboard.press('4')
  await expect(chosen).toHaveCount(1)
  const label = (await chosen.textContent()) ?? ''
  expect(label).not.toBe('')
  const labels = join(workspace, 'labels')
  await expect.poll(async () => (await readdir(labels).catch(() => [])).length).toBe(1)
  await page.reload()
  await expect(page.locator('.status')).toContainText('replayed in')
  await expect(chosen).toHaveText(label)
  await first.close()
  const second = await startTurnscope({ port: new URL(first.origin).port, workspace })
  try {
    const key = await keyOf(second.url)
    await page.evaluate((now) => localStorage.setItem('turnscope.key', now), key)
    // The link of before.
    await page.reload()
    await expect(page.locator('.status')).toContainText(NAME)
    await expect(chosen).toHaveText(label)
    // The file, chosen again.
    await choose(page, `${second.origin}/?again`, text)
    await page.keyboard.press('L')
    await expect(chosen).toHaveText(label)
    const [file = ''] = await readdir(labels)
    expect(await readFile(join(labels, file), 'utf8')).toContain(`# Labels of "${NAME}"`)
    expect((await readdir(join(workspace, '.turnscope/uploads'))).length).toBe(2)
    // The library lists it; while it is shown it stays, and the reason is said.
    const uploads = page.getByRole('region', { name: 'Uploads' })
    await expect(uploads).toContainText(NAME)
    await uploads.getByRole('button', { name: `Remove the upload ${NAME}` }).click()
    await expect(page.getByText('a window has this upload open')).toBeVisible()
    await page.goto(`${second.origin}/?start`)
    // The host lets go of the session a moment after its window has gone.
    const remove = uploads.getByRole('button', { name: `Remove the upload ${NAME}` })
    await expect
      .poll(async () => {
        if ((await remove.count()) > 0) await remove.click()
        return uploads.count()
      })
      .toBe(0)
  } finally {
    await second.close()
    await rm(workspace, { recursive: true, force: true })
  }
})

test('[F131] two tabs with two files: each keeps its own session', async ({
  page,
  served,
  context,
  files,
}) => {
  await page.goto(served.url)
  await page.waitForFunction(() => localStorage.getItem('turnscope.key') !== null)
  const other = await context.newPage()
  const tabs = [
    { tab: page, path: await files.write('a.jsonl', makeSession(40)), turns: 40 },
    { tab: other, path: await files.write('b.jsonl', makeSession(50)), turns: 50 },
  ]
  for (const { tab, path, turns } of tabs) {
    await tab.goto(`${served.origin}/?two#s=path:${encodeURIComponent(path)}&turn=2`)
    await expect(tab.locator('.status')).toContainText(`of ${turns}`)
  }
  // The first tab asks its thread again, after the second thread has started.
  for (const { tab } of tabs) {
    await tab.bringToFront()
    await tab.keyboard.press('L')
    const primary = tab.getByRole('group', { name: 'Primary of this turn' })
    await expect(primary).toBeVisible()
    await tab.keyboard.press('4')
    await expect(primary.getByRole('button', { pressed: true })).toHaveCount(1)
    await expect(tab.getByText('this session is not open', { exact: false })).toHaveCount(0)
  }
})
