import { appendFile, rename, rm, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './helpers/serve.ts'
import { repeatedSample, sampleLines } from './helpers/sessions.ts'

test.use({ timezoneId: 'UTC', colorScheme: 'dark' })

async function openPath(page: Page, path: string, more = ''): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#s=path:${path}${more}`)
  await expect(page.locator('.verdict, .inspector-empty').first()).toBeVisible()
}

const turns = (page: Page) =>
  page.getByRole('slider', { name: 'Timeline of turns' }).getAttribute('aria-valuemax')
const follow = (page: Page) => page.getByRole('switch', { name: /follow|waiting/iu })
const lastTurn = (page: Page) =>
  page.getByRole('slider', { name: 'Timeline of turns' }).getAttribute('aria-valuenow')

test('[U1] a big file: every turn is there, the list holds few rows, the ends are one key away', async ({
  linked: page,
  files,
}) => {
  const path = await files.write('big.jsonl', await repeatedSample(300))
  await openPath(page, path)
  await expect.poll(() => turns(page)).toBe(String(47 * 300))
  await page.keyboard.press('End')
  await expect(page.getByRole('row', { selected: true })).toBeInViewport()
  await expect(page.locator('.status')).toContainText('turn 14,100 of 14,100')
  expect(await page.getByRole('row').count()).toBeLessThan(80)
  await page.keyboard.press('Home')
  await expect(page.getByRole('row', { selected: true })).toBeInViewport()
  await expect(page.locator('.status')).toContainText('turn 1 of')
})

test('[U4] a file that is followed shows new turns at its end; going back pauses it', async ({
  linked: page,
  files,
}) => {
  const [head, ...events] = await sampleLines()
  const path = await files.write('live.jsonl', [head, ...events.slice(0, 40), ''].join('\n'))
  await openPath(page, path)
  const before = Number(await turns(page))
  await page.keyboard.press('F')
  await expect(follow(page)).toHaveAttribute('aria-checked', 'true')
  await expect.poll(() => lastTurn(page)).toBe(String(before))

  await appendFile(path, `${events.slice(40, 70).join('\n')}\n`)
  await expect.poll(async () => Number(await turns(page))).toBeGreaterThan(before)
  await expect.poll(async () => (await lastTurn(page)) === (await turns(page))).toBe(true)
  await expect(page.getByRole('button', { name: /jump to the end/iu })).toHaveCount(0)

  await page.keyboard.press('Home')
  const paused = Number(await turns(page))
  await appendFile(path, `${events.slice(70, 100).join('\n')}\n`)
  await expect.poll(async () => Number(await turns(page))).toBeGreaterThan(paused)
  expect(await lastTurn(page)).toBe('1')
  const pill = page.getByRole('button', { name: /\d+ new turns?, jump to the end/u })
  await expect(pill).toBeVisible()
  await pill.click()
  await expect(pill).toHaveCount(0)
  await expect.poll(async () => (await lastTurn(page)) === (await turns(page))).toBe(true)
  await page.keyboard.press('F')
  await expect(follow(page)).toHaveAttribute('aria-checked', 'false')
})

test('[U3] a file that is cut is read anew and says so; one that is gone is waited for', async ({
  linked: page,
  files,
}) => {
  const [head, ...events] = await sampleLines()
  const path = await files.write('cut.jsonl', [head, ...events, ''].join('\n'))
  await openPath(page, path)
  await follow(page).click()
  await expect(follow(page)).toHaveAttribute('aria-checked', 'true')
  await writeFile(path, [head, ...events.slice(0, 20), ''].join('\n'))
  await expect(page.getByText('was read again')).toBeVisible()
  await expect.poll(async () => Number(await turns(page))).toBeLessThan(47)

  await rm(path)
  await expect(page.getByText('The file is gone.')).toBeVisible()
  const other = await files.write('other.jsonl', [head, ...events.slice(0, 60), ''].join('\n'))
  const cut = Number(await turns(page))
  await rename(other, path)
  await expect.poll(async () => Number(await turns(page))).toBeGreaterThan(cut)
})

test('only files on disk can be followed', async ({ linked: page }) => {
  await page.goto(`${new URL(page.url()).origin}/?x#s=sample:st-003`)
  await expect(page.locator('.verdict')).toBeVisible()
  await expect(follow(page)).toHaveCount(0)
})
