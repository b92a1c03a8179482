import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from './helpers/axe.ts'
import { todays } from './helpers/rotation.ts'
import { type Files, expect, test } from './helpers/serve.ts'
import { sampleLines } from './helpers/sessions.ts'

test.use({ timezoneId: 'UTC', colorScheme: 'dark' })

const KEY = 'sk-ant-api03-Zq8Lw2Vt6Yb1Nc5Xd9Rf3Gh7Jk0Mp4Sa'
const MAIL = 'jane.doe@kontor-doe.eu'

async function openLink(page: Page, link: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#${link}`)
  await expect(page.locator('.verdict, .raw').first()).toBeVisible()
}

async function fillFolder(files: Files): Promise<void> {
  await files.copy('sessions/st-003.jsonl', 'st-003.jsonl')
  await files.copy('sessions/claude-code-demo.jsonl', 'claude/demo.jsonl')
  await files.copy('sessions/six-signals.jsonl', 'native/six-signals.jsonl')
  await files.copy('sessions/lock-in.jsonl', 'native/lock-in.jsonl')
  await files.write('native/notes.bin', '\u0000\u0001 not a transcript')
}

async function addFolder(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('a')
  await page.getByRole('textbox', { name: 'Path of the folder' }).fill(path)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('grid', { name: 'Sessions of this folder' })).toBeVisible()
}

const entry = (page: Page, name: string) => page.locator('.folder-entry').filter({ hasText: name })
const cellOf = (page: Page, name: string, column: string) =>
  entry(page, name).locator(`.fcol-${column}`)
const names = (page: Page) => page.locator('.folder-entry .entry-file').allTextContents()

async function secretSession(files: Files): Promise<string> {
  const [head, first = '', ...rest] = await sampleLines()
  const event = JSON.parse(first) as { text: string }
  event.text = `Write to ${MAIL} with ${KEY}. ${event.text}`
  return files.write('secret.jsonl', [head, JSON.stringify(event), ...rest, ''].join('\n'))
}

