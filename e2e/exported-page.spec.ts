import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Page, expect, test as base } from '@playwright/test'
import { runCli } from '../fixtures/run-cli.ts'
import { ROOT } from '../scripts/build.ts'
import { startTurnscope } from './helpers/serve.ts'

const LAB = join(ROOT, 'fixtures/lab')

/** A page from a disk with the network off; records its requests and error messages. */
const test = base.extend<{ folder: string; unplugged: Page; asked: string[] }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'turnscope-page-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
  // oxlint-disable-next-line no-empty-pattern -- the same
  asked: async ({}, use) => use([]),
  unplugged: async ({ context, page, asked }, use) => {
    await context.setOffline(true)
    const failures: string[] = []
    page.on('request', (request) => {
      if (!/^(?:file|blob|data):/u.test(request.url())) asked.push(request.url())
    })
    page.on('console', (message) => {
      if (message.type() === 'error') failures.push(message.text())
    })
    page.on('pageerror', (error) => failures.push(error.message))
    await use(page)
    expect(failures).toEqual([])
    expect(asked).toEqual([])
  },
})

async function exported(folder: string, args: readonly string[]): Promise<string> {
  const path = join(folder, 'page.html')
  const ran = await runCli(['export', ...args, '--html', path])
  expect(ran.err).not.toContain('error')
  expect(ran.code).toBe(0)
  return path
}

test('[R11] an exported page decides every turn as the command line does, and asks for nothing', async ({
  unplugged: page,
  folder,
}) => {
  const session = join(ROOT, 'fixtures/sessions/st-003.jsonl')
  const path = await exported(folder, [session, '--compare', 'field'])
  const transcript = (await stat(session)).size
  // An increase needs a review first. The last one was 20 kB, for 40 more formats and the Context tab.
  expect((await stat(path)).size - transcript).toBeLessThan(3_200_000)
  await page.goto(pathToFileURL(path).href)
  await expect(page.locator('.verdict').first()).toBeVisible()

  const found = await runCli(['find', 'flip:any', session, '--compare', 'field', '--json'])
  const flips = found.out.trim().split('\n').length
  expect(flips).toBeGreaterThan(1)
  await expect(page.getByRole('button', { name: /^Flips/u }).first()).toHaveText(`Flips ${flips}`)
  const { out } = await runCli(['replay', session, '--json'])
  const ours = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly signature: string }).signature)
  expect(ours.length).toBe(47)
  // Turn by turn, by keyboard: the window shows the same as the command line printed.
  for (const [turn, signature] of ours.slice(0, 6).entries()) {
    const verdict = page.locator('.inspector .verdict')
    await expect(verdict).toContainText(`Turn ${turn + 1} `)
    for (const domain of signature.split('+')) await expect(verdict).toContainText(domain)
    await page.keyboard.press('j')
  }
})

test('[R11] an edit in an exported page flips what the same edit flips on the command line', async ({
  unplugged: page,
  folder,
}) => {
  const domains = join(folder, 'profiles/domains')
  await mkdir(domains, { recursive: true })
  await copyFile(join(LAB, 'domains.yaml'), join(domains, 'lab.yaml'))
  const text = await readFile(join(LAB, 'domains.yaml'), 'utf8')
  const edited = text.replace(String.raw`\bplan\b`, String.raw`\bplanx\b`)
  expect(edited).not.toBe(text)
  await writeFile(join(domains, 'edited.yaml'), edited)
  const session = join(LAB, 'session.jsonl')
  const args = [session, '--workspace', folder, '--domains', 'lab']
  const path = await exported(folder, args)
  const sides = ['--base', 'domains:lab', '--head', 'domains:edited']
  const ran = await runCli(['diff', session, '--workspace', folder, ...sides, '--json'])
  const flips = ran.out
    .trim()
    .split('\n')
    .filter((line) => line.includes('"turn"')).length
  expect(flips).toBeGreaterThan(0)

  await page.goto(pathToFileURL(path).href)
  await expect(page.locator('.verdict').first()).toBeVisible()
  await page.keyboard.press('T')
  const signals = page.getByRole('grid', { name: 'Signals of the draft' })
  await expect(signals.getByRole('row', { name: /roadmap/u })).toBeVisible()
  await page.locator('.signals-scroll').focus()
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown')
  await expect(signals.getByRole('row', { selected: true })).toContainText('plan')
  for (const key of ['Enter', 'ArrowDown', 'End', 'ArrowLeft', 'ArrowLeft']) {
    await page.keyboard.press(key)
  }
  await page.keyboard.type('x')
  await expect(page.locator('.flip-words')).toContainText(`${flips} of 6 turns flip`)
})

