import type { Page } from '@playwright/test'
import { expectAccessible } from './helpers/axe.ts'
import { todays } from './helpers/rotation.ts'
import { expect, test } from './helpers/serve.ts'

test.use({ timezoneId: 'UTC', colorScheme: 'dark', viewport: { width: 1280, height: 720 } })

const stage = (page: Page) => page.getByRole('main', { name: 'Presenter' })
const head = (page: Page) => stage(page).getByRole('heading', { level: 1 })

async function openAt(page: Page, link: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#${link}`)
  await expect(page.locator('.verdict, .stage-shown').first()).toBeVisible()
}

/** No content is clipped, and the smallest text is large enough. */
async function expectReadable(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const found = await page.evaluate(() => {
    const parts = [
      ...document.querySelectorAll<HTMLElement>('.stage-root :is(h1, h2, p, li, .stage-text)'),
    ].filter(
      (one) =>
        !one.closest('.stage-controls') && !one.matches('.visually-hidden') && one.innerText !== '',
    )
    return {
      sizes: parts.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)),
      over:
        document.documentElement.scrollHeight > innerHeight ||
        document.documentElement.scrollWidth > innerWidth,
      outside: parts.filter((one) => one.getBoundingClientRect().right > innerWidth + 1).length,
    }
  })
  expect(Math.min(...found.sizes)).toBeGreaterThanOrEqual(
    24 * Math.min(width / 1280, height / 720) - 0.5,
  )
  expect(found.over).toBe(false)
  expect(found.outside).toBe(0)
}

test('[U137] one key, one thing at a time, no chrome, by keyboard alone', async ({
  linked: page,
}) => {
  await openAt(page, 's=sample:st-003&turn=13&preset=recommended&compare=literal')
  await page.keyboard.press('.')
  await expect(stage(page)).toBeVisible()
  await expect(page.locator('header.header, .inspector, .dock, footer.status')).toHaveCount(0)
  await expect(head(page)).toHaveText('Turn 13 of 47')
  await expect(page).toHaveURL(/present=message/u)
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('OpenPlanter API')
  await expect(stage(page)).toContainText('widened')
  await expectReadable(page)
  await expectAccessible(page, 'presenter, message')

  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('region', { name: 'Decision' })).toContainText('investigation')
  await expect(page.getByRole('region', { name: 'Message' })).toHaveCount(0)
  await expectReadable(page)
  await expectAccessible(page, 'presenter, decision')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('region', { name: 'Momentum' })).toContainText('13')
  await expectReadable(page)
  await expectAccessible(page, 'presenter, momentum')
  // After the last thing of a turn comes the first of the next, and back.
  await page.keyboard.press('PageDown')
  await expect(head(page)).toHaveText('Turn 14 of 47')
  await expect(page.getByRole('region', { name: 'Message' })).toBeVisible()
  await page.keyboard.press('PageUp')
  await expect(head(page)).toHaveText('Turn 13 of 47')
  await expect(page.getByRole('region', { name: 'Momentum' })).toBeVisible()

  // Keys that open panels of the workbench do nothing here. Help covers the stage.
  await page.keyboard.press('T')
  await page.keyboard.press('x')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toContainText('Presenter mode')
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)

  await page.keyboard.press('b')
  await expect(head(page)).toHaveText('Turn 36 of 47')
  await expect(stage(page)).toContainText('broken')
  await page.keyboard.press('Home')
  await page.keyboard.press('n')
  await expect(head(page)).toHaveText('Turn 7 of 47')
  await page.keyboard.press('Escape')
  await expect(stage(page)).toHaveCount(0)
  await expect(page.locator('.inspector')).toContainText('Turn 7')
  await expect(page).not.toHaveURL(/present=/u)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The keyboard is back in the list.
  await page.keyboard.press('j')
  await expect(page.locator('.inspector')).toContainText('Turn 8')
})

