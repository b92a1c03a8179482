import { cp, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { ROOT } from '../scripts/build.ts'
import { draftStored } from './helpers/drafts.ts'
import { expect, startTurnscope, test } from './helpers/serve.ts'

test('[U18] an address lets one browser in; its other tabs have the key, a second browser is told how', async ({
  page,
  served,
  browser,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(served.url)
  await expect(page.locator('.status-bar, header').first()).toBeVisible()
  await expect(page).not.toHaveURL(/token/u)
  // Other tabs of the same browser: the plain address, by name too, a link to a place, the printed link again.
  const plain = `${served.origin}/`
  for (const address of [
    plain,
    plain.replace('127.0.0.1', 'localhost'),
    `${served.origin}/#s=sample:st-003`,
    served.url,
  ]) {
    const tab = await context.newPage()
    await tab.goto(address)
    await expect(tab.locator('header').first()).toBeVisible()
    await tab.close()
  }
  // The key is in the storage of the origin. Cookies would go to every port of this machine.
  expect(await context.cookies()).toEqual([])
  const other = await browser.newContext()
  const stranger = await other.newPage()
  await stranger.goto(served.url)
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('This link works once')
  await expect(
    stranger.getByText('This link works once. Press Enter in the terminal for a new one.'),
  ).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('another browser')
  await page.getByRole('option', { name: 'Copy a link for another browser' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('#token=')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  // Into the same tab: only the fragment changes.
  await stranger.goto(link)
  await expect(stranger.locator('header').first()).toBeVisible()
  await other.close()
})

test('[U18] two tabs that open the printed link at the same time both work', async ({
  page,
  served,
  context,
}) => {
  const other = await context.newPage()
  await Promise.all([page.goto(served.url), other.goto(served.url)])
  for (const tab of [page, other]) await expect(tab.locator('header').first()).toBeVisible()
})

test('[U18] a server on another port of this machine sees neither key nor cookie', async ({
  page,
  served,
  context,
}) => {
  await page.goto(served.url)
  await expect(page.locator('header').first()).toBeVisible()
  const seen: string[] = []
  const hostile = createServer((request, response) => {
    seen.push(request.headers.cookie ?? '')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>hostile</title>')
  })
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
  const address = hostile.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const tab = await context.newPage()
  await tab.goto(`http://127.0.0.1:${port}/`)
  expect(await tab.evaluate(() => localStorage.length)).toBe(0)
  const outcome = await tab.evaluate(async (origin) => {
    const posted = await fetch(`${origin}/key`, { method: 'POST', body: 'key x' }).then(
      () => 'answered',
      () => 'refused',
    )
    const opened = await new Promise((resolve) => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, ['turnscope.rpc', 'x'])
      socket.addEventListener('open', () => resolve('open'))
      socket.addEventListener('error', () => resolve('refused'))
    })
    return { posted, opened }
  }, served.origin)
  expect(outcome).toEqual({ posted: 'refused', opened: 'refused' })
  expect(seen.join('')).toBe('')
  hostile.close()
})

test('[U19] after a restart the page says that the host has a new key, and takes it in the same tab', async ({
  page,
}) => {
  const first = await startTurnscope()
  await page.goto(first.url)
  await expect(page.locator('header').first()).toBeVisible()
  const { port } = new URL(first.origin)
  await first.close()
  const second = await startTurnscope({ port })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Turnscope was restarted')
  await page.goto(second.url)
  await expect(page.locator('header').first()).toBeVisible()
  await expect(page.getByText('Turnscope was restarted')).toHaveCount(0)
  await second.close()
})

test('[F20] [F22] two windows over one domain file: theirs is seen, a conflict is said and chosen about', async ({
  page,
  served,
  context,
}) => {
  const path = join(served.workspace, 'profiles/domains/default.yaml')
  await cp(join(ROOT, 'profiles/domains/default.yaml'), path)
  await page.goto(served.url)
  const other = await context.newPage()
  for (const window of [page, other]) {
    await window.goto(`${served.origin}/?tune#s=sample:st-003&turn=1&dock=tune`)
    await expect(window.getByRole('textbox', { name: 'Domain file' })).toContainText('domains')
  }
  const typeIn = async (window: typeof page, text: string) => {
    await window.getByRole('textbox', { name: 'Domain file' }).click()
    await window.keyboard.press('Control+Home')
    await window.keyboard.type(text)
  }
  const save = (window: typeof page) => window.getByRole('button', { name: 'Save', exact: true })
  // Nothing was typed here, so the version saved by the other window is shown.
  await typeIn(other, '# theirs\n')
  await save(other).click()
  await expect(other.getByText('✓ saved')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Domain file' })).toContainText('# theirs')
  // Typed in both: the second one chooses.
  await typeIn(page, '# mine\n')
  await typeIn(other, '# theirs again\n')
  await save(other).click()
  const conflict = page.getByText('was saved by another program meanwhile')
  await expect(conflict).toBeVisible()
  await expect(page.getByText('✓ saved')).toHaveCount(0)
  await page.getByRole('button', { name: 'Look at the difference' }).click()
  await page.getByRole('button', { name: 'Overwrite theirs with mine' }).click()
  await expect(page.getByText('✓ saved')).toBeVisible()
  await expect(conflict).toHaveCount(0)
  const text = await readFile(path, 'utf8')
  expect(text).toContain('# mine')
  expect(text).not.toContain('# theirs again')
})

test('[U77] two windows of one workspace see what becomes of a draft, and each other’s labels', async ({
  page,
  served,
  context,
}) => {
  await page.goto(served.url)
  const link = `${served.origin}/?both#s=sample:lock-in&turn=5&dock=tune`
  const editor = (window: typeof page) => window.getByRole('textbox', { name: 'Domain file' })
  await page.goto(link)
  await expect(editor(page)).toContainText('domains')
  await editor(page).click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('# mine\n')
  const other = await context.newPage()
  await draftStored(served, '# mine')
  await other.goto(link)
  await expect(editor(other)).toContainText('# mine')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(editor(other)).not.toContainText('# mine')
  await expect(editor(other)).toContainText('Domains of the compound')
  // A label that one takes away is gone in the other.
  for (const window of [page, other]) {
    await window.getByRole('tab', { name: /^Label/u }).click()
    await expect(window.getByText('51 of 51').first()).toBeVisible()
  }
  await page.locator('.list [role="grid"]').focus()
  await page.keyboard.press('L')
  await page.keyboard.press('Delete')
  await expect(page.getByText('50 of 51').first()).toBeVisible()
  await expect(other.getByText('50 of 51').first()).toBeVisible()
})
