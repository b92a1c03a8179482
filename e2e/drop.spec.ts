import type { Page } from '@playwright/test'
import { expect, test } from './helpers/serve.ts'
import { temporaryFolder } from './helpers/sessions.ts'

/** Drops files or folders of this machine into the window, as the system does. */
async function drop(page: Page, paths: readonly string[]): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible({ timeout: 20_000 })
  const cdp = await page.context().newCDPSession(page)
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await cdp.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
}

test('[U12] a folder dropped into a browser is refused with how to add it', async ({
  workbench: page,
}) => {
  const folder = await temporaryFolder()
  await folder.copy('sessions/lock-in.jsonl', 'lock-in.jsonl')
  await drop(page, [folder.path])
  const note = page.getByText('a browser does not tell where a dropped folder is')
  await expect(note).toBeVisible()
  await expect(page.getByText('Add it by its path, with a')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(note).toHaveCount(0)
  await folder.clean()
})

test('[U12] of several dropped files the first is opened, and the others are named as not', async ({
  workbench: page,
}) => {
  const folder = await temporaryFolder()
  const first = await folder.copy('sessions/lock-in.jsonl', 'lock-in.jsonl')
  const second = await folder.copy('sessions/six-signals.jsonl', 'six.jsonl')
  await drop(page, [first, second])
  await expect(page.locator('.status')).toContainText('lock-in.jsonl', { timeout: 30_000 })
  await expect(page.getByText('1 other dropped file was not opened')).toBeVisible()
  await folder.clean()
})
