import { expectAccessible } from './helpers/axe.ts'
import { todays } from './helpers/rotation.ts'
import { expect, test } from './helpers/serve.ts'

const inspector = 'Inspector tabs'
const SAMPLE = '#s=sample:st-003&turn=20'

test('[U173] the first screen has one action, the samples, and nothing to replay with', async ({
  workbench: page,
}) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.locator('.button-primary')).toHaveCount(1)
  await expect(page.locator('.cards').getByRole('button')).toHaveCount(8)
  const library = page.getByRole('navigation', { name: 'Library' })
  await expect(library.getByRole('region', { name: 'Folders' })).toBeVisible()
  for (const name of ['Samples', 'Presets', 'Model profiles'])
    await expect(library.getByRole('region', { name })).toHaveCount(0)
  await expectAccessible(page, 'first screen')
  await page.locator('.cards').getByRole('button').first().click()
  await expect(library.getByRole('region', { name: 'Presets' })).toBeVisible()
})

test('[U202] the first screen is there before the host has said what it offers, and stays where it is', async ({
  linked: page,
  shared,
}) => {
  const held: Array<() => void> = []
  await page.routeWebSocket(/\/rpc$/u, (socket) => {
    const server = socket.connectToServer()
    let asked = ''
    socket.onMessage((message) => {
      const id = /^\{"id":(\d+),"t":"open","m":"host\.info"/u.exec(String(message))?.[1]
      if (id !== undefined) asked = `{"id":${id},`
      server.send(message)
    })
    server.onMessage((message) => {
      if (asked !== '' && String(message).startsWith(asked)) held.push(() => socket.send(message))
      else socket.send(message)
    })
  })
  await page.goto(`${shared.origin}/?first`)
  const sample = page.locator('.cards').getByRole('button').first()
  await expect(sample).toBeVisible()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await expect(page.locator('details.welcome-formats')).toHaveCount(0)
  const before = await sample.boundingBox()
  for (const answer of held) answer()
  await expect(page.locator('details.welcome-formats')).toBeVisible()
  expect(await sample.boundingBox()).toEqual(before)
})

test('[U171] three tabs at first; another one opens from its group, stays, and goes by Delete', async ({
  linked: page,
  shared,
}) => {
  await page.goto(`${shared.origin}/${SAMPLE}`)
  const tabs = page.getByRole('tablist', { name: inspector }).getByRole('tab')
  await expect(tabs).toHaveText(['Decision', 'Why not', 'Prompt'])
  const timeline = page.getByRole('slider', { name: 'Timeline of turns' })
  await expect(timeline).toBeVisible()
  await expect(page.locator('.tl-row-coach')).toHaveCount(0)
  await page.getByRole('button', { name: '8 more tabs' }).click()
  await expectAccessible(page, 'menu of tabs', '.menu')
  await page.getByRole('menuitem', { name: /^Coach/u }).click()
  await expect(tabs).toHaveText(['Decision', 'Why not', 'Prompt', 'Coach'])
  await expect(page.locator('.tl-row-coach')).toBeVisible()
  await page.reload()
  await expect(tabs).toHaveText(['Decision', 'Why not', 'Prompt', 'Coach'])
  await page.getByRole('tab', { name: 'Coach' }).focus()
  await page.keyboard.press('Delete')
  await expect(tabs).toHaveText(['Decision', 'Why not', 'Prompt'])
  // A link shows its tab and keeps nothing.
  await page.goto(`${shared.origin}/?link${SAMPLE}&tab=raw`)
  await expect(tabs).toHaveText(['Decision', 'Why not', 'Prompt', 'Raw'])
  await page.getByRole('tab', { name: 'Decision' }).click()
  await expect(tabs).toHaveText(['Decision', 'Why not', 'Prompt'])
})

test('[U170] [U171] lanes come from their menu and say what they show by keyboard', async ({
  linked: page,
  shared,
}) => {
  await page.goto(`${shared.origin}/?lanes${SAMPLE}`)
  await page.getByRole('button', { name: 'Lanes' }).click()
  await page.getByRole('menuitemcheckbox', { name: /^query/u }).click()
  await expectAccessible(page, 'menu of lanes', '.menu')
  await page.keyboard.press('Escape')
  await expect(page.locator('.tl-row-query')).toBeVisible()
  await page.locator('.tl-row[tabindex="0"]').focus()
  const rows = await page.locator('.tl-row[tabindex]').count()
  expect(rows).toBeGreaterThan(8)
  for (let at = 1; at < rows; at++) {
    await page.keyboard.press('ArrowDown')
    const words = await page.evaluate(() =>
      document.activeElement?.getAttribute('aria-description'),
    )
    expect(words ?? '', `row ${at}`).toMatch(/^[A-Z].{20,}\.$/u)
    // The one before it may still fade away.
    await expect(page.locator('.tip[data-open]')).toHaveText(words ?? '')
  }
})

test('[U172] layouts by key, and back', async ({ linked: page, shared }) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto(`${shared.origin}/?layouts${SAMPLE}`)
  const list = page.getByRole('tablist', { name: inspector })
  await expect(list.getByRole('tab')).toHaveCount(3)
  await expect(page.getByRole('slider', { name: 'Timeline of turns' })).toBeVisible()
  await page.keyboard.press('D')
  await expect(list.getByRole('tab')).toHaveCount(11)
  // Eleven tabs beside each other, and nothing to scroll.
  expect(await list.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
  await expect(page.locator('.tl-row-query')).toBeVisible()
  await page.keyboard.press('E')
  await expect(page.getByRole('region', { name: 'Tune' })).toBeVisible()
  await expect(page.locator('.tl-row-query')).toHaveCount(0)
  await page.locator('.list-scroll').focus()
  await page.keyboard.press('E')
  await expect(page.locator('.dock-panel')).toHaveCount(0)
  await expect(list.getByRole('tab')).toHaveCount(3)
})

const LOOKS = [
  { name: 'first-1440-light', hash: '', width: 1440, height: 900, theme: 'light', key: null },
  { name: 'first-1024-dark', hash: '', width: 1024, height: 768, theme: 'dark', key: null },
  { name: 'debug-1440-dark', hash: SAMPLE, width: 1440, height: 900, theme: 'dark', key: 'D' },
  { name: 'debug-1024-light', hash: SAMPLE, width: 1024, height: 768, theme: 'light', key: 'D' },
  { name: 'tune-1440-light', hash: SAMPLE, width: 1440, height: 900, theme: 'light', key: 'E' },
] as const

for (const { name, hash, width, height, theme, key } of todays(LOOKS, 2))
  test(`looks as it should: ${name}`, async ({ placed: page }) => {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.goto(`${new URL(page.url()).origin}/?look${hash}`)
    if (key === null) await expect(page.locator('.cards').getByRole('button')).toHaveCount(8)
    else {
      // The last that come: labels, and the verdicts of the rules.
      await expect(page.locator('.tl-row-wrong')).toBeVisible()
      await expect(page.locator('.dock-bar')).toContainText('1 back')
      await page.keyboard.press(key)
      await expect(page.locator('.inspector [role="tab"]')).toHaveCount(key === 'D' ? 11 : 4)
    }
    if (key === 'D')
      await expect(page.locator('.tl-probe-note')).toContainText('Nothing is indexed yet')
    if (key === 'E')
      await expect(page.getByRole('grid', { name: 'Signals of the draft' })).toBeVisible()
    if (key === 'E')
      await expect(page.getByRole('grid', { name: 'Signals of the draft' })).not.toContainText('……')
    if (key === 'E')
      await expect(page.locator('.dock-panel').getByRole('progressbar')).toHaveCount(0)
    await page.mouse.move(0, 0)
    await page.evaluate(() => document.fonts.ready)
    // Figures of the status bar are times, the editor has a cursor, and when a signal was edited hangs on the day.
    const edited = page.locator('.signals-scroll [role="gridcell"]:last-child')
    await expect(page).toHaveScreenshot(`${name}.png`, {
      mask: [page.locator('.status'), page.locator('.cm-editor'), edited],
      maskColor: '#888888',
      maxDiffPixelRatio: 0.003,
    })
  })