test('[U137] the stage is a place: in the link, with Back and Forward', async ({
  linked: page,
}) => {
  await page.clock.install()
  await openAt(page, 's=sample:lock-in&turn=5&preset=recommended&present=decision')
  await expect(page.getByRole('region', { name: 'Decision' })).toBeVisible()
  // Selections within half a second are one place: the clock of the page goes past that.
  await page.clock.fastForward(1000)
  await page.keyboard.press('3')
  await expect(page).toHaveURL(/present=momentum/u)
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Decision' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(stage(page)).toHaveCount(0)
  await page.goBack()
  await expect(stage(page)).toBeVisible()
})

test('[U138] it plays turn after turn, and a hand stops it', async ({ linked: page }) => {
  await openAt(page, 's=sample:lock-in&turn=44&preset=recommended&present=message')
  const before = await page.evaluate(() => history.length)
  for (let press = 0; press < 7; press += 1) await page.keyboard.press('+')
  await expect(page.locator('.stage-speed')).toHaveText('5×')
  await page.keyboard.press(' ')
  await expect(page.getByRole('button', { name: 'Pause' })).toBeAttached()
  await expect(head(page)).toHaveText('Turn 47 of 51')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeAttached()
  // Automatic movement adds no history entries.
  expect((await page.evaluate(() => history.length)) - before).toBeLessThanOrEqual(2)
  for (let press = 0; press < 9; press += 1) await page.keyboard.press('-')
  await expect(page.locator('.stage-speed')).toHaveText('0.5×')
  for (let press = 0; press < 9; press += 1) await page.keyboard.press('+')
  await page.keyboard.press(' ')
  await expect(head(page)).toHaveText('Turn 51 of 51')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeAttached()
})

test('[U139] the evidence that is spoken of stands out, by key and by pointer', async ({
  linked: page,
}) => {
  await openAt(page, 's=sample:st-003&turn=1&preset=recommended&present=message')
  const spot = page.locator('.stage-spot')
  await expect(spot).toHaveCount(0)
  await page.keyboard.press('e')
  await expect(spot).toHaveText('Investigate')
  await expect(page.locator('.stage-caption')).toContainText('matched by investigate')
  await expectAccessible(page, 'presenter, evidence')
  await page.keyboard.press('E')
  await page.keyboard.press('e')
  await expect(spot).toHaveText('Investigate')
  await page.locator('.stage-mark', { hasText: 'rating agencies' }).hover()
  await expect(spot).toHaveText('rating agencies')
  await page.keyboard.press('j')
  await expect(spot).toHaveCount(0)
})

for (const theme of todays(['light', 'dark', 'contrast'] as const)) {
  test(`[U137] ${theme}: nothing to object to, at 1024 and on a tour`, async ({ linked: page }) => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.evaluate((one) => localStorage.setItem('turnscope.theme', one), theme)
    await openAt(page, 's=sample:lock-in&turn=48&preset=recommended&present=momentum')
    await page.evaluate((one) => (document.documentElement.dataset['theme'] = one), theme)
    await expect(page.getByRole('region', { name: 'Momentum' })).toContainText('broken')
    await expectReadable(page)
    for (const key of ['3', '2', '1']) {
      await page.keyboard.press(key)
      await expectAccessible(page, `presenter, ${theme}, ${key}`)
    }
    await page.mouse.move(300, 300)
    await expectAccessible(page, `presenter, ${theme}, controls`)
  })
}

const PICTURES = [
  ['message', 'dark'],
  ['decision', 'light'],
  ['momentum', 'dark'],
] as const
for (const [thing, theme] of PICTURES) {
  test(`[U137] ${thing} looks as it did, ${theme}`, async ({ linked: page }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await openAt(
      page,
      `s=sample:st-003&turn=13&preset=recommended&compare=literal&present=${thing}`,
    )
    await page.evaluate(() => document.fonts.ready)
    await expect(page).toHaveScreenshot(`presenter-${thing}-${theme}.png`, {
      maxDiffPixelRatio: 0.01,
    })
  })
}
