import type { Page } from '@playwright/test'
import { expect, test } from './helpers/serve.ts'

/** The accessibility snapshot of a part of the page, as a screen reader presents it. */
const told = (page: Page, role: 'region' | 'main' | 'tabpanel', name: RegExp) =>
  page.getByRole(role, { name }).first().ariaSnapshot()

/** Presses Tab until the named control has the keyboard. */
async function tabTo(page: Page, name: RegExp, most = 80): Promise<void> {
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const element = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    })
    if (name.test(label)) return
  }
  throw new Error(`Tab never comes to ${String(name)}`)
}

test('a newcomer answers five questions by keyboard, from the accessibility tree alone', async ({
  workbench: page,
}) => {
  await expect(page.getByRole('button', { name: /^ST-003/u })).toBeVisible()
  await tabTo(page, /^ST-003/u)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('slider', { name: 'Timeline of turns' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.type('20')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('turn 20 of 47')

  // Question: which domain, and why?
  await expect(page.getByRole('tabpanel', { name: /Decision/u })).toContainText('Turn 20')
  const decision = await told(page, 'tabpanel', /Decision/u)
  expect(decision).toMatch(/coding[\s\S]*investigation/u)
  expect(decision).toContain('This text alone says')
  expect(decision).toMatch(/Signals of system_admin/u)
  expect(decision).toContain('install')

  // Question: how did momentum affect the turn?
  expect(decision).toMatch(/held for 19 turns/u)
  await page.keyboard.press('3')
  await expect(page.getByRole('region', { name: 'In force' })).toContainText(/resisted/u)

  // Question: which change would have changed the decision?
  await page.keyboard.press('2')
  await expect(page.getByRole('tabpanel', { name: /Why not/u })).toContainText('needs 1 more')

  // Question: which text did the model receive because of it?
  await page.keyboard.press('5')
  await expect(page.getByRole('tab', { name: 'Prompt' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('1')
  expect(await told(page, 'tabpanel', /Decision/u)).toMatch(/Enrichment injected/u)

  // Question: which effect does an edit have? From the deciding signal to its line, a change, and its flips.
  await page.keyboard.press('g')
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('turn 3 of 47')
  await expect(page.getByRole('tabpanel', { name: /Decision/u })).toContainText('Turn 3 ')
  await tabTo(page, /^Tune /u)
  await page.keyboard.press('Enter')
  await expect(page.locator('.cm-content')).toBeFocused()
  // The pattern is below the id. Damages its first words.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  const before = Array.from("pattern: '", () => 'ArrowRight')
  for (const key of before) await page.keyboard.press(key)
  await page.keyboard.type('zzz')
  await expect(page.getByText(/[1-9] of 47 turns flip/u)).toBeVisible()
})
