import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expectAccessible } from './helpers/axe.ts'
import { todays } from './helpers/rotation.ts'
import { expect, test } from './helpers/serve.ts'

const SIX = fileURLToPath(new URL('../fixtures/sessions/six-signals.jsonl', import.meta.url))

test.use({ shown: 'all', timezoneId: 'UTC', colorScheme: 'dark' })

/** Opens a deep link in a page that has its key already, and waits until a turn is explained. */
async function openLink(page: Page, link: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#${link}`)
  await expect(page.locator('.verdict').first()).toBeVisible()
}
const six = (more: string) => `s=path:${SIX}&${more}`

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const timeline = (page: Page) => page.getByRole('slider', { name: 'Timeline of turns' })

/** Pixels of a lane that are not empty, straight from the canvas. */
async function inkOf(page: Page, row: string): Promise<number> {
  return page.evaluate((kind) => {
    const label = document.querySelector(`.tl-row-${kind}`)
    const canvas = document.querySelector<HTMLCanvasElement>('.tl-plot canvas')
    if (!label || !canvas) return -1
    const box = canvas.getBoundingClientRect()
    const { top, height } = label.getBoundingClientRect()
    const scale = canvas.height / box.height
    const y = (top - box.top) * scale
    const size = Math.max(1, height * scale)
    const pixels = canvas.getContext('2d')?.getImageData(0, y, canvas.width, size).data ?? []
    return pixels.filter((value, at) => at % 4 === 3 && value > 0).length
  }, row)
}

test('the lanes show self-signals and query types, and say them in words', async ({
  linked: page,
}) => {
  await openLink(page, six('turn=12'))
  await expect(page.locator('.tl-row-self')).toContainText('self-signals')
  await expect(page.locator('.tl-row-query')).toContainText('query')
  expect(await inkOf(page, 'self')).toBeGreaterThan(400)
  expect(await inkOf(page, 'query')).toBeGreaterThan(400)
  await expect(timeline(page)).toHaveAttribute(
    'aria-valuetext',
    /answer: need turn 0\.60, going in circles/u,
  )
})

test('an agent that emits none is told in one quiet line, without an alarm', async ({
  linked: page,
}) => {
  await openLink(page, 's=sample:st-003&turn=3&tab=signals')
  await expect(page.locator('.tl-row-self')).toHaveText('no self-signals')
  await expect(page.locator('.inspector')).toContainText('silence is how it works')
  await expect(page.locator('.inspector .warning')).toHaveCount(0)
  await expect(page.locator('.self-chips .chip')).toHaveCount(0)
})

test('Signals: the block, its fields, what is claimed and what was seen', async ({
  linked: page,
}) => {
  await openLink(page, six('turn=3&tab=signals'))
  const inspector = page.locator('.inspector')
  await expect(inspector).toContainText('The response that follows the selection')
  await expect(inspector.locator('.verdict-title')).toContainText('context sufficient')
  await expect(page.locator('.self-block')).toContainText('<sources_found>2</sources_found>')
  await expect(region(page, 'Fields')).toContainText('sources_foundint2')
  await expect(region(page, 'Claimed against observed').locator('.disagrees')).toContainText(
    '3 tool calls before the next message',
  )
  await inspector.getByRole('button', { name: 'As passed on' }).click()
  await expect(page.locator('.response')).not.toContainText('<signal')
  await inspector.getByRole('button', { name: 'Go to it' }).click()
  await expect(inspector).toContainText('The selected response')
  await expect(page.getByRole('row', { selected: true })).toContainText('context sufficient')
})

test('a diagnostic points at its place in the response', async ({ linked: page }) => {
  await openLink(page, six('turn=20&tab=signals'))
  const diagnostic = region(page, 'Diagnostics').getByRole('button').first()
  await expect(diagnostic).toContainText('unfinished')
  await diagnostic.click()
  await expect(page.locator('.flaw-focus').first()).toContainText('<signal type="need_turn">')
})

test('a loop and a silence are said in the list and in the inspector', async ({ linked: page }) => {
  await openLink(page, six('turn=13&tab=signals'))
  await expect(page.locator('.inspector')).toContainText(/same reason \d+ times in a row/u)
  await expect(page.getByRole('grid').getByText('circling').first()).toBeVisible()
  await expect(region(page, 'State')).toContainText('same reason in a row')
})

