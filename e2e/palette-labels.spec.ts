import { expect, test } from './helpers/serve.ts'

test('[U60] whoever types what an entry of the palette says finds it', async ({
  workbench: page,
}) => {
  await page
    .getByRole('button', { name: /ST-003/u })
    .first()
    .click()
  await expect(page.locator('.list-scroll')).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByPlaceholder('A command, a turn number, or text in this session')
  for (const label of ['Preset: literal', 'Theme: light', 'Sample: Momentum lock-in']) {
    await field.fill(label)
    await expect(page.getByRole('option', { name: label, exact: true })).toBeVisible()
  }
})

test('[U60] what a button says finds its command', async ({ linked: page }) => {
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?says#s=sample:lock-in&turn=3`)
  await expect(page.locator('.verdict')).toContainText('Turn 3')
  await page.keyboard.press('Control+k')
  const field = page.getByPlaceholder('A command, a turn number, or text in this session')
  const found = [
    ['Open another', /^Open a transcript/u],
    ['About this output', /^Ask the model about this output/u],
    ['Restricted', /^Workspace trust/u],
    ['Wrong', /^List the wrong turns/u],
    ['Tune', /^Tune/u],
    ['Export', /^Export/u],
  ] as const
  for (const [says, command] of found) {
    await field.fill(says)
    await expect(page.getByRole('option', { name: command }).first()).toBeVisible()
  }
})