test('[U7] a folder is scanned, sorted, filtered, walked by keyboard and opened', async ({
  workbench: page,
  files,
}) => {
  await fillFolder(files)
  await addFolder(page, files.path)
  await expect(cellOf(page, 'st-003.jsonl', 'turns')).toHaveText('47')
  await expect(cellOf(page, 'demo.jsonl', 'format')).toContainText('Claude Code')
  await expect(page.locator('.folder-count')).toContainText('4 transcripts')
  await expect(page).toHaveURL(/lib=/u)
  await expect(page.getByRole('row', { name: 'native', exact: false }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Group by folder' }).click()
  await page.getByRole('columnheader', { name: 'Turns' }).getByRole('button').click()
  await expect(page.getByRole('columnheader', { name: 'Turns' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  expect((await names(page))[0]).toContain('lock-in.jsonl')

  await page.keyboard.press('Escape')
  await expect(page.getByRole('grid', { name: 'Sessions of this folder' })).toHaveCount(0)
  await page
    .getByRole('navigation', { name: 'Library' })
    .getByRole('button', { name: /turnscope-files/u })
    .first()
    .click()
  const filter = page.getByRole('textbox', { name: 'Filter the table' })
  await page.keyboard.press('/')
  await expect(filter).toBeFocused()
  await filter.fill('six')
  await expect(page.locator('.folder-entry')).toHaveCount(1)
  await filter.fill('nothing like it')
  await expect(page.getByText('No session matches')).toBeVisible()
  await page.getByRole('button', { name: /Show all 4/u }).click()
  await expect(page.locator('.folder-entry')).toHaveCount(4)
  // The order by turns is there once the longest session has been read.
  await expect.poll(async () => (await names(page))[0]).toContain('lock-in.jsonl')

  await page.getByRole('grid', { name: 'Sessions of this folder' }).focus()
  // The row that was current before: the newest file, and the four are written at the same time.
  await page.keyboard.press('Home')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(page.locator('.folder-entry[aria-selected=true]')).toContainText('lock-in.jsonl')
  await page.keyboard.press('Enter')
  await expect(page.locator('.verdict')).toBeVisible()
  await expect(page.locator('.status')).toContainText('lock-in.jsonl')
})

test('[U7] a folder that is not there is refused with a reason', async ({ workbench: page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('a')
  await page.getByRole('textbox', { name: 'Path of the folder' }).fill('/no/such/folder')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('/no/such/folder')
})

test('[U8] the usual places are looked for only when the button is pressed', async ({
  page,
  served,
}) => {
  const asked: string[] = []
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => asked.push(String(payload)))
  })
  const discoveries = () => asked.filter((message) => message.includes('"library.discover"'))
  await page.goto(served.url)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('a')
  const look = page.getByRole('button', { name: 'Look in the usual places' })
  await expect(look).toBeVisible()
  await page.getByRole('textbox', { name: 'Path of the folder' }).fill('/nowhere')
  expect(asked.join('')).toContain('"library.folders"')
  expect(discoveries()).toEqual([])
  await look.click()
  await expect.poll(() => discoveries().length).toBe(1)
  await expect(look).toBeEnabled()
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await expect(look).toBeVisible()
  expect(discoveries()).toHaveLength(1)
})

test('[U5] tool: is completed with the tools of the session, most used first', async ({
  linked: page,
  files,
}) => {
  const path = await files.copy('sessions/claude-code-demo.jsonl', 'demo.jsonl')
  await openLink(page, `s=path:${path}`)
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: 'Find in this session' })
  await box.pressSequentially('tool:')
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option')
  await expect(options.first()).toContainText(/\d+ times?/u)
  const times = (await options.allTextContents()).map((text) =>
    Number(/(\d+) time/u.exec(text)?.[1]),
  )
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  const name = (await options.first().locator('code').textContent()) ?? ''
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(box).toHaveValue(`tool:${name} `)
  await expect(page.locator('.result').first()).toContainText(name)
})

test('[U6] find over a folder opens a file at the match', async ({ workbench: page, files }) => {
  await fillFolder(files)
  await addFolder(page, files.path)
  await expect(cellOf(page, 'st-003.jsonl', 'turns')).toHaveText('47')
  const box = page.getByRole('textbox', { name: 'Find in all files' })
  await box.fill('"ownership too"')
  await box.press('Enter')
  const results = page.getByRole('region', { name: 'Results' })
  await expect(results).toContainText('1 match in 1 session of')
  await expect(results.locator('mark').first()).toHaveText('ownership too')
  await results.locator('.result').first().click()
  await expect(page.locator('.verdict')).toContainText('Turn 5')
})

test('[U5] find takes filters, completes them, says what is wrong, walks and filters', async ({
  linked: page,
}) => {
  await openLink(page, 's=sample:st-003&compare=literal')
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: 'Find in this session' })
  await box.pressSequentially('ev')
  await expect(page.getByRole('option', { name: /^event:/u })).toBeVisible()
  await box.press('ArrowDown')
  await box.press('Enter')
  await expect(box).toHaveValue('event:')
  await box.pressSequentially('resist')
  const results = page.getByRole('region', { name: 'Results' })
  await expect(results).toContainText(/\d+ matches/u)
  const count = page.locator('.find-count')
  await expect(count).toHaveText(/^1 of \d+$/u)
  await box.press('Enter')
  await expect(count).toHaveText(/^2 of \d+$/u)
  await expect(page.locator('.tl-gutter')).toContainText('found')
  await expect(page).toHaveURL(/find=event:resist/u)

  await page.getByRole('button', { name: 'List matches only' }).click()
  await expect(page.getByRole('grid').locator('.row-turn').first()).toContainText('resisted')
  await box.fill('event:resit')
  await expect(page.locator('.find-problem')).toContainText('column')
  await box.fill('role:user dossier')
  await expect(results.locator('mark').first()).toHaveText('dossier')
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Find in this session' })).toHaveValue(
    'role:user dossier',
  )
  await page.keyboard.press('Escape')
})

