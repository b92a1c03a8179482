import { expect, test } from './helpers/serve.ts'

test('[U75] [U76] wrong turns are a segment, a lane and a way; each says why and opens what decided', async ({
  linked: page,
}) => {
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?wrong#s=sample:lock-in&turn=1`)
  await expect(page.locator('.verdict')).toContainText('Turn 1')
  const segment = page.getByRole('group', { name: 'Events listed' }).getByText('Wrong')
  await expect(segment).toBeVisible()
  await expect(page.locator('.tl-wrong')).toBeVisible()
  await page.keyboard.press('X')
  await expect(page.locator('.verdict')).not.toContainText('Turn 1 ·')
  const first = await page.locator('.verdict').textContent()
  await page.keyboard.press('X')
  await expect(page.locator('.verdict')).not.toHaveText(first ?? '')
  await page.keyboard.press('Y')
  await expect(page.locator('.verdict')).toHaveText(first ?? '')
  await segment.click()
  await expect(page).toHaveURL(/show=wrong/u)
  const lines = page.locator('.wrong-line')
  await expect(lines.first()).toContainText('expected')
  await expect(lines.first()).toContainText('got')
  await expect(page.locator('.wrong-why').first()).toHaveText(/had \d|no signal of|momentum/u)
  await lines.first().getByRole('button', { name: /^Edit/u }).click()
  await expect(page.getByRole('textbox', { name: 'Domain file' })).toBeVisible()
  await expect(page.locator('.dock')).toBeVisible()
})

test('[U75] the figure "Right" opens them', async ({ linked: page }) => {
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?right#s=sample:lock-in&turn=1&dock=lab&study=metrics`)
  await page
    .getByRole('row', { name: /^Right \d/u })
    .getByRole('button')
    .click()
  await expect(page).toHaveURL(/show=wrong/u)
  await expect(page.locator('.wrong-line').first()).toBeVisible()
})

test('[F70] [F71] find takes label:, and says what it does not know', async ({ linked: page }) => {
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?find#s=sample:lock-in&turn=1&find=label:wrong`)
  await expect(page.locator('.find-count')).toHaveText(/of \d+/u)
  const box = page.getByRole('combobox', { name: 'Find in this session' })
  await expect(box).toHaveValue('label:wrong')
  await box.fill('label:wrongest')
  await expect(page.locator('.find-problem')).toContainText('label has no value "wrongest"')
  await box.fill('owner:me')
  await expect(page.locator('.find-problem')).toContainText('there is no filter "owner:"')
  for (const query of ['held:any', 'query:any', 'verdict:any', 'persona:any,none']) {
    await box.fill(query)
    await expect(page.locator('.find-count')).toHaveText(/of \d+|none/u)
  }
})
