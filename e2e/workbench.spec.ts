import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expectAccessible } from './helpers/axe.ts'
import { todays } from './helpers/rotation.ts'
import { expect, test } from './helpers/serve.ts'

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/sessions/${name}`, import.meta.url))
const ST_003 = 's=sample:st-003&compare=literal'

test.use({ timezoneId: 'UTC', colorScheme: 'dark' })

/** Opens a deep link in a page that has its key already, and waits until a turn is explained. */
async function openLink(page: Page, link: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#${link}`)
  await expect(page.locator('.verdict, .raw').first()).toBeVisible()
}

const header = (page: Page, name: string) =>
  page.locator('.header').getByRole('button', { name: new RegExp(`^${name}`, 'u') })
const selectedRow = (page: Page) => page.getByRole('row', { selected: true })

async function dropFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?drop`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const data = await page.evaluateHandle(
    ([file, base64]) => {
      const transfer = new DataTransfer()
      const binary = Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0))
      transfer.items.add(new File([binary], file ?? 'file'))
      return transfer
    },
    [name, bytes.toString('base64')],
  )
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data })
  await expect(page.getByText('Drop to open')).toBeVisible()
  await page.dispatchEvent('body', 'drop', { dataTransfer: data })
}

test('first run: a sample opens with its comparison and its first turn explained', async ({
  workbench: page,
}) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/turn by turn/u)
  await page
    .getByRole('main')
    .getByRole('button', { name: /ST-003/u })
    .click()
  await expect(page.locator('.verdict')).toContainText('Turn 1')
  await expect(header(page, 'compare')).toContainText('literal')
  await expect(header(page, 'compare')).toContainText(/\d+ flips/u)
  await expect(selectedRow(page)).toContainText('Investigate Oracle Corporation')
  await expect(page.getByRole('slider', { name: 'Timeline of turns' })).toHaveAttribute(
    'aria-valuenow',
    '1',
  )
})

test('a click on a row selects it everywhere: list, timeline, inspector, URL', async ({
  linked: page,
}) => {
  await openLink(page, ST_003)
  // The list renders only visible rows.
  await page.getByRole('row').filter({ hasText: 'Investigate Oracle' }).hover()
  await page.mouse.wheel(0, 500)
  await page.getByRole('row').filter({ hasText: 'ownership too' }).click()
  await expect(page.locator('.verdict')).toContainText('Turn 5')
  await expect(page.getByRole('slider')).toHaveAttribute('aria-valuenow', '5')
  await expect(page).toHaveURL(/turn=5/u)
  await expect(page.locator('.status')).toContainText('turn 5 of 47')
})

test('every tab of the inspector answers its question', async ({ linked: page }) => {
  await openLink(page, `${ST_003}&turn=7`)
  await expect(page.locator('.verdict')).toContainText('B1 · resist')
  await expect(page.getByRole('region', { name: 'Scores of this text' })).toContainText('file_ops')
  await page.getByRole('tab', { name: 'Why not' }).click()
  await expect(page.getByRole('region', { name: 'Why not file_ops' })).toContainText(
    'breakMinSignals',
  )
  const open = async (name: RegExp) => {
    await page.getByRole('button', { name: /more tabs/u }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await open(/^Momentum/u)
  await expect(page.getByRole('region', { name: 'In force' })).toContainText('resisted file_ops')
  await open(/^Raw/u)
  await expect(page.getByLabel('Record', { exact: true })).toContainText('"kind": "tool_result"')
})

test('a signal points at its matches in the classified text', async ({ linked: page }) => {
  await openLink(page, `${ST_003}&turn=1`)
  await page
    .getByRole('region', { name: 'Signals of investigation' })
    .getByRole('button')
    .first()
    .click()
  await expect(page.locator('.classified .matched-focus').first()).toBeVisible()
  await expect(selectedRow(page).locator('.matched-focus').first()).toBeVisible()
})

test('compare: flips are counted, listed, explained and walked', async ({ linked: page }) => {
  await openLink(page, 's=sample:st-003')
  await header(page, 'compare').click()
  await page.getByRole('menuitemradio', { name: /^literal/u }).click()
  await expect(header(page, 'compare')).toContainText(/\d+ flips/u)
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('n')
  await expect(page.locator('.other-preset')).toContainText('literal')
  const first = await page.locator('.turn-line').first().textContent()
  await page.keyboard.press('n')
  await expect(page.locator('.turn-line').first()).not.toHaveText(first ?? '')
  await page.keyboard.press('p')
  await expect(page.locator('.turn-line').first()).toHaveText(first ?? '')
  await page.getByRole('button', { name: /^Flips/u }).click()
  await expect(page.getByRole('grid').locator('.row-turn').first()).toContainText('literal')
})

test('a deep link restores turn, tab, preset and comparison, also after a reload', async ({
  linked: page,
}) => {
  await openLink(page, 's=sample:st-003&turn=12&tab=momentum&preset=field&compare=recommended')
  const check = async () => {
    await expect(page.locator('.verdict')).toContainText('Turn 12')
    await expect(page.getByRole('tab', { name: 'Momentum' })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await expect(header(page, 'preset')).toContainText('field')
    await expect(header(page, 'compare')).toContainText('recommended')
  }
  await check()
  await page.keyboard.press('j')
  await expect(page).toHaveURL(/turn=13/u)
  await page.keyboard.press('k')
  await expect(page).toHaveURL(/turn=12/u)
  await page.reload()
  await check()
})

test('a dropped file opens; sub-agents hang under their session', async ({ linked: page }) => {
  await dropFile(page, 'mine.jsonl', await readFile(fixture('claude-code-demo.jsonl')))
  await expect(page.locator('.verdict')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Opened' })).toContainText('sub-agent')
  await expect(page.locator('.status')).toContainText('mine.jsonl')
})

test('bad lines are counted, placed and readable; the good rest is there', async ({
  linked: page,
}) => {
  const good = await readFile(fixture('st-003.jsonl'), 'utf8')
  const lines = good.trimEnd().split('\n')
  const torn = [
    ...lines.slice(0, 20),
    '{"kind": "user", "text": "half',
    ...lines.slice(20, 30),
    '{"ki',
  ]
  await dropFile(page, 'torn.jsonl', Buffer.from(torn.join('\n')))
  await page.getByRole('button', { name: 'Show them' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('line 21')
  await dialog.getByRole('button', { name: /line 21/u }).click()
  await expect(dialog.getByLabel('Bytes of line 21')).toHaveText('{"kind": "user", "text": "half')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('grid')).toContainText('Investigate Oracle Corporation')
})

test('a file without a good line is a failure that says so', async ({ linked: page }) => {
  await dropFile(page, 'noise.jsonl', Buffer.from('not json\n{"half": \n'))
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toContainText('noise.jsonl')
  await main.getByRole('button', { name: 'Back to the samples' }).click()
  await expect(main.getByRole('button', { name: /ST-003/u })).toBeVisible()
})

test('[L1] a lock-in is said where it cannot be missed', async ({ linked: page }) => {
  await openLink(page, 's=sample:lock-in')
  await page.getByRole('button', { name: /held 43 turns in a row/u }).click()
  await expect(page.getByRole('region', { name: 'In force' })).toContainText(
    '43 turns of 47 were held by momentum, up to 43 in a row',
  )
})

test('[L10] a profile that gates nothing is called out', async ({ linked: page }) => {
  await openLink(page, 's=sample:dead-gate&profile=gpt-oss-20b-dead-gate')
  await expect(page.getByRole('main').getByRole('status')).toContainText(
    'Profile gpt-oss-20b-dead-gate gates nothing.',
  )
  await expect(header(page, 'profile')).toContainText('gates nothing!')
})

test('keyboard only: open, move, look, find, compare, never a click', async ({
  workbench: page,
}) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('credit-risk')
  await page.keyboard.press('Enter')
  await expect(page.locator('.verdict')).toContainText('Turn 1')
  await page.keyboard.press('j')
  await expect(page.locator('.verdict')).toContainText('Turn 2')
  await page.keyboard.press('J')
  await expect(page.locator('.verdict')).toContainText('Turn 5')
  await page.keyboard.press('r')
  await expect(page.locator('.verdict')).toContainText('resist')
  await page.keyboard.press('b')
  await expect(page.locator('.verdict')).toContainText('break')
  await page.keyboard.press('g')
  await page.keyboard.type('20')
  await page.keyboard.press('Enter')
  await expect(page.locator('.verdict')).toContainText('Turn 20')
  await page.keyboard.press('3')
  await expect(page.getByRole('tab', { name: 'Momentum' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('/')
  await page.keyboard.type('Moody')
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/\d+ of \d+/u)
  await page.keyboard.press('Escape')
  await page.keyboard.press('1')
  await expect(page.getByRole('tab', { name: 'Decision' })).toHaveAttribute('aria-selected', 'true')
})

test('letters typed into a field are letters', async ({ linked: page }) => {
  await openLink(page, `${ST_003}&turn=3`)
  await page.keyboard.press('/')
  await page.keyboard.type('jkbnr')
  await expect(page.getByRole('combobox', { name: 'Find in this session' })).toHaveValue('jkbnr')
  await expect(page.locator('.verdict')).toContainText('Turn 3')
})

test('the palette finds commands, turns and text; focus goes back where it was', async ({
  linked: page,
}) => {
  await openLink(page, ST_003)
  const list = page.getByRole('grid', { name: 'Events of this session' })
  await list.focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('17')
  await expect(page.getByRole('option', { name: 'Go to turn 17' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.locator('.verdict')).toContainText('Turn 17')
  await expect(list).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('python script')
  const hit = page.getByRole('option', { name: /small python script/u })
  await expect(hit).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('[U225] the top row of the palette is the chosen one, also when results of the session arrive above it', async ({
  linked: page,
}) => {
  await openLink(page, ST_003)
  await page.keyboard.press('Control+k')
  // Fits some commands by their letters, and a sentence of the session by its words.
  await page.keyboard.type('script')
  await expect(page.getByRole('option', { name: /small python script/u })).toBeVisible()
  const options = page.getByRole('option')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('option', { selected: true })).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.type(' ')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
})

test('? shows every key and Esc closes it', async ({ linked: page }) => {
  await openLink(page, ST_003)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toContainText('Next resisted turn')
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)
})

test('the list holds no more rows than can be seen', async ({ linked: page }) => {
  await openLink(page, `${ST_003}&turn=40`)
  expect(await page.getByRole('row').count()).toBeLessThan(40)
})

test('without a key the page says what to do', async ({ page, shared }) => {
  await page.goto(shared.origin)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Open the printed link')
})

for (const theme of todays(['dark', 'light', 'contrast'] as const)) {
  test(`axe finds nothing in ${theme}`, async ({ workbench: page }) => {
    const check = (what: string) => expectAccessible(page, what)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await header(page, 'theme').click()
    await page.getByRole('menuitemradio', { name: new RegExp(theme, 'iu') }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await expect(page.getByRole('menu')).toHaveCount(0)
    await check('welcome')
    for (const tab of ['decision', 'why-not', 'momentum', 'raw']) {
      await openLink(page, `${ST_003}&turn=7&tab=${tab}`)
      await check(tab)
    }
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
    await check('help')
  })
}

const SIZES = [
  [1440, 900],
  [1024, 768],
] as const
for (const theme of todays(['dark', 'light'] as const))
  for (const [width, height] of todays(SIZES))
    // A separate server, because a shared one lists files opened by other tests.
    test(`looks as it should: ${width}x${height} ${theme}`, async ({ placed: page }) => {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await openLink(page, `${ST_003}&turn=7`)
      await page.mouse.move(0, 0)
      await page.evaluate(() => document.fonts.ready)
      // The last lanes that come.
      await expect(page.locator('.tl-row-wrong')).toBeVisible()
      await expect(page.locator('.dock-bar')).toContainText('1 back')
      await expect(page).toHaveScreenshot(`main-${width}-${theme}.png`, {
        // Its times and its workspace differ from run to run.
        mask: [page.locator('.status')],
        maskColor: '#888888',
        maxDiffPixelRatio: 0.003,
      })
    })

test('looks as it should: the strip of held turns', async ({ placed: page }) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await openLink(page, `${ST_003}&turn=30&tab=momentum`)
  const inForce = page.getByRole('region', { name: 'In force' })
  const cells = inForce.getByRole('group', { name: 'Turns of this stretch' }).getByRole('button')
  expect(await cells.count()).toBeGreaterThan(10)
  await expect(inForce).toContainText('resisted')
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready)
  await expect(inForce).toHaveScreenshot('momentum-held.png', { maxDiffPixelRatio: 0.003 })
})
