import type { Page } from '@playwright/test'
import { expect, test } from './helpers/serve.ts'
import { repeatedSample } from './helpers/sessions.ts'

/** Drops files into the window; with `folder` the browser says that the first is one, as it does of a real one. */
async function drop(page: Page, names: readonly string[], folder = false): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?drop`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible({ timeout: 40_000 })
  const text = await repeatedSample(1)
  const dataTransfer = await page.evaluateHandle(
    ({ files, content, isDirectory }) => {
      const transfer = new DataTransfer()
      for (const name of files) transfer.items.add(new File([content], name))
      // A script cannot make a folder that is dropped.
      if (isDirectory)
        DataTransferItem.prototype.webkitGetAsEntry = () =>
          ({ isDirectory: true }) as FileSystemEntry
      return transfer
    },
    { files: names, content: text, isDirectory: folder },
  )
  await page.dispatchEvent('body', 'dragover', { dataTransfer })
  await page.dispatchEvent('body', 'drop', { dataTransfer })
}

test('[U12] a folder dropped into a browser is refused with how to add it', async ({
  linked: page,
}) => {
  await drop(page, ['transcripts'], true)
  const note = page.getByText('a browser does not tell where a dropped folder is')
  await expect(note).toBeVisible()
  await expect(page.getByText('Add it by its path, with a')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(note).toHaveCount(0)
})

test('[U12] of several dropped files the first is opened, and the others are named as not', async ({
  linked: page,
}) => {
  await drop(page, ['one.jsonl', 'two.jsonl'])
  await expect(page.locator('.status')).toContainText('one.jsonl', { timeout: 40_000 })
  await expect(page.getByText('1 other dropped file was not opened')).toBeVisible()
})
