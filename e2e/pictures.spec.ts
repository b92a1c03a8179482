import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Download, Locator, Page } from '@playwright/test'
import { runCli } from '../fixtures/run-cli.ts'
import { ROOT } from '../scripts/build.ts'
import { expectAccessible } from './helpers/axe.ts'
import { expect, test } from './helpers/serve.ts'

test.use({
  timezoneId: 'UTC',
  colorScheme: 'light',
  permissions: ['clipboard-read', 'clipboard-write'],
})

/** The first answer compiles every pattern, on machines that do other things too. */
const SAMPLE = join(ROOT, 'fixtures/sessions/st-003.jsonl')
const LINK = 's=sample:st-003&preset=recommended&compare=literal'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Pictures' })

async function openAt(page: Page, link: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#${link}`)
  await expect(page.locator('.verdict').first()).toBeVisible()
}

/** The dialog of pictures by its key, with its picture drawn. */
async function openPictures(page: Page): Promise<Locator> {
  await page.locator('.list-scroll').focus()
  await page.keyboard.press('I')
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page).getByRole('img')).toBeVisible()
  return dialog(page)
}

async function saved(page: Page, press: () => Promise<void>): Promise<Download> {
  const coming = page.waitForEvent('download')
  await press()
  return coming
}

const bytesOf = async (download: Download) => readFile(await download.path())

