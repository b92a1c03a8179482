import type { Page } from '@playwright/test'
import { todays } from './helpers/rotation.ts'
import { expect, test } from './helpers/serve.ts'

// Each on a separate server, because a shared one lists the files of earlier tests. The pictures were reviewed and
// approved. After an intended change they are created again (`npx playwright test e2e/looks.spec.ts
// --update-snapshots`) and reviewed again.

test.use({ timezoneId: 'UTC' })

async function openAt(page: Page, link: string, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#${link}`)
  await expect(page.locator('.verdict, .turn-line').first()).toBeVisible()
}

/** The figures of the status bar are times, and the editor has a cursor. */
async function expectLook(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready)
  await expect(page).toHaveScreenshot(`${name}.png`, {
    mask: [page.locator('.status'), page.locator('.cm-editor')],
    maskColor: '#888888',
    maxDiffPixelRatio: 0.006,
  })
}

/** Place of each stop of the first tour, as the window writes it into its link. */
const STOPS = [
  'turn=1&tab=decision',
  'turn=1&tab=decision',
  'turn=8&tab=momentum',
  'turn=8&tab=why-not',
  'turn=13&tab=decision&dock=tune',
]

// A separate server, because the list of recent files would show sessions opened before.
test('[U133] every stop of the first tour looks as it did', async ({ placed: page }) => {
  for (const [at, place] of STOPS.entries()) {
    const step = at + 1
    const isSmall = step % 2 === 0
    await page.setViewportSize(
      isSmall ? { width: 1024, height: 768 } : { width: 1440, height: 900 },
    )
    await openAt(page, `s=sample:st-003&${place}&tour=st-003.${step}`, isSmall ? 'dark' : 'light')
    await expect(page.locator('.tour-card .num').first()).toHaveText(`${step} of 5`)
    await expect(page.locator('.tour-ring')).toBeVisible()
    // The last that come.
    await expect(page.locator('.tl-row-wrong')).toBeVisible()
    await expect(page.locator('.dock-bar')).toContainText('1 back')
    if (step === 5) {
      await expect(page.getByRole('grid', { name: 'Signals of the draft' })).toBeVisible()
      await expect(page.locator('.dock-panel').getByRole('progressbar')).toHaveCount(0)
      await expect(page.getByRole('grid', { name: 'Signals of the draft' })).not.toContainText('……')
      await expect(page.getByRole('button', { name: 'Try this edit' })).toBeVisible()
    }
    await expectLook(page, `tour-stop-${step}`)
  }
})

for (const theme of todays(['light', 'dark'] as const)) {
  test(`[U160] the scratch pad looks as it did, ${theme}`, async ({ placed: page }) => {
    await openAt(page, 's=sample:lock-in', theme)
    await page.keyboard.press('N')
    await page.keyboard.type('Fix the crash in parse_config and add unit tests, then commit')
    const said = page.getByRole('region', { name: 'What is decided' })
    await expect(said).toContainText('bugfix')
    await expect(said).toContainText('tokens')
    await expect(said.getByText('Asking')).toHaveCount(0)
    await expectLook(page, `scratch-${theme}`)
  })
}

for (const [kind, theme] of todays([
  ['Timeline', 'dark'],
  ['Transitions', 'light'],
] as const)) {
  test(`[U150] the dialog of pictures looks as it did, ${kind}, ${theme}`, async ({
    placed: page,
  }) => {
    await openAt(page, 's=sample:st-003&compare=literal', theme)
    await expect(page.locator('.dock-bar')).toContainText('1 back')
    await page.keyboard.press('I')
    const dialog = page.getByRole('dialog', { name: 'Pictures' })
    await dialog
      .getByRole('radio', { name: kind })
      .or(dialog.getByText(kind, { exact: true }))
      .first()
      .click()
    await expect(dialog.getByRole('img')).toBeVisible()
    await expectLook(page, `pictures-${kind.toLowerCase()}-${theme}`)
  })
}
