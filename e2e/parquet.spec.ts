import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parquetOf } from '../fixtures/parquet.ts'
import { expect, test } from './helpers/serve.ts'

test('[I146] a Parquet file opens by its path and when it is chosen, and Raw shows its row', async ({
  placed: page,
  served,
}) => {
  const rows = ['Debug the parser', 'Fix the crash'].map((content) => [
    { role: 'user', content },
    { role: 'assistant', content: 'I run the tests.' },
  ])
  const path = join(served.workspace, 'chats.parquet')
  await writeFile(path, parquetOf({ name: 'messages', fields: ['role', 'content'], rows }))
  await page.goto(`${served.origin}/?pq#s=path:${encodeURIComponent(path)}&turn=1&tab=raw`)
  await expect(page.locator('.row-text').first()).toContainText('Debug the parser')
  await expect(page.getByLabel('Record', { exact: true })).toContainText('"content"')
  await page.goto(`${served.origin}/?choose`)
  await page.locator('input[type=file]').first().setInputFiles(path)
  await expect(page.locator('.status-name')).toHaveText('chats.parquet')
  await expect(page.locator('.row-text').first()).toContainText('Debug the parser')
})
