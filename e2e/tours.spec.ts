import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { runCli } from '../fixtures/run-cli.ts'
import { ROOT } from '../scripts/build.ts'
import { expectAccessible } from './helpers/axe.ts'
import { type Served, expect, test } from './helpers/serve.ts'

test.use({ timezoneId: 'UTC', colorScheme: 'dark' })

const card = (page: Page) => page.locator('section.tour-card')
const said = (page: Page) => page.locator('.tour-say')
const count = (page: Page) => card(page).locator('.num').first()

async function openAt(page: Page, link: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#${link}`)
  await expect(page.locator('.verdict, .turn-line').first()).toBeVisible()
}

/** Expects a stop's card, with its subject inside the ring. */
async function expectStop(page: Page, number: number, place: string): Promise<void> {
  await expect(count(page)).toHaveText(`${number} of 5`)
  const ring = page.locator('.tour-ring')
  await expect(ring).toBeVisible()
  await expect(async () => {
    const outer = await ring.boundingBox()
    const inner = await page.locator(place).first().boundingBox()
    if (!outer || !inner) throw new Error('not there')
    expect(Math.abs(outer.x - inner.x)).toBeLessThan(12)
    expect(outer.height).toBeGreaterThan(10)
  }).toPass()
}

test('[U131] [U133] [U134] a newcomer takes the offered tour by keyboard alone', async ({
  workbench: page,
}) => {
  // Offered, not forced: the samples are there as well, and nothing has begun.
  const offer = page.getByRole('region', { name: 'First time here?' })
  await expect(offer).toBeVisible()
  await expect(card(page)).toHaveCount(0)
  await expectAccessible(page, 'offer of a tour')
  const take = offer.getByRole('button', { name: 'Take the tour' })
  await take.focus()
  await page.keyboard.press('Enter')

  await expectStop(page, 1, '.inspector .verdict')
  // The tour has the focus: Enter continues.
  await expect(card(page).getByRole('button', { name: 'Next' })).toBeFocused()
  await expect(said(page)).toContainText('This first message is investigation')
  await expect(page.locator('.inspector .verdict-title')).toContainText('investigation')
  await expectAccessible(page, 'first stop')

  await page.keyboard.press('Enter')
  await expectStop(page, 2, '.inspector section[aria-label="Classified text"]')
  await expect(said(page)).toContainText('credit risk')
  await expect(page.locator('.classified mark', { hasText: 'credit risk' })).toBeVisible()

  await page.keyboard.press('>')
  await expect(count(page)).toHaveText('3 of 5')
  await expect(page.getByRole('tab', { name: 'Momentum', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expect(page.locator('.inspector')).toContainText('file_ops (5 signals) is outside')

  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Why not' })).toHaveAttribute('aria-selected', 'true')
  await expect(said(page)).toContainText('What would have changed it?')

  await page.keyboard.press('Enter')
  await expectStop(page, 5, '.dock')
  await expect(page.locator('.inspector .verdict-title')).toContainText('coding')
  // The draft is not edited before the button is pressed.
  await expect(page.locator('.flip-words')).toHaveCount(0)
  const edit = card(page).getByRole('button', { name: 'Try this edit' })
  await expect(edit).toBeVisible()
  await edit.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('.flip-words').first()).toContainText(/\b7\b.* of .*turns/u)
  await expectAccessible(page, 'stop with an edit')
  await card(page).getByRole('button', { name: 'Take it back' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('.flip-words')).toHaveCount(0)

  await page.keyboard.press('Escape')
  await expect(card(page)).toHaveCount(0)
  // Taken once, it is not offered again.
  await page.goto(new URL(page.url()).origin)
  await expect(page.getByRole('heading', { name: /turn by turn/u })).toBeVisible()
  await expect(offer).toHaveCount(0)
})

test('[U133] a stop is a place: in the link, in the history, and found again after going astray', async ({
  workbench: page,
}) => {
  await page.clock.install()
  await openAt(
    page,
    's=sample:lock-in&turn=4&tab=momentum&preset=recommended&compare=field&tour=lock-in.1',
  )
  await expect(card(page)).toContainText('Four turns of research')
  // Selections within half a second are one place: the clock of the page goes past that.
  await page.clock.fastForward(1000)
  await page.keyboard.press('>')
  await expect(page).toHaveURL(/tour=lock-in\.2/u)
  await expect(page).toHaveURL(/turn=5/u)
  await page.goBack()
  await expect(card(page)).toContainText('Four turns of research')
  await expect(page).toHaveURL(/tour=lock-in\.1/u)
  await page.goForward()
  await expect(said(page)).toContainText('Different job now')
  // Another turn: the tour waits, points at nothing, and knows the way back.
  await page.keyboard.press('j')
  await expect(page.locator('.tour-ring')).toHaveCount(0)
  await card(page).getByRole('button', { name: 'Back to this stop' }).click()
  await expect(page.locator('.tour-ring')).toBeVisible()
  // A stop with its own preset changes it only for that stop.
  for (let stop = 3; stop <= 5; stop += 1) await page.keyboard.press('>')
  await expect(page).toHaveURL(/preset=field/u)
  await expect(page.locator('.inspector .verdict-title')).toContainText('coding')
  await page.keyboard.press('>')
  await expect(card(page)).toHaveCount(0)
  await expect(page).toHaveURL(/preset=recommended/u)
})

async function chooseTour(page: Page, name: string): Promise<void> {
  await page.keyboard.press('G')
  await page.getByRole('button', { name }).click()
}

test('[U133] a link that names a stop and no turn goes to the stop', async ({ linked: page }) => {
  for (const [step, turn] of [
    [3, 8],
    [5, 13],
  ]) {
    await openAt(page, `s=sample:st-003&tour=st-003.${step}`)
    await expect(count(page)).toHaveText(`${step} of 5`)
    await expect(page.locator('.status')).toContainText(`turn ${turn} of 47`)
    await expect(card(page).getByRole('button', { name: 'Back to this stop' })).toHaveCount(0)
  }
})

test('[U135] a tour is recorded, ordered, corrected and kept as YAML', async ({
  placed: page,
  served,
}) => {
  await openAt(page, 's=sample:dead-gate&preset=recommended&profile=gpt-oss-20b-dead-gate')
  const dialog = page.getByRole('dialog', { name: 'Add this as a stop' })
  const add = async (say: string, title: string | null) => {
    await page.keyboard.press('A')
    await expect(dialog.getByRole('textbox', { name: 'Sentence' })).toBeFocused()
    await page.keyboard.type(say)
    if (title !== null) await dialog.getByRole('textbox', { name: /Title/u }).fill(title)
    await dialog.getByRole('combobox', { name: 'Pointing at' }).selectOption('verdict')
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Add the stop' }).click()
    await expect(dialog).toHaveCount(0)
  }
  await page.keyboard.press('A')
  await expectAccessible(page, 'dialog of a stop')
  await page.keyboard.press('Escape')
  await add('Here it begins.', 'Our own walk')
  await page.keyboard.press('j')
  await add('And here it goes on.', null)
  const path = join(served.workspace, 'tours/our-own-walk.yaml')
  expect(readFileSync(path, 'utf8')).toContain('session: dead-gate')

  await chooseTour(page, 'Edit: Our own walk')
  const editor = page.getByRole('dialog', { name: 'Edit the tour' })
  await expectAccessible(page, 'editor of a tour')
  await editor.getByRole('button', { name: 'Move stop 2 up' }).click()
  await editor.getByRole('textbox', { name: /Stop 1/u }).fill('Now it begins here.')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog', { name: 'Tours' })).toBeVisible()
  const text = readFileSync(path, 'utf8')
  expect(text.indexOf('Now it begins here.')).toBeGreaterThan(0)
  expect(text.indexOf('Now it begins here.')).toBeLessThan(text.indexOf('Here it begins.'))
  await page.getByRole('button', { name: 'Take it: Our own walk' }).click()
  await expect(said(page)).toHaveText('Now it begins here.')
  await page.keyboard.press('Escape')

  await chooseTour(page, 'Edit: Our own walk')
  await editor.getByRole('button', { name: 'Delete the tour' }).click()
  await expect(page.getByRole('dialog', { name: 'Tours' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit: Our own walk' })).toHaveCount(0)
  expect(existsSync(path)).toBe(false)
})

async function writeTour({ workspace }: Served, name: string, text: string): Promise<void> {
  await mkdir(join(workspace, 'tours'), { recursive: true })
  await writeFile(join(workspace, 'tours', name), text)
}

test('[U130] tours of a workspace are text: a bad file is said, and markup does nothing', async ({
  workbench: page,
  served,
}) => {
  const say = '<img src=x onerror=alert(1)> & <b>bold</b>'
  await writeTour(
    served,
    'odd.yaml',
    `title: Odd\nsession: any\nstops: [{ turn: 2, say: "${say}" }]\n`,
  )
  await writeTour(served, 'broken.yaml', 'title: Broken\nsession: any\nstops: []\n')
  await openAt(page, 's=sample:dead-gate&preset=recommended&profile=gpt-oss-20b-dead-gate')
  await page.keyboard.press('G')
  const list = page.getByRole('dialog', { name: 'Tours' })
  await expect(list).toContainText('tours/broken.yaml')
  await expect(list.getByRole('article').first()).toContainText('this session')
  await expectAccessible(page, 'list of tours')
  await list.getByRole('button', { name: 'Take it: Odd' }).click()
  await expect(said(page)).toHaveText(say)
  await expect(page.locator('.tour-say img')).toHaveCount(0)
})

test('[U136] an exported page opens with its tour, and asks for nothing', async ({
  page,
  context,
  files,
}) => {
  const html = join(files.path, 'page.html')
  const session = join(ROOT, 'fixtures/sessions/st-003.jsonl')
  const ran = await runCli(['export', session, '--html', html, '--tour', 'st-003'])
  expect(ran.code).toBe(0)
  const asked: string[] = []
  page.on('request', (request) => {
    if (!/^(?:file|blob|data):/u.test(request.url())) asked.push(request.url())
  })
  await context.setOffline(true)
  await page.goto(pathToFileURL(html).href)
  await expect(said(page)).toContainText('This first message is investigation')
  await expect(page.locator('.tour-ring')).toBeVisible()
  for (const words of [
    'credit risk',
    'it resisted',
    'What would have changed it?',
    'Now an edit.',
  ]) {
    await page.keyboard.press('>')
    await expect(said(page)).toContainText(words)
  }
  await card(page).getByRole('button', { name: 'Try this edit' }).click()
  await expect(page.locator('.flip-words').first()).toContainText(/\b7\b.* of .*turns/u)
  // The stage is there too.
  await page.keyboard.press('.')
  await expect(page.getByRole('main', { name: 'Presenter' })).toContainText('Turn 13 of 47')
  await expectAccessible(page, 'a tour on the stage')
  expect(asked).toEqual([])
})

test('[U136] the window exports with a tour of the session', async ({ placed: page }) => {
  await openAt(page, 's=sample:dead-gate&preset=recommended')
  await page.keyboard.press('x')
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByRole('radio', { name: 'One HTML file' }).check()
  await dialog.getByRole('combobox', { name: 'With a tour' }).selectOption('dead-gate')
  const save = dialog.getByRole('button', { name: /Save as HTML/u })
  await expect(save).toBeEnabled()
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
  expect(readFileSync(await download.path(), 'utf8')).toContain('tour=dead-gate.1')
})
