import type { Page } from '@playwright/test'
import { expectAccessible } from './helpers/axe.ts'
import { todays } from './helpers/rotation.ts'
import { expect, test } from './helpers/serve.ts'

test.use({ shown: 'all', timezoneId: 'UTC', colorScheme: 'dark' })

/** Opens a deep link in a page that has its key already, and waits until the steps are counted. */
async function openStep(page: Page, more: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#s=sample:pipeline-run&${more}`)
  await expect(page.locator('.tl-row-tokens')).toContainText('step tokens')
}
const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Waits two frames, so that the change of the last event is drawn. */
async function framesDrawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
}

test('timeline: bars of steps, exact numbers in the tooltip, a click selects the step', async ({
  linked: page,
}) => {
  await openStep(page, 'event=15&tab=budget')
  await expect(region(page, 'Tiers')).toBeVisible()
  await expect(page.getByRole('slider', { name: 'Timeline of turns' })).toBeVisible()
  // These lanes appear last; afterwards the others no longer move.
  await expect(page.locator('.tl-row-coach')).toBeVisible()
  await expect(page.locator('.tl-probe-note')).toBeVisible()
  const lane = await page.locator('.tl-row-tokens').boundingBox()
  const plot = await page.locator('.tl-plot').boundingBox()
  if (!lane || !plot) throw new Error('no lane')
  // Eight turns wide; turn 4 has five bars, the second last of them is step 5, second run.
  await page.mouse.move(plot.x + 2, lane.y + lane.height - 6)
  const tip = page.locator('.tl-tip-step')
  for (let x = plot.x + plot.width * 0.3; x < plot.x + plot.width * 0.6; x += 4) {
    await page.mouse.move(x, lane.y + lane.height - 6)
    // One tooltip per place: it follows the pointer with the next frame.
    await expect(page.locator('.tl-tip')).toBeVisible()
    await framesDrawn(page)
    if ((await tip.count()) > 0 && (await tip.innerText()).includes('Step 5 (second run)')) {
      await expect(tip).toContainText(/prompt1,451of 7,192/u)
      await expect(tip).toContainText(/context8,192/u)
      await expect(tip).toContainText('tier 1 really over')
      await page.mouse.down()
      await page.mouse.up()
      break
    }
  }
  await expect(page.locator('.turn-name').first()).toHaveText('Step 5 (second run)')
  await expect(page).toHaveURL(/event=21/u)
})

test('[A9] Budget: cap, used, cut and where it fits; sliders build this step and all others again', async ({
  linked: page,
}) => {
  await openStep(page, 'event=15&tab=budget')
  await expect(page.locator('.inspector .verdict-title')).toContainText('3,495')
  await expect(region(page, 'Tiers')).toContainText(
    '3,047 tokens (12,187 characters) did not get in',
  )
  await expect(region(page, 'Tiers')).toContainText('Fits at 6,037 tokens in a context of 8,275')
  const limits = region(page, 'Try other limits')
  await limits.getByRole('button', { name: 'Make everything fit' }).click()
  await expect(region(page, 'Tiers')).not.toContainText('did not get in')
  await limits.getByRole('button', { name: 'Reset to the preset' }).click()
  await expect(region(page, 'Tiers')).toContainText('did not get in')
  const context = limits.getByRole('slider', { name: 'Context, slider' })
  await context.focus()
  await page.keyboard.press('Home')
  await expect(page.locator('.bundle-alert')).toContainText('Tier 0 alone is over the context')
  const all = region(page, 'All steps of this session')
  await expect(all.locator('.section-aside')).toHaveText('9 of 10 overflow')
  await limits.getByRole('textbox', { name: 'Context' }).fill('900')
  await expect(all.getByRole('button', { name: /^Step 1/u })).toContainText('✕ tier 0 over')
  await limits.getByRole('textbox', { name: 'For the answer' }).fill('300')
  await expect(all.getByRole('button', { name: /^Step 1/u })).toContainText('▼')
  await all.getByRole('button', { name: /^Step 6/u }).click()
  await expect(page.locator('.turn-name').first()).toHaveText('Step 6')
})

test('[A10] Budget: estimators beside the tokenizer, the difference in words', async ({
  linked: page,
}) => {
  await openStep(page, 'event=21&tab=budget')
  const counted = region(page, 'Ways of counting')
  await expect(counted).toContainText('Tier 1 really overflows at step 5 (second run).')
  await expect(counted).toContainText(/% below the real size/u)
  await expect(counted.locator('.over')).toContainText('▲')
  await expect(region(page, 'All steps of this session')).toContainText(
    'Tier 1 really overflows at steps 3 (second run) and 5 (second run).',
  )
})

