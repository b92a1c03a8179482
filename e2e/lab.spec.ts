import { appendFile, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ROOT } from '../scripts/build.ts'
import { expectAccessible } from './helpers/axe.ts'
import { todays } from './helpers/rotation.ts'
import { type Served, expect, test } from './helpers/serve.ts'
import { repeatedSample } from './helpers/sessions.ts'

test.use({ timezoneId: 'UTC', colorScheme: 'dark' })

const FIXTURES = join(ROOT, 'fixtures/lab')
/** The first answer compiles every pattern, on machines that do other things too. */

interface Lab {
  readonly domains: string
  readonly labels: string
  readonly open: (more: string) => Promise<void>
}

/** A workspace with a small domain file, a session and its labels. */
async function makeLab(page: Page, { workspace }: Served): Promise<Lab> {
  const domains = join(workspace, 'profiles/domains/lab.yaml')
  await mkdir(join(workspace, 'profiles/domains'), { recursive: true })
  await copyFile(join(FIXTURES, 'domains.yaml'), domains)
  const session = join(workspace, 'session.jsonl')
  const labels = join(workspace, 'session.labels.jsonl')
  await copyFile(join(FIXTURES, 'session.jsonl'), session)
  await copyFile(join(FIXTURES, 'session.labels.jsonl'), labels)
  const origin = new URL(page.url()).origin
  const link = `s=path:${session}&preset=recommended&domains=lab`
  const open = async (more: string) => {
    await page.goto(`${origin}/?${Math.random()}#${link}&${more}`)
    await expect(page.locator('.verdict').first()).toBeVisible()
  }
  return { domains, labels, open }
}

const signals = (page: Page) => page.getByRole('grid', { name: 'Signals of the draft' })
const words = (page: Page) => page.locator('.flip-words')

/** Types `x` behind "plan" in the draft, by keyboard alone, from the table of signals. */
async function spoilPlan(page: Page): Promise<void> {
  await expect(signals(page).getByRole('row', { name: /roadmap/u })).toBeVisible()
  await page.locator('.signals-scroll').focus()
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown')
  await expect(signals(page).getByRole('row', { selected: true })).toContainText('plan')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('x')
}

/** Opens a session with the draft beside it, and spoils that. */
async function spoilInTune(page: Page, served: Served): Promise<Lab> {
  const lab = await makeLab(page, served)
  await lab.open('turn=1&dock=tune')
  await spoilPlan(page)
  return lab
}

test('[T50] [T51] [T53] keyboard only: tune, see what flips, go there, label, save, comments kept', async ({
  placed: page,
  served,
}) => {
  const lab = await makeLab(page, served)
  await lab.open('turn=1')
  await page.keyboard.press('T')
  await spoilPlan(page)
  await expect(words(page)).toContainText('of 6 turns flip')
  await expect(words(page)).toContainText('1 direct, 0 by momentum · 0 fixed, 0 broken')
  // Nothing is written before it is saved.
  expect(await readFile(lab.domains, 'utf8')).toBe(
    await readFile(join(FIXTURES, 'domains.yaml'), 'utf8'),
  )
  await page.keyboard.press('Escape')
  await page.keyboard.press('i')
  const flips = page.getByRole('grid', { name: 'Turns that flip' })
  await expect(flips).toContainText('✓ still right')
  await page.keyboard.press('n')
  await expect(page.locator('.verdict').first()).toContainText('Turn 5')
  await expect(page).toHaveURL(/dock=flips/u)

  await page.keyboard.press('L')
  const primary = page.getByRole('group', { name: 'Primary of this turn' })
  await expect(primary.getByRole('button', { name: /planning/u, pressed: true })).toBeVisible()
  await page.keyboard.press('4')
  await expect(primary.getByRole('button', { name: /conversation/u, pressed: true })).toBeVisible()
  await expect.poll(() => readFile(lab.labels, 'utf8')).toContain('"primary":"conversation"')
  expect(await readFile(lab.labels, 'utf8')).toContain('# Labels of session.jsonl')

  await page.keyboard.press('T')
  await page.keyboard.press('Control+s')
  await expect(page.locator('.draft-file')).toContainText(/saved, 2 lines added or removed/u)
  const [before, after] = await Promise.all(
    [join(FIXTURES, 'domains.yaml'), lab.domains].map((path) => readFile(path, 'utf8')),
  )
  expect(after).toBe(before?.replace(String.raw`\bplan\b`, String.raw`\bplanx\b`))
})

test('[T50] Esc leaves the editor right behind a letter, while completions are looked for', async ({
  placed: page,
  served,
}) => {
  await spoilInTune(page, served)
  await page.keyboard.press('Escape')
  await page.keyboard.press('i')
  await expect(page.getByRole('grid', { name: 'Turns that flip' })).toBeVisible()
  await page.keyboard.press('T')
  await expect(page.locator('.cm-content')).toContainText(String.raw`\bplanx\b`)
})