test('[X18] the Context tab and the lane work in an exported page', async ({
  unplugged: page,
  folder,
}) => {
  const session = join(ROOT, 'fixtures/import/claude-code/context.jsonl')
  const path = await exported(folder, [session, '--no-redact'])
  await page.goto(pathToFileURL(path).href)
  await expect(page.locator('.verdict').first()).toBeVisible()
  await page.keyboard.press('q')
  await expect(page.locator('.context-figures')).toContainText('14,002 tokens')
  const parts = page.getByRole('table', { name: 'Parts of the context' })
  await expect(parts.getByRole('row', { name: /CLAUDE\.md/u }).first()).toBeVisible()
  await expect(page.locator('.tl-row-context')).toContainText('14,002')
})

test('[R13] without JavaScript the page shows transcript and decisions', async ({
  browser,
  folder,
}) => {
  const path = await exported(folder, [join(ROOT, 'fixtures/sessions/lock-in.jsonl')])
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true })
  const page = await context.newPage()
  await page.goto(pathToFileURL(path).href)
  const rows = page.getByRole('row')
  expect(await rows.count()).toBeGreaterThan(10)
  await expect(rows.nth(1)).toContainText(/accept/u)
  await context.close()
})

test('[R14] what needs a machine is absent from an exported page', async ({
  unplugged: page,
  folder,
}) => {
  const path = await exported(folder, [join(ROOT, 'fixtures/sessions/lock-in.jsonl')])
  await page.goto(pathToFileURL(path).href)
  await expect(page.locator('.verdict').first()).toBeVisible()
  for (const name of ['Add a folder', 'Open a transcript', 'Follow', 'Collections…']) {
    await expect(page.getByRole('button', { name })).toHaveCount(0)
  }
  await page.getByRole('button', { name: /more tabs/u }).click()
  await expect(page.getByRole('menuitem', { name: /^Coach/u })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /^Probe/u })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByText('Labels and edits that you make stay in this page')).toBeVisible()
})

test('[U120] a page without texts decides as the session did, and says what cannot be done in it', async ({
  unplugged: page,
  folder,
}) => {
  const session = join(ROOT, 'fixtures/sessions/st-003.jsonl')
  const path = await exported(folder, [session, '--compare', 'field', '--no-text'])
  await page.goto(pathToFileURL(path).href)
  await expect(page.locator('.verdict').first()).toBeVisible()
  await expect(page.getByText('What was said was left out of this page.')).toBeVisible()
  const { out } = await runCli(['replay', session, '--json'])
  const ours = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly signature: string }).signature)
  for (const [turn, signature] of ours.slice(0, 6).entries()) {
    const verdict = page.locator('.inspector .verdict')
    await expect(verdict).toContainText(`Turn ${turn + 1} `)
    for (const domain of signature.split('+')) await expect(verdict).toContainText(domain)
    await page.keyboard.press('j')
  }
  for (const name of ['Prompt', 'Signals', 'Bundle', 'Coach', 'Tune', 'Flips', 'Lab']) {
    await expect(page.getByRole('tab', { name, exact: true })).toHaveCount(0)
  }
  // The other side is recorded too: its flips are walked as everywhere.
  const found = await runCli(['find', 'flip:any', session, '--compare', 'field', '--json'])
  const flips = found.out.trim().split('\n').length
  await page.keyboard.press('w')
  await expect(page.locator('.dock-panel')).toContainText(`${flips} of 47 turns differ`)
  await page.keyboard.press('/')
  await page.keyboard.type('the')
  await expect(page.getByText('words cannot be found in it')).toBeVisible()
})

