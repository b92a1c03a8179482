import type { Page } from '@playwright/test'
import { expect, test } from './helpers/serve.ts'
import { repeatedSample } from './helpers/sessions.ts'

/** Drops files into the window; with `folder` the browser says that the first is one, as it does of a real one. */
async function drop(
  page: Page,
  names: readonly string[],
  { folder = false, bigTimes = 1 } = {},
): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?drop`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const text = await repeatedSample(1)
  const dataTransfer = await page.evaluateHandle(
    ({ files, content, isDirectory, times }) => {
      const transfer = new DataTransfer()
      const textOf = (name: string) => {
        if (name.startsWith('bad')) return ['\u0000\u0001 no transcript']
        return Array.from({ length: name.startsWith('big') ? times : 1 }, () => content)
      }
      for (const name of files) transfer.items.add(new File(textOf(name), name))
      // A script cannot make a folder that is dropped.
      if (isDirectory)
        DataTransferItem.prototype.webkitGetAsEntry = () =>
          ({ isDirectory: true }) as FileSystemEntry
      return transfer
    },
    { files: names, content: text, isDirectory: folder, times: bigTimes },
  )
  await page.dispatchEvent('body', 'dragover', { dataTransfer })
  await page.dispatchEvent('body', 'drop', { dataTransfer })
}

test('[U12] a folder dropped into a browser is refused with how to add it', async ({
  linked: page,
}) => {
  await drop(page, ['transcripts'], { folder: true })
  const note = page.getByText('a browser does not tell where a dropped folder is')
  await expect(note).toBeVisible()
  await expect(page.getByText('Add it by its path, with a')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(note).toHaveCount(0)
})

test('[I97] of several dropped files the first good one opens, a bad one is named, each is a choice away', async ({
  linked: page,
}) => {
  await drop(page, ['bad.jsonl', 'one.jsonl', 'two.jsonl'])
  await expect(page.locator('.status')).toContainText('one.jsonl')
  const notice = page.getByRole('status').filter({ hasText: 'bad.jsonl' })
  await expect(notice).toContainText('nearest formats')
  const picker = page.getByRole('button', { name: /^file/u })
  await expect(picker).toContainText('2 of 3')
  await picker.click()
  await expect(page.getByRole('menuitemradio')).toHaveCount(3)
  await page.getByRole('menuitemradio', { name: 'two.jsonl' }).click()
  // The status line names the file while it is read. The link names the file on screen.
  await expect(page).toHaveURL(/two\.jsonl/u)
  await expect(page.locator('.status')).toContainText('two.jsonl')
  await expect(page.locator('.status')).toContainText('replayed in')
  // The bad one closes nothing.
  await picker.click()
  await page.getByRole('menuitemradio', { name: 'bad.jsonl' }).click()
  await expect(notice).toBeVisible()
  await expect(page.locator('.status')).toContainText('two.jsonl')
})

test('[I98] a file that is chosen while others are still being sent opens', async ({
  linked: page,
}) => {
  // The upload must take a while. It takes minutes on a busy machine.
  await drop(page, ['one.jsonl', 'two.jsonl', 'big.jsonl', 'four.jsonl'], { bigTimes: 1500 })
  const picker = page.getByRole('button', { name: /^file/u })
  await picker.click()
  await page.getByRole('menuitemradio', { name: 'two.jsonl' }).click()
  await expect(picker).toContainText('2 of ')
  await expect(page.locator('.status')).toContainText('two.jsonl')
  // The list is whole, and nothing took the chosen one away.
  await expect(picker).toContainText('2 of 4')
  await expect(page.locator('.status')).toContainText('two.jsonl')
})

test('[I96] a dropped file is there after a reload of the page, and Follow says what it needs', async ({
  linked: page,
}) => {
  await drop(page, ['one.jsonl'])
  await expect(page.locator('.status')).toContainText('one.jsonl')
  await expect.poll(() => page.url()).toContain('one.jsonl')
  await page.reload()
  await expect(page.locator('.status')).toContainText('one.jsonl')
  await expect(page.getByText('Drop the file')).toHaveCount(0)
  await page.getByRole('button', { name: 'Follow…' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'gave Turnscope a copy' })).toBeVisible()
})