test('[T50] Esc closes the list of completions first, and the editor behind it', async ({
  placed: page,
  served,
}) => {
  await spoilInTune(page, served)
  const list = page.locator('.cm-tooltip-autocomplete')
  const editor = page.locator('.cm-content')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('no')
  await expect(list).toContainText('note')
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await expect(editor).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(editor).not.toBeFocused()
})

test('[T51] after Save a turn that was visited before shows its new decision', async ({
  placed: page,
  served,
}) => {
  const lab = await makeLab(page, served)
  const decision = page.locator('.inspector .verdict-title')
  await lab.open('turn=5')
  await expect(decision).toContainText('planning')
  // Another turn is looked at while the domain file is saved.
  await page.keyboard.press('k')
  await expect(page.locator('.verdict').first()).toContainText('Turn 4')
  await page.keyboard.press('T')
  await spoilPlan(page)
  await expect(words(page)).toContainText('of 6 turns flip')
  await page.keyboard.press('Control+s')
  await expect(page.locator('.draft-file')).toContainText(/saved, 2 lines/u)
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(page.locator('.verdict').first()).toContainText('Turn 5')
  await expect(decision).not.toContainText('planning')
})

test('[T52] flips are accepted, counted and taken back; discard is undone', async ({
  placed: page,
  served,
}) => {
  await spoilInTune(page, served)
  await expect(words(page)).toContainText('of 6 turns flip')
  await page.getByRole('tab', { name: /^Flips/u }).click()
  const flips = page.getByRole('grid', { name: 'Turns that flip' })
  await flips.getByRole('button', { name: 'accept all' }).first().click()
  await page.getByRole('button', { name: /accepted, show/u }).click()
  await flips.getByRole('button', { name: 'Accept this flip as expected' }).first().click()
  await page.getByRole('tab', { name: /^Tune/u }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(words(page)).toHaveCount(0)
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+z')
  await expect(words(page)).toContainText('of 6 turns flip')
})

test('[T51] an error is said at its place, and the last good flips stay', async ({
  placed: page,
  served,
}) => {
  await spoilInTune(page, served)
  await expect(words(page)).toContainText('of 6 turns flip')
  await page.keyboard.type('(')
  await expect(page.locator('.draft-problem')).toContainText(/line \d+/u)
  await expect(words(page)).toContainText('of 6 turns flip')
})

test('[T57] [T58] [T59] the corpus is the opened file, read with the dock; why-not asks it; a cut-off is said', async ({
  placed: page,
  served,
}) => {
  const lab = await makeLab(page, served)
  const session = join(served.workspace, 'session.jsonl')
  // A pattern that never ends on this text: 60 letters, and no end to the ways to share them out.
  const hanging = (await readFile(lab.domains, 'utf8')).replace(
    String.raw`'\brebase\b'`,
    () => `'(?:a+)+$'`,
  )
  await writeFile(lab.domains, hanging)
  await appendFile(session, `${JSON.stringify({ kind: 'user', text: `${'a'.repeat(60)}!` })}\n`)
  const asked: string[] = []
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => asked.push(String(payload)))
  })
  const reads = () => asked.filter((message) => message.includes('"lab.open"'))
  await lab.open('turn=5&tab=why-not')
  await expect(page.locator('.what-else-hint')).toContainText('in the rest of the corpus')
  expect(reads()).toEqual([])

  await page.keyboard.press('d')
  await expect.poll(() => reads().length).toBe(1)
  expect(reads()[0]).toMatch(/"keys":\["[^"]+"\],"folders":\[\],"samples":false/u)
  const whatElse = page.getByRole('region', { name: 'What else would change' })
  await expect(whatElse).toContainText(/flips nothing else|also flips \d+ turn/u)
  await expect(page.locator('.dock').getByText('1 pattern cut off')).toBeVisible()
})

for (const theme of todays(['dark', 'light', 'contrast'] as const))
  test(`axe finds nothing in the dock, ${theme}`, async ({ placed: page, served }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.evaluate((name) => localStorage.setItem('turnscope.theme', name), theme)
    const lab = await makeLab(page, served)
    await lab.open('turn=1&dock=tune')
    for (let press = 0; press < 4; press += 1) {
      if ((await page.locator('html').getAttribute('data-theme')) === theme) break
      await page.keyboard.press('t')
    }
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    const check = (what: string) => expectAccessible(page, what, '.dock')
    await spoilPlan(page)
    await expect(words(page)).toContainText('of 6 turns flip')
    await check('tune')
    await page.keyboard.press('Escape')
    for (const [key, settled] of [
      ['i', '.flip-row'],
      ['w', '.side-picker'],
      ['L', '.label-choice'],
      ['h', '.confusion'],
    ] as const) {
      await page.keyboard.press(key)
      await expect(page.locator(settled).first()).toBeVisible()
      await check(settled)
    }
    for (const [study, settled] of [
      ['Matrix', '.matrix-plot'],
      ['Coverage', '.bars'],
      ['What-if', '.what-if-line'],
      ['Lint', '.lint-row'],
    ] as const) {
      await page.getByRole('tab', { name: study }).click()
      await expect(page.locator(settled).first()).toBeVisible()
      await check(study)
    }
  })

