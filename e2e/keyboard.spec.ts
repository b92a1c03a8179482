import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './helpers/serve.ts'

test.use({ timezoneId: 'UTC', colorScheme: 'dark' })

/** Presses Tab until an element with this role and name has the focus, like a user without a mouse. */
async function tabTo(page: Page, name: RegExp, most = 60): Promise<void> {
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    })
    if (name.test(focused)) return
  }
  throw new Error(`Tab never comes to ${String(name)}`)
}

/** True if the focused element has a visible focus mark. */
async function focusIsVisible(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return false
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  })
}

test('[U5] [U9] a newcomer without a mouse opens, finds, jumps, inspects and exports', async ({
  workbench: page,
}) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // Open: the first sample of the start page.
  await tabTo(page, /^ST-003/u)
  expect(await focusIsVisible(page)).toBe(true)
  await page.keyboard.press('Enter')
  await expect(page.locator('.verdict')).toBeVisible()
  await expect(page.locator('.status')).toContainText('turn 1 of 47')

  // Find: results, then the next one, then back to the list.
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: 'Find in this session' })
  await expect(box).toBeFocused()
  await page.keyboard.type('ro')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(box).toHaveValue('role:')
  await page.keyboard.type('user rating')
  await expect(page.locator('.result').first()).toBeVisible()
  const before = await page.locator('.status').textContent()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(box).toHaveCount(0)

  // Jump: by number, by breaks, by one.
  await page.keyboard.press('g')
  await page.keyboard.type('36')
  await page.keyboard.press('Enter')
  await expect(page.locator('.status')).toContainText('turn 36 of 47')
  expect(before).not.toContain('turn 36')
  await page.keyboard.press('k')
  await expect(page.locator('.status')).toContainText('turn 35 of 47')
  await page.keyboard.press('b')
  await expect(page.locator('.status')).toContainText('turn 36 of 47')

  // Inspect: two tabs by number, the next one by arrow.
  await page.keyboard.press('2')
  await expect(page.getByRole('tab', { name: 'Why not' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('0')
  await expect(page.getByRole('tab', { name: 'Raw' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.locator('.raw')).toBeVisible()

  // Export: the redactions are shown first; Tab leads to the button.
  await page.keyboard.press('x')
  const dialog = page.getByRole('dialog', { name: 'Export' })
  const save = dialog.getByRole('button', { name: /Save as JSONL/u })
  await expect(save).toBeEnabled()
  const waiting = page.waitForEvent('download')
  await tabTo(page, /Save as JSONL/u)
  expect(await focusIsVisible(page)).toBe(true)
  await page.keyboard.press('Enter')
  const download = await waiting
  expect(await readFile(await download.path(), 'utf8')).toContain('"type":"session"')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('j')
  await expect(page.locator('.status')).toContainText('turn 37 of 47')
})

test('[U78] [U79] F6 goes from region to region, skip links pass header and library, the keyboard follows a jump', async ({
  linked: page,
}) => {
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?regions#s=sample:lock-in&turn=3`)
  await expect(page.locator('.verdict')).toContainText('Turn 3')
  const region = () =>
    page.evaluate(() => {
      const { activeElement } = document
      const parts = ['Timeline', 'Events', 'Inspector'].map((name) => `section[aria-label=${name}]`)
      const part = activeElement?.closest(`header, nav, .dock, footer, ${parts.join(', ')}`)
      return part?.getAttribute('aria-label') ?? part?.tagName ?? ''
    })
  // They precede all other elements of the page.
  await page.locator('.header-library').focus()
  for (const name of ['inspector', 'timeline', 'list']) {
    await page.keyboard.press('Shift+Tab')
    await expect(page.getByRole('button', { name: `Skip to the ${name}` })).toBeFocused()
  }
  expect(await focusIsVisible(page)).toBe(true)
  await page.keyboard.press('Enter')
  const grid = page.getByRole('grid', { name: 'Events of this session' })
  await expect(grid).toBeFocused()
  const seen: string[] = []
  for (let at = 0; at < 6; at += 1) {
    await page.keyboard.press('F6')
    seen.push(await region())
  }
  expect(seen[0]).toBe('Inspector')
  expect(seen).toContain('HEADER')
  expect(seen).toContain('Library')
  expect(seen).toContain('Timeline')
  await page.keyboard.press('Shift+F6')
  expect(await region()).toBe(seen.at(-2))
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await page.keyboard.press('j')
  await expect(grid).toBeFocused()
  // The accessible name of a cell contains both domains.
  await page.keyboard.press('h')
  const cell = page.getByRole('button', { name: /^\w+ decided as \w+: \d+ turns?$/u }).first()
  await expect(cell).toBeAttached()
})

test('[U111] the first Tab of a session that was just loaded, or loaded anew, comes to the skip links', async ({
  linked: page,
}) => {
  const { origin } = new URL(page.url())
  const first = page.getByRole('button', { name: 'Skip to the list' })
  const firstTab = async () => {
    await expect(page.locator('.verdict')).toContainText('Turn 3')
    await expect(page.locator('.status')).toContainText('replayed in')
    await page.keyboard.press('Tab')
    await expect(first).toBeFocused()
    expect(await focusIsVisible(page)).toBe(true)
  }
  await page.goto(`${origin}/?first#s=sample:lock-in&turn=3`)
  await firstTab()
  await page.reload()
  await firstTab()
  await page.goto(`${origin}/?docked#s=sample:lock-in&turn=3&dock=tune`)
  // A panel that is there before the first key does not take the keyboard either.
  await expect(page.getByRole('grid', { name: 'Signals of the draft' })).toBeVisible()
  await firstTab()
  // In the order of the page: what F6 goes through. The dock has no name.
  const order: string[] = []
  for (let at = 0; at < 7; at += 1) {
    await page.keyboard.press('F6')
    order.push(
      await page.evaluate(() => {
        const names = ['Timeline', 'Events', 'Inspector'].map(
          (name) => `section[aria-label=${name}]`,
        )
        const part = document.activeElement?.closest(
          `header, nav[aria-label=Library], .dock, footer, ${names.join(', ')}`,
        )
        return part?.getAttribute('aria-label') ?? part?.tagName ?? ''
      }),
    )
  }
  expect(order).toEqual(['HEADER', 'Library', 'Timeline', 'Events', 'Inspector', 'DIV', 'Status'])
})
