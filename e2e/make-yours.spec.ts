import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './helpers/serve.ts'

test('[F122] the window makes what ships one’s own, and says where it is', async ({
  workbench: page,
  served,
}) => {
  const domains = join(served.workspace, 'profiles/domains/default.yaml')
  const make = async () => {
    await page.keyboard.press('Control+k')
    await page
      .getByPlaceholder('A command, a turn number, or text in this session')
      .fill('Make it yours')
    await page.getByRole('option', { name: /^Make it yours/u }).click()
  }
  expect(existsSync(domains)).toBe(false)
  await make()
  await expect(
    page.getByText(/Domains, presets and prompts are yours: \d+ files copied/u),
  ).toBeVisible()
  await expect(page.getByText(served.workspace).first()).toBeVisible()
  // It worked: nothing about it is red.
  await expect(page.locator('.banner-good')).toContainText('are yours')
  expect(existsSync(domains)).toBe(true)
})