test('[U110] signals and editor are there at once, counts come when a big corpus has been read', async ({
  linked: page,
  files,
}) => {
  const path = await files.write('big.jsonl', await repeatedSample(500))
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?big#s=path:${encodeURIComponent(path)}&turn=1&dock=tune`)
  const grid = page.getByRole('grid', { name: 'Signals of the draft' })
  const row = grid.getByRole('row').nth(1)
  await expect(row).toBeVisible()
  // Before the corpus: places and patterns, and what will be counted.
  expect(await row.textContent()).toContain('……')
  await expect(page.getByTestId('editor').getByText('Domains of the compound')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Filter signals' }).fill('investigat')
  await expect(page.getByRole('region', { name: 'Signals', exact: true })).toContainText(
    /\d+ of \d{3}/u,
  )
  // Then its counts.
  await expect(row).not.toContainText('……')
  const found = grid.getByRole('row', { name: /investigate/u }).first()
  await expect(found).toContainText(/\d,\d{3}|\d{2}/u)
})

test('[U184] Tune says what reaches domains, ties, gates and rules; a witness goes into the text to try', async ({
  placed: page,
  served,
}) => {
  const lab = await makeLab(page, served)
  await copyFile(join(ROOT, 'profiles/domains/default.yaml'), lab.domains)
  await lab.open('turn=1&dock=tune&profile=granite-3.3-8b')
  await page.getByRole('group', { name: 'List' }).getByRole('button', { name: 'Reach' }).click()
  const reach = page.getByRole('region', { name: 'Reach', exact: true })
  await expect(reach.getByRole('status')).toContainText(/^0 of \d+ out of reach/u)
  const row = (group: string, name: RegExp) =>
    reach.getByRole('region', { name: group }).getByRole('listitem').filter({ hasText: name })
  await expect(row('Domains', /git_ops/u)).toContainText('"')
  await expect(row('Tie-breaks', /order/u)).toContainText(
    'Switched off or not needed here: no two domains have the same priority.',
  )
  await expect(row('Gates', /planning/u).getByRole('button', { name: /^Try/u })).toBeVisible()
  await expectAccessible(page, 'Reach')
  await row('Rules of momentum', /^.*B1/u).getByRole('button', { name: /^Try/u }).click()
  const box = page.getByRole('textbox', { name: 'Text to try' })
  await expect(box).not.toHaveValue('')
  const decided = page.getByRole('region', { name: 'What is decided' })
  await expect(decided.getByRole('region', { name: 'Momentum' })).toContainText(/resist/iu)
})

test('[U184] a domain of the draft that nothing reaches has its proof as a sentence', async ({
  placed: page,
  served,
}) => {
  const lab = await makeLab(page, served)
  const text = await readFile(lab.domains, 'utf8')
  await writeFile(
    lab.domains,
    text.replace('    priority: 3\n', '    priority: 3\n    minSignals: 3\n'),
  )
  await lab.open('turn=1&dock=tune')
  await page.getByRole('group', { name: 'List' }).getByRole('button', { name: 'Reach' }).click()
  const reach = page.getByRole('region', { name: 'Reach', exact: true })
  await expect(reach.getByRole('listitem').filter({ hasText: 'planning' }).first()).toContainText(
    'No message reaches it: it needs 3 signals to be primary and has 2 that can match.',
  )
})

test('[T3] a label by a key asks for no second corpus: the window reads it once', async ({
  placed: page,
  served,
}) => {
  const opened: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const text = typeof payload === 'string' ? payload : payload.toString()
      if (text.includes('lab.open')) opened.push(text)
    }),
  )
  const lab = await makeLab(page, served)
  await lab.open('turn=3&dock=label')
  const progress = page.getByRole('complementary', { name: 'Progress of the labels' })
  await expect(progress).toContainText('measured on 4 labelled turns of 1 source')
  // On to a turn without a label.
  await page.keyboard.press('L')
  await page.keyboard.press('n')
  await page.keyboard.press('2')
  await expect(progress).toContainText('measured on 5 labelled turns of 1 source')
  expect(opened).toHaveLength(1)
})
