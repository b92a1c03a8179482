import type { Page } from '@playwright/test'
import { expect, startTurnscope, test } from './helpers/serve.ts'

test.use({ shown: 'all' })

const places = (page: Page) => page.evaluate(() => history.length)
const verdict = (page: Page) => page.locator('.verdict')

/** Presses a key many times in one go, as a held one does. */
async function hold(page: Page, key: string, times: number): Promise<void> {
  await page.evaluate(
    ([name, many]) => {
      for (let at = 0; at < many; at += 1) {
        window.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }))
      }
    },
    [key, times] as const,
  )
}

test('[U70] Back and Forward go through sessions, turns, tabs and dialogs', async ({
  workbench: page,
}) => {
  await page.locator('.cards').getByRole('button').first().click()
  await expect(verdict(page)).toContainText('Turn 1')
  const first = page.url()
  await page.getByRole('tab', { name: 'Raw' }).click()
  await expect(page).toHaveURL(/tab=raw/u)
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toBeVisible()
  await page.goBack()
  await expect(help).toHaveCount(0)
  await expect(page.getByRole('tab', { name: 'Raw' })).toHaveAttribute('aria-selected', 'true')
  await page.goForward()
  await expect(help).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)
  // A dialog that was closed is no step of the way back.
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Decision' })).toHaveAttribute('aria-selected', 'true')
  expect(page.url()).toBe(first)
  await page.goBack()
  await expect(page.locator('.cards').getByRole('button').first()).toBeVisible()
  await page.goForward()
  await expect(verdict(page)).toContainText('Turn 1')
})

test('[U70] a held key is one place; another session and back is the turn again', async ({
  workbench: page,
}) => {
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?held#s=sample:st-003&turn=1`)
  await expect(verdict(page)).toContainText('Turn 1')
  const before = await places(page)
  await hold(page, 'j', 30)
  await expect(verdict(page)).toContainText('Turn 31')
  await expect(page).toHaveURL(/turn=31/u)
  expect((await places(page)) - before).toBeLessThanOrEqual(1)
  // A link that is pasted into the same tab goes there.
  await page.goto(`${origin}/?held#s=sample:lock-in&turn=2`)
  await expect(verdict(page)).toContainText('Turn 2')
  await expect(page).toHaveURL(/lock-in/u)
  await page.goBack()
  await expect(verdict(page)).toContainText('Turn 31')
  await page.goBack()
  await expect(verdict(page)).toContainText('Turn 1')
})

test('[U71] Back and Forward are commands with keys', async ({ workbench: page }) => {
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?keys#s=sample:st-003&turn=4`)
  await expect(verdict(page)).toContainText('Turn 4')
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await tab('Raw').click()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('back to where')
  await page.getByRole('option', { name: /Back to where you were/u }).click()
  await expect(tab('Decision')).toHaveAttribute('aria-selected', 'true')
  await page.locator('.list [role="grid"]').focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(tab('Raw')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(tab('Decision')).toHaveAttribute('aria-selected', 'true')
})

test('[U72] y copies the link as it is and says so; it opens in another tab of the browser', async ({
  workbench: page,
  context,
  files,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const path = await files.copy('sessions/st-003.jsonl', 'home/ann/a b.jsonl')
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?link#s=path:${encodeURIComponent(path)}&turn=3&tab=raw`)
  await expect(page.getByLabel('Record', { exact: true })).toBeVisible()
  await page.keyboard.press('y')
  await expect(page.getByRole('status').filter({ hasText: 'Link copied.' })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).not.toContain('token')
  const other = await context.newPage()
  await other.goto(link)
  await expect(other.getByLabel('Record', { exact: true })).toBeVisible()
  await expect(other).toHaveURL(/turn=3&tab=raw/u)
})

test('[U73] who leaves the page before it has its key gets in with the same address', async ({
  page,
  served,
}) => {
  let isLeft = false
  await page.route('**/key', async (route) => {
    if (isLeft) {
      await route.continue()
      return
    }
    // The host has issued the key, but the page does not receive it.
    await route.fetch()
    isLeft = true
    await route.abort().catch(() => undefined)
  })
  await page.goto(served.url)
  await expect.poll(() => isLeft).toBe(true)
  await page.goto('about:blank')
  await page.goto(served.url)
  await expect(page.locator('header').first()).toBeVisible()
})

test('[U74] after a restart the pasted address is taken by a field of the page, and the place stays', async ({
  page,
}) => {
  const first = await startTurnscope()
  await page.goto(first.url)
  await expect(page.locator('header').first()).toBeVisible()
  await page.goto(`${first.origin}/#s=sample:st-003&turn=5&tab=raw`)
  await expect(page.getByLabel('Record', { exact: true })).toBeVisible()
  await first.close()
  const second = await startTurnscope({ port: new URL(first.origin).port })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Turnscope was restarted')
  const field = page.getByRole('textbox', { name: 'Printed link' })
  await field.fill('http://127.0.0.1/')
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByRole('alert')).toContainText('not a link of Turnscope')
  await field.fill(second.url)
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByLabel('Record', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/turn=5&tab=raw/u)
  await expect(page).not.toHaveURL(/token/u)
  await second.close()
})

test('[U74] an address that is pasted into the address bar keeps the place too', async ({
  page,
}) => {
  const first = await startTurnscope()
  await page.goto(first.url)
  await expect(page.locator('header').first()).toBeVisible()
  await page.goto(`${first.origin}/#s=sample:st-003&turn=5&tab=raw`)
  await expect(page.getByLabel('Record', { exact: true })).toBeVisible()
  await first.close()
  const second = await startTurnscope({ port: new URL(first.origin).port })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Turnscope was restarted')
  await page.goto(second.url)
  await expect(page.getByLabel('Record', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/turn=5&tab=raw/u)
  await second.close()
})