test('Prompt: type, segments, enrichment, and the difference to the message before', async ({
  linked: page,
}) => {
  await openLink(page, six('turn=9&compare=literal'))
  await page.keyboard.press('5')
  await expect(tab(page, 'Prompt')).toHaveAttribute('aria-selected', 'true')
  await expect(page.locator('.inspector .verdict-title')).toContainText('research')
  const segments = region(page, 'Composed prompt')
  await segments.locator('summary', { hasText: 'base' }).click()
  await expect(segments.getByLabel('Text of base')).toContainText('You are the Oracle')
  await expect(segments).toContainText('missing')
  await expect(region(page, 'From the other stages')).toContainText('in segment enrichment')
  const diff = region(page, 'Against the message of turn 7')
  await expect(diff.locator('ins').first()).toContainText('Research')
  await expect(diff.locator('del').first()).toContainText('Documentation')
  await expect(region(page, 'Against preset literal')).toBeVisible()
})

test('Budget: used and left, and every way of counting beside the tokenizer', async ({
  linked: page,
}) => {
  await openLink(page, six('turn=9&tab=budget'))
  await expect(page.locator('.budget-told')).toHaveText(/[\d,]+ of [\d,]+ tokens[\d,]+ left/u)
  await expect(region(page, 'Whole prompt')).toContainText(/o200k_base[\d,]+the real size/u)
  await expect(region(page, 'Whole prompt')).toContainText(/% (?:above|below) the tokenizer/u)
  await expect(region(page, 'By segment')).toContainText('The registry says')
})

test('playground: classify, draft, budget; nothing is written', async ({ linked: page }) => {
  await openLink(page, six('turn=1'))
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Prompt playground' })
  await expect(dialog).toContainText('Drafts are not saved')
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Which decision did we write down?')
  await expect(dialog.locator('.verdict-title')).toContainText('documentation')
  const prompt = dialog.getByRole('region', { name: 'Text of the prompt' })
  await dialog.getByRole('button', { name: /^base/u }).click()
  await dialog.getByRole('textbox', { name: 'Draft of base' }).fill('Be brief, {{ project_name }}.')
  await dialog.getByLabel('project_name').fill('exporter')
  await expect(prompt).toContainText('Be brief, exporter.')
  await expect(dialog.getByRole('button', { name: /^base/u })).toContainText('draft')
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('research')
  await expect(prompt).toContainText('# Research')
  await dialog.getByRole('textbox', { name: 'Budget in tokens' }).fill('100')
  await expect(dialog.locator('.budget-told')).toContainText('over')
  await dialog.getByRole('button', { name: 'Reset to the file' }).click()
  await expect(prompt).toContainText('You are the Oracle')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('looks as it should: the playground, its count of tokens beside the prompt', async ({
  linked: page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await openLink(page, six('turn=1'))
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Prompt playground' })
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Which decision did we write down?')
  await expect(dialog.locator('.verdict-title')).toContainText('documentation')
  await expect(dialog.getByRole('region', { name: 'Text of the prompt' })).toContainText('Oracle')
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready)
  await expect(dialog.locator('.playground-result')).toHaveScreenshot('playground-result.png', {
    maxDiffPixelRatio: 0.003,
  })
})

test('all tabs are in sight at 1024, and in a narrow inspector the open one is', async ({
  linked: page,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await openLink(page, six('turn=3'))
  await expect(tab(page, 'Raw')).toBeInViewport({ ratio: 1 })
  await page.getByRole('separator', { name: 'Width of the inspector' }).focus()
  for (let step = 0; step < 8; step++) await page.keyboard.press('ArrowRight')
  await page.locator('.list-scroll').focus()
  await page.keyboard.press('6')
  await expect(tab(page, 'Budget')).toBeInViewport({ ratio: 1 })
})

for (const theme of todays(['dark', 'light'] as const))
  test(`axe finds nothing in the new tabs and in the playground: ${theme}`, async ({
    linked: page,
  }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    const check = (what: string) => expectAccessible(page, what)
    for (const name of ['signals', 'prompt', 'budget']) {
      await openLink(page, six(`turn=13&tab=${name}&compare=literal`))
      await expect(page.locator('.inspector [aria-busy=true]')).toHaveCount(0)
      await check(name)
    }
    await page.keyboard.press('c')
    await expect(page.getByRole('region', { name: 'Text of the prompt' })).toBeVisible()
    await check('playground')
  })
