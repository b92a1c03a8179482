import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ROOT } from '../scripts/build.ts'
import { expectAccessible } from './helpers/axe.ts'
import { type Served, expect, test } from './helpers/serve.ts'

test.use({ timezoneId: 'UTC', colorScheme: 'dark' })

const FIXTURES = join(ROOT, 'fixtures/lab')
/** The first answer compiles every pattern, on machines that do other things too. */

/** The small session of the lab under its domain file, at a turn. */
async function openLab(page: Page, { workspace }: Served, more: string): Promise<void> {
  await mkdir(join(workspace, 'profiles/domains'), { recursive: true })
  await copyFile(join(FIXTURES, 'domains.yaml'), join(workspace, 'profiles/domains/lab.yaml'))
  for (const name of ['session.jsonl', 'session.labels.jsonl'])
    await copyFile(join(FIXTURES, name), join(workspace, name))
  const link = `s=path:${join(workspace, 'session.jsonl')}&preset=recommended&domains=lab&${more}`
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#${link}`)
  await expect(page.locator('.verdict').first()).toBeVisible()
}

async function shoot(page: Page, name: string): Promise<void> {
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/${name}.png` })
}

test('[T79] a signal of Decision opens in Tune at its line, with the dock closed before', async ({
  placed: page,
  served,
}) => {
  await openLab(page, served, 'turn=5')
  await expect(page.locator('.cm-content')).toHaveCount(0)
  await page.getByRole('button', { name: 'Tune plan', exact: true }).click()
  const line = page.locator('.cm-activeLine')
  await expect(line).toContainText('plan')
  await expect(
    page.getByRole('grid', { name: 'Signals of the draft' }).getByRole('row', { selected: true }),
  ).toContainText('plan')
  await shoot(page, 'tune-at-line')
})

test('[T76] [T78] why not: a signal from words of the turn shows its flips and is taken into the draft', async ({
  placed: page,
  served,
}) => {
  await openLab(page, served, 'turn=5&tab=why-not')
  await page.getByRole('button', { name: 'new signal …' }).first().click()
  const form = page.locator('.new-signal').first()
  const domain = ((await form.getAttribute('aria-label')) ?? '').replace('New signal of ', '')
  const text = form.getByLabel('Text to select words from')
  await text.dblclick({ position: { x: 12, y: 12 } })
  const pattern = form.getByLabel('Pattern')
  await expect(pattern).toHaveValue(/^\\b\w+\\b$/u)
  const chosen = await pattern.inputValue()
  await expect(form.getByRole('status')).toContainText('This session:')
  await expect(form).toContainText('Open the dock')
  await page.locator('body').click({ position: { x: 3, y: 3 } })
  await page.keyboard.press('d')
  await expect(form).toContainText('Corpus:')
  await shoot(page, 'new-signal')
  await expectAccessible(page, 'new signal', '.inspector')
  await form.getByRole('button', { name: 'Add to the draft' }).click()
  await expect(page.locator('.cm-content')).toContainText(chosen)
  await expect(page.locator('.draft-file')).toContainText('unsaved')
  expect(domain).not.toBe('')
})

test('[T77] Tune does not wait for the corpus: the session’s flips come first', async ({
  placed: page,
  served,
}) => {
  // A corpus that is never read: the window's requests for it do not arrive.
  await page.routeWebSocket(/./u, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      if (!message.toString().includes('"lab.open"')) server.send(message)
    })
  })
  await openLab(page, served, 'turn=1&dock=tune')
  const editor = page.locator('.cm-content')
  await expect(editor).toContainText('plan')
  await expect(page.getByRole('region', { name: 'Signals', exact: true })).toContainText(
    'Counting over the corpus',
  )
  await expect(page.locator('.corpus-count')).toContainText('reading')
  await editor
    .getByText(String.raw`\bplan\b`)
    .first()
    .click()
  await page.keyboard.press('End')
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('x')
  await expect(page.locator('.flip-words')).toContainText(
    /[1-9]\d* of 6 turns of this session flip/u,
  )
  await page.locator('.flip-words').click()
  await expect(page.locator('.flip-text').first()).toContainText(/\w/u)
  await shoot(page, 'session-first')
})

test('[T80] ablation does not start again by itself', async ({ placed: page, served }) => {
  await openLab(page, served, 'turn=1&dock=lab&study=ablation')
  const worth = page.getByText('What would change if a signal were deleted.')
  const old = page.getByText('This is of an earlier state')
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await expect(worth).toBeVisible()
  await page.keyboard.press('T')
  await expect(page.locator('.cm-content')).toContainText('plan')
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('# other\n')
  await tab('Lab').click()
  await expect(old).toBeVisible()
  await page.getByRole('button', { name: 'Run again' }).click()
  await expect(old).toHaveCount(0)
  await expect(worth).toBeVisible()
})