test('[A1] Bundle: tree and prompt point at each other, files say what changed', async ({
  linked: page,
}) => {
  await openStep(page, 'event=15')
  await page.keyboard.press('7')
  const tree = page.getByRole('tree', { name: 'Bundle' })
  await tree.getByRole('treeitem', { name: /mean_score/u }).click()
  const prompt = page.getByRole('listbox', { name: 'Rendered prompt by parts' })
  await expect(prompt.getByRole('option', { selected: true })).toHaveText('- mean_score: 0.607')
  await expect(page.locator('.part-told')).toContainText('results.mean_score')
  await prompt.getByRole('option', { name: /A score deviation near zero/u }).click()
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('guardrails')
  await prompt.press('ArrowDown')
  await expect(page.locator('.part-told')).toContainText('Tier 0')
  await expect(region(page, 'Provenance')).toContainText('state/scoring_checkpoint.json')
  await expect(region(page, 'Provenance')).toContainText('− gone')
  await expect(region(page, 'Against step 3').locator('ins').first()).toBeVisible()
  await page.getByRole('button', { name: 'JSON', exact: true }).click()
  await expect(page.getByLabel('Bundle as JSON', { exact: true })).toContainText('"step_id": 3')
})

test('[A4] a prompt that was put together elsewhere is said, with the difference', async ({
  linked: page,
}) => {
  await openStep(page, 'event=23&tab=bundle')
  await expect(region(page, 'Recorded prompt')).toContainText('different')
  await expect(
    region(page, /From what was sent/u)
      .locator('del')
      .first(),
  ).toContainText('You are evaluating step 6')
})

test('rows say step, outcome and metrics; s walks the steps; what cannot be built says why', async ({
  linked: page,
}) => {
  await openStep(page, 'event=5&tab=bundle')
  await expect(row(page, 'Window Optimizer')).toContainText('survivor_count 43,870')
  await expect(row(page, 'Window Optimizer')).toContainText('✓ success')
  await expect(row(page, 'Window Optimizer')).not.toContainText('{')
  await page.locator('.list-scroll').focus()
  await page.keyboard.press('s')
  await page.keyboard.press('s')
  await expect(page.locator('.turn-name').first()).toHaveText('Step 3')
  await expect(page.getByRole('row', { selected: true })).toContainText('no results')
  await openStep(page, 'event=29&tab=bundle')
  await expect(page.locator('.inspector')).toContainText('Step 3 is not Chapter 13')
  await expect(page.locator('.inspector')).toContainText('Leave the flag out')
})

test('a session without steps says what a step is', async ({ linked: page }) => {
  await page.goto(`${new URL(page.url()).origin}/?1#s=sample:st-003&turn=3&tab=bundle`)
  await expect(page.locator('.inspector')).toContainText('No pipeline step in this session')
  await page.getByRole('button', { name: 'Build a bundle…' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Build a bundle' })).toBeVisible()
})

test('by hand: errors with their place, files, limits, and the same views', async ({
  linked: page,
}) => {
  await openStep(page, 'event=15&tab=bundle')
  await page.keyboard.press('u')
  const dialog = page.getByRole('dialog', { name: 'Build a bundle' })
  await expect(dialog.getByRole('textbox', { name: 'Results' })).toHaveValue(/survivors_scored/u)
  await dialog.getByRole('combobox', { name: 'Step', exact: true }).selectOption('5')
  const results = dialog.getByRole('textbox', { name: 'Results' })
  await results.fill('{\n  "test_r2": 0.3,\n}')
  await expect(dialog.getByRole('alert')).toContainText('“}” cannot stand here: line 3, column 1.')
  await results.fill('{"test_r2": 0.3}')
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Written here' }).click()
  await dialog.getByRole('button', { name: 'Add a file' }).click()
  await dialog.getByRole('textbox', { name: 'Path of file 1' }).fill('mine.json')
  await expect(dialog.locator('.mono-title')).toHaveText('anti_overfit')
  await expect(dialog.getByRole('region', { name: 'Provenance' })).toContainText('mine.json')
  await expect(dialog.getByRole('listbox')).toContainText('- test_r2: 0.3')
  await dialog.getByRole('textbox', { name: 'Context' }).fill('100')
  await expect(dialog.locator('.bundle-alert')).toContainText('Tier 0 alone')
})

for (const theme of todays(['dark', 'light'] as const))
  test(`axe finds nothing in steps, bundles and the form: ${theme}`, async ({ linked: page }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    const check = async (what: string) => {
      await expect(page.locator('.inspector [aria-busy=true]')).toHaveCount(0)
      await expectAccessible(page, what)
    }
    await openStep(page, 'event=15&tab=budget')
    await expect(region(page, 'Ways of counting')).toBeVisible()
    await check('budget')
    await openStep(page, 'event=23&tab=bundle')
    await expect(page.getByRole('tree')).toBeVisible()
    await check('bundle')
    await openStep(page, 'event=1&tab=bundle')
    await expect(page.locator('.inspector')).toContainText('no pipeline step')
    await check('no step')
    await page.keyboard.press('u')
    await expect(page.getByRole('tree')).toBeVisible()
    await check('form')
  })
