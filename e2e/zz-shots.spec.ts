import { expect, test, startTurnscope } from './helpers/serve.ts'
for (const [w, h, scheme] of [
  [1440, 900, 'dark'],
  [1024, 768, 'light'],
] as const) {
  test(`shots ${w}`, async ({ browser }) => {
    const served = await startTurnscope()
    const page = await browser.newPage({ viewport: { width: w, height: h }, colorScheme: scheme })
    await page.goto(served.url)
    await page.locator('header').first().waitFor()
    await page.goto(`${served.origin}/?w#s=sample:lock-in&turn=1&show=wrong`)
    await page.locator('.wrong-line').first().waitFor({ timeout: 40000 })
    await page.keyboard.press('X')
    await page.waitForTimeout(800)
    await page.screenshot({ path: `/tmp/wA/wrong-${w}.png` })
    await page.keyboard.press('y')
    await page.locator('.wrong-line').nth(1).getByRole('button', { name: /^Edit/u }).click()
    await page.getByRole('textbox', { name: 'Domain file' }).waitFor({ timeout: 60000 })
    await page.waitForTimeout(3000)
    await page.screenshot({ path: `/tmp/wA/edit-${w}.png` })
    await served.close()
    const again = await startTurnscope(undefined, new URL(served.origin).port)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The host has a new key', {
      timeout: 60000,
    })
    await page.getByRole('textbox', { name: 'Printed address' }).fill('nonsense')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.screenshot({ path: `/tmp/wA/key-${w}.png` })
    await again.close()
  })
}