test('[U122] in a page that is not to be edited Tune is absent, and nothing leads there', async ({
  unplugged: page,
  folder,
}) => {
  const session = join(ROOT, 'fixtures/sessions/st-003.jsonl')
  const tour = join(ROOT, 'tours/st-003.yaml')
  const path = await exported(folder, [session, '--no-edit', '--tour', tour])
  await page.goto(pathToFileURL(path).href)
  await expect(page.locator('.verdict').first()).toBeVisible()
  await expect(page.getByRole('tab', { name: /^Flips/u })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Tune' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Tune /u })).toHaveCount(0)
  await page.keyboard.press('T')
  await expect(page.getByRole('grid', { name: 'Signals of the draft' })).toHaveCount(0)
  await page.keyboard.press('d')
  await expect(page.locator('.dock-panel')).toContainText(/preset/iu)
  await expect(page.getByText('Signals cannot be edited in this page')).toBeVisible()
  // A tour that speaks of an edit does not offer it.
  const card = page.locator('.tour-card')
  for (const stop of [2, 3, 4, 5]) {
    await page.keyboard.press('>')
    await expect(card).toContainText(`${stop} of 5`)
  }
  await expect(card).toContainText('Signals cannot be edited in this page')
  await expect(card.getByRole('button', { name: 'Try this edit' })).toHaveCount(0)
})

test('[U127] [U126] a page that was edited is saved, and opens in Turnscope with session, labels and draft', async ({
  unplugged: page,
  folder,
  browser,
}) => {
  const session = join(ROOT, 'fixtures/sessions/lock-in.jsonl')
  const path = await exported(folder, [session])
  await page.goto(pathToFileURL(path).href)
  await expect(page.locator('.verdict').first()).toBeVisible()
  await page.keyboard.press('T')
  await expect(page.getByRole('grid', { name: 'Signals of the draft' })).toBeVisible()
  await page.locator('.cm-content').click()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('# from a page\n')
  // Kept when nothing was typed for a while.
  await expect
    .poll(async () => page.evaluate(async () => (await window.turnscope?.asFile?.())?.length))
    .toBeGreaterThan((await stat(path)).size)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Open in Turnscope' }).click(),
  ])
  const back = join(folder, 'back.html')
  await saved.saveAs(back)
  const one = await runCli(['replay', session, '--json', '--no-probe'])
  const other = await runCli(['replay', back, '--json', '--no-probe'])
  const plain = (text: string) => text.replaceAll(/"file":"[^"]*"/gu, '')
  expect(plain(other.out)).toBe(plain(one.out))

  const served = await startTurnscope({ file: back })
  try {
    const window = await (await browser.newContext()).newPage()
    await window.goto(served.url)
    await expect(window.getByText('This came in an exported page')).toBeVisible()
    await window.getByRole('button', { name: 'Look at it in Tune' }).click()
    await expect(window.locator('.cm-content')).toContainText('# from a page')
    await window.screenshot({ path: process.env['BROUGHT_PNG'] ?? join(folder, 'brought.png') })
  } finally {
    await served.close()
  }
})

test('[U128] a pattern that never ends does not hold up an exported page for ever', async ({
  unplugged: page,
  folder,
}) => {
  const session = join(folder, 'long.jsonl')
  const text = `${'a'.repeat(60)}!`
  await writeFile(
    session,
    `${JSON.stringify({ type: 'session', schemaVersion: 1, id: 's' })}\n${JSON.stringify({ kind: 'user', text })}\n`,
  )
  await page.goto(pathToFileURL(await exported(folder, [session])).href)
  await expect(page.locator('.verdict').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('/^(a+)+$/')
  await expect(page.getByText('the workbench was restarted')).toBeVisible()
  await expect(page.getByText('the workbench was restarted')).toHaveCount(0)
  // It works again, and the pattern is not tried a second time.
  await expect(page.locator('.verdict').first()).toBeVisible()
  await expect(page.getByText('A pattern in this text ran without end')).toBeVisible()
  await page
    .getByRole('search')
    .getByRole('combobox')
    .or(page.getByRole('search').getByRole('searchbox'))
    .or(page.getByRole('search').getByRole('textbox'))
    .first()
    .fill('aaa')
  await expect(page.locator('.find-count')).toContainText(/1/u)
})