test('[U9] an export shows what it takes out, and takes out that', async ({
  linked: page,
  files,
}) => {
  const path = await secretSession(files)
  await openLink(page, `s=path:${path}`)
  await page.keyboard.press('x')
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await expect(dialog).toContainText('[REDACTED:key]')
  await dialog
    .getByRole('group', { name: `What happens to ${MAIL}` })
    .getByRole('button', { name: 'Keep' })
    .click()
  const waiting = page.waitForEvent('download')
  await dialog.getByRole('button', { name: /Save as JSONL/u }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toBe('secret.turnscope.jsonl')
  const text = await readFile(await download.path(), 'utf8')
  expect(text).not.toContain(KEY)
  expect(text).toContain('[REDACTED:key]')
  expect(text).toContain(MAIL)
  await expect(dialog).toContainText('redacted')
})

test('[U9] looking for what to take out can be stopped, and begun again', async ({
  linked: page,
  files,
}) => {
  const path = await secretSession(files)
  const sent: string[] = []
  /** Answers of the review, which are held back as if the file were huge: all else is the real host. */
  let held: string[] = []
  let release: () => void = () => undefined
  await page.routeWebSocket(/\/rpc$/u, (socket) => {
    const server = socket.connectToServer()
    const reviews = new Set<unknown>()
    socket.onMessage((message) => {
      const text = String(message)
      const { id, m } = JSON.parse(text) as { readonly id: number; readonly m?: string }
      if (m === 'export.review') reviews.add(id)
      sent.push(text)
      server.send(message)
    })
    server.onMessage((message) => {
      const { id } = JSON.parse(String(message)) as { readonly id: number }
      if (reviews.has(id)) held.push(String(message))
      else socket.send(message)
    })
    release = () => {
      for (const message of held) socket.send(message)
      held = []
    }
  })
  const whole = () => held.some((message) => message.includes('"reviewed"'))
  await openLink(page, `s=path:${path}`)
  await page.keyboard.press('x')
  const dialog = page.getByRole('dialog', { name: 'Export' })
  const save = dialog.getByRole('button', { name: /Save as JSONL/u })
  const review = dialog.getByRole('region', { name: 'What is taken out' })
  await expect.poll(whole).toBe(true)
  await expect(save).toBeDisabled()
  const asked = sent.filter((message) => message.includes('"export.review"')).at(-1) ?? ''
  const { id } = JSON.parse(asked) as { readonly id: number }
  await review.getByRole('button', { name: 'Cancel' }).click()
  await expect(review).toContainText('was stopped')
  await expect.poll(() => sent).toContain(JSON.stringify({ id, t: 'cancel' }))
  // An answer that was on its way changes nothing any more.
  release()
  await expect(review.getByRole('progressbar')).toHaveCount(0)
  await expect(save).toBeDisabled()
  await review.getByRole('button', { name: 'Look again' }).click()
  await expect.poll(whole).toBe(true)
  release()
  await expect(review).toContainText('[REDACTED:key]')
  await expect(save).toBeEnabled()
})

test('[U10] what is copied goes through the same redaction, and can be copied as it is', async ({
  page,
  served,
  context,
  files,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(served.url)
  const path = await secretSession(files)
  await openLink(page, `s=path:${path}&event=0&tab=raw`)
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Copy record' }).click()
  await expect(page.getByText('2 values redacted')).toBeVisible()
  expect(await clipboard()).not.toContain(KEY)
  await page.getByRole('button', { name: 'Copy as it is' }).click()
  await expect.poll(clipboard).toContain(KEY)
})

for (const theme of todays(['dark', 'light'] as const))
  test(`axe finds nothing in library, find and export: ${theme}`, async ({
    workbench: page,
    files,
  }) => {
    const check = (what: string) => expectAccessible(page, what)
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await fillFolder(files)
    await addFolder(page, files.path)
    await expect(cellOf(page, 'st-003.jsonl', 'turns')).toHaveText('47')
    await check('folder')
    const path = await secretSession(files)
    await openLink(page, `s=path:${path}&find=dossier`)
    await expect(page.locator('.result mark').first()).toBeVisible()
    await check('find')
    await page.getByRole('combobox', { name: 'Find in this session' }).fill('rol')
    await expect(page.getByRole('listbox', { name: 'Completions' })).toBeVisible()
    await check('completions')
    await page.getByRole('button', { name: 'Export' }).click()
    await expect(page.getByRole('dialog')).toContainText('[REDACTED:key]')
    await check('export')
  })
