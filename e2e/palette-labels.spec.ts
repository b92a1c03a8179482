import { expect, test } from './helpers/serve.ts'

test('[U60] whoever types what an entry of the palette says finds it', async ({
  workbench: page,
}) => {
  await page
    .getByRole('button', { name: /ST-003/u })
    .first()
    .click()
  await expect(page.locator('.list-scroll')).toBeVisible({ timeout: 20_000 })
  await page.keyboard.press('Control+k')
  const field = page.getByPlaceholder('A command, a turn number, or text in this session')
  for (const label of ['Preset: literal', 'Theme: light', 'Sample: Momentum lock-in']) {
    await field.fill(label)
    await expect(page.getByRole('option', { name: label, exact: true })).toBeVisible()
  }
})