/** Width and height as the header of a PNG says them. */
function sizeOf(png: Buffer): readonly number[] {
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

test('[U150] [U157] the window saves what the command line writes, byte for byte; PNG, and the clipboard', async ({
  linked: page,
  files,
}) => {
  await openAt(page, LINK)
  const pictures = await openPictures(page)
  await expect(pictures.getByRole('img')).toHaveAttribute('alt', /20 turns flip, 2 directly/u)
  await expectAccessible(page, 'pictures', '.pictures')
  const svg = await saved(page, () => pictures.getByRole('button', { name: 'Save SVG' }).click())
  expect(svg.suggestedFilename()).toBe('Oracle-Corporation-credit-risk-timeline.svg')
  const path = join(files.path, 'cli.svg')
  const ran = await runCli(['draw', 'timeline', SAMPLE, '--compare', 'literal', '--svg', path])
  expect(ran.code).toBe(0)
  const drawn = await readFile(path)
  expect((await bytesOf(svg)).equals(drawn)).toBe(true)

  const [, width, height] = /width="(\d+)" height="(\d+)"/u.exec(drawn.toString()) ?? []
  const png = await saved(page, () => pictures.getByRole('button', { name: 'Save PNG' }).click())
  const pixels = await bytesOf(png)
  expect(sizeOf(pixels)).toEqual([Number(width) * 2, Number(height) * 2])
  const again = await saved(page, () => pictures.getByRole('button', { name: 'Save PNG' }).click())
  expect((await bytesOf(again)).equals(pixels)).toBe(true)

  await pictures.getByRole('button', { name: 'Copy as picture' }).click()
  await expect(pictures.getByRole('button', { name: 'Copied' })).toBeVisible()
  const types = await page.evaluate(async () => {
    const items = await navigator.clipboard.read()
    return items.flatMap((item) => [...item.types])
  })
  expect(types).toEqual(['image/png'])
})

test('[U153] every cell of the map of transitions leads to its turns, by the keyboard alone', async ({
  linked: page,
}) => {
  await openAt(page, LINK)
  const pictures = await openPictures(page)
  await pictures.getByRole('button', { name: 'Transitions' }).focus()
  await page.keyboard.press('Enter')
  const cell = pictures.getByRole('button', { name: 'file_ops, held as investigation: 4 turns' })
  await cell.focus()
  await page.keyboard.press('Enter')
  await expect(cell).toHaveAttribute('aria-pressed', 'true')
  const turns = pictures.locator('.transition-turn')
  await expect(turns).toHaveCount(4)
  await expect(turns.first()).toContainText(/^Turn 7\S/u)
  await expectAccessible(page, 'transitions', '.pictures')
  await turns.nth(1).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Turn 8' })).toBeVisible()
})

test('[U157] the context menu of the timeline copies and saves; the header and the palette lead there', async ({
  linked: page,
}) => {
  await openAt(page, LINK)
  const timeline = page.getByRole('slider', { name: 'Timeline of turns' })
  await timeline.click({ button: 'right', position: { x: 300, y: 60 } })
  await expectAccessible(page, 'context menu', '.menu')
  const svg = await saved(page, () => page.getByRole('menuitem', { name: 'Save SVG' }).click())
  expect((await bytesOf(svg)).toString()).toContain('configuration ')
  await timeline.click({ button: 'right', position: { x: 300, y: 60 } })
  await page.getByRole('menuitem', { name: 'Copy as picture' }).click()
  await expect(page.getByText('Picture copied.')).toBeVisible()
  await page.getByRole('button', { name: /^session/u }).click()
  await page.getByRole('menuitem', { name: 'Pictures of this session' }).click()
  await expect(dialog(page)).toBeVisible()
})

test('[U151] a part of the session, both papers; [U158] paper for print is white', async ({
  linked: page,
}) => {
  await openAt(page, LINK)
  const pictures = await openPictures(page)
  await pictures.getByRole('textbox', { name: 'Turns that are drawn' }).fill('10-20')
  const svg = await saved(page, async () => {
    await expect(pictures.getByRole('img')).toHaveAttribute('alt', /11 turns/u)
    await pictures.getByRole('button', { name: 'Save SVG' }).click()
  })
  expect((await bytesOf(svg)).toString()).toContain('n = 11 turns (10 to 20 of 47)')
  await pictures.getByRole('button', { name: 'Dark' }).click()
  await expect(pictures.locator('.picture-printed')).toBeAttached()
  await page.emulateMedia({ media: 'print' })
  await expect(pictures.locator('.picture-printed')).toBeVisible()
  await expect(pictures.locator('.picture-shown')).toBeHidden()
  await expect(pictures.getByRole('button', { name: 'Save PNG' })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
})

test('[U156] the budget of a pipeline run', async ({ linked: page }) => {
  await openAt(page, 's=sample:pipeline-run&preset=recommended')
  const pictures = await openPictures(page)
  await pictures.getByRole('button', { name: 'Budget' }).click()
  await expect(pictures.getByRole('img')).toHaveAttribute('alt', /Prompts of 9 steps/u)
})

test('[U155] small multiples of a folder of the library', async ({ placed: page, files }) => {
  for (const name of ['second-opinions', 'dead-gate'])
    await files.copy(`sessions/${name}.jsonl`, `${name}.jsonl`)
  await page.goto(`${new URL(page.url()).origin}/?1#lib=${encodeURIComponent(files.path)}`)
  await page.getByRole('button', { name: 'Picture', exact: true }).click()
  const folder = page.getByRole('dialog', { name: 'Picture of the folder' })
  await expect(folder.getByRole('img')).toHaveAttribute('alt', /2 sessions with 15 turns/u)
  await expectAccessible(page, 'picture of a folder', '.pictures')
})

test('[U150] an exported page draws the same picture without a host', async ({ page, files }) => {
  const path = join(files.path, 'page.html')
  const ran = await runCli(['export', SAMPLE, '--compare', 'literal', '--html', path])
  expect(ran.code).toBe(0)
  await page.goto(pathToFileURL(path).href)
  await expect(page.locator('.verdict').first()).toBeVisible()
  const pictures = await openPictures(page)
  const svg = await saved(page, () => pictures.getByRole('button', { name: 'Save SVG' }).click())
  const golden = await readFile(join(ROOT, 'fixtures/pictures/st-003-timeline.svg'))
  expect((await bytesOf(svg)).equals(golden)).toBe(true)
  const png = await saved(page, () => pictures.getByRole('button', { name: 'Save PNG' }).click())
  expect(sizeOf(await bytesOf(png))[0]).toBe(1920)
})
