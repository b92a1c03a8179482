import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './helpers/axe.ts'
import { dialog, inspector, region, timeline } from './helpers/coach.ts'
import { todays } from './helpers/rotation.ts'
import { expect, test } from './helpers/serve.ts'

test.use({ shown: 'all', timezoneId: 'UTC', colorScheme: 'dark' })
// The embedder is the real one: it loads, and the sample collections are indexed, in every test.

/** Opens the sample of the probe at a turn. */
async function openSample(page: Page, more: string): Promise<void> {
  const origin = new URL(page.url()).origin
  await page.goto(`${origin}/?${Math.random()}#s=sample:three-shelves&${more}`)
  await expect(page.locator('.status')).toContainText('of 21')
}

/** The same with its hits on the timeline. */
async function openProbed(page: Page, more: string): Promise<void> {
  await openSample(page, `tab=probe&${more}`)
  await expect(page.locator('.tl-row-persona')).toBeVisible()
  await expect(page.locator('.probe .verdict-title')).toBeVisible()
}

const list = (page: Page) => page.locator('.list-scroll')

async function openCollections(page: Page) {
  await openProbed(page, 'turn=1')
  await list(page).focus()
  await page.keyboard.press('Z')
  return dialog(page, 'Collections and embedders')
}

async function openLab(page: Page) {
  await openProbed(page, 'turn=1')
  await list(page).focus()
  await page.keyboard.press('z')
  return dialog(page, 'Probe lab')
}

test('[D51] [D50] the lane says what to do, then shows hits, personas and refused switches', async ({
  placed: page,
}) => {
  await openSample(page, 'tab=decision')
  const probe = page.getByRole('button', { name: 'Probe 21 messages' })
  await expect(probe).toBeVisible()
  await expect(page.locator('.tl-probe-note')).toContainText('Nothing is indexed yet')
  await expect(page.locator('.tl-row-persona')).toHaveCount(0)
  await probe.click()
  await expect(page.locator('.tl-row-persona')).toBeVisible()
  await expect(page.locator('.tl-probe-note')).toHaveCount(0)
  await expect(timeline(page)).toHaveAttribute(
    'aria-valuetext',
    /probe: dnd_campaign 0\.\d\d, (?:strong|moderate), \d hits, persona: switched to dnd_player_assistant/u,
  )
  // By keyboard, on the timeline itself.
  await timeline(page).focus()
  for (let turn = 1; turn < 5; turn += 1) await page.keyboard.press('ArrowRight')
  await expect(timeline(page)).toHaveAttribute('aria-valuenow', '5')
  await expect(timeline(page)).toHaveAttribute(
    'aria-valuetext',
    /probe: not probed: a reflex command, persona: dnd_player_assistant/u,
  )
  for (let turn = 5; turn < 8; turn += 1) await page.keyboard.press('ArrowRight')
  await expect(timeline(page)).toHaveAttribute('aria-valuetext', /a switch was refused/u)
})

test('[D52] [D53] the tab: phrases, hits with both parts of their score, what follows', async ({
  linked: page,
}) => {
  await openProbed(page, 'turn=1')
  await expect(inspector(page).locator('.verdict-title')).toContainText('dnd_campaign')
  const message = region(page, 'Message')
  await expect(message.locator('mark.phrase-capitalised')).toHaveText([
    "Rogue's End",
    'Tower Faction',
  ])
  // Pointing goes both ways.
  await message.getByRole('row', { name: /Tower Faction/u }).hover()
  await expect(message.locator('mark.phrase-on')).toHaveText('Tower Faction')
  const hits = region(page, 'Hits in dnd_campaign')
  await hits.locator('.probe-card').first().hover()
  await expect(message.locator('mark.phrase-on')).toHaveText("Rogue's End")
  await expect(hits.locator('.probe-compared').first()).toHaveText(/^cosine 0\.\d\d .*≥ 0\.\d\d$/u)
  await expect(hits.locator('.chunk-word').first()).toHaveText(/rogue/iu)

  await hits.getByRole('button', { name: 'Open in place' }).first().click()
  const place = page.getByRole('group', { name: 'locations_braeneage.md in place' })
  await expect(place.locator('.probe-here')).toContainText('A fishing village')
  const chunks = place.locator('.probe-here, .probe-beside')
  const before = await chunks.count()
  await place.getByRole('button', { name: 'More around it' }).click()
  await expect.poll(() => chunks.count()).toBeGreaterThan(before)

  await expect(page.getByLabel('Block for the prompt')).toContainText('[SEMANTIC CONTEXT]')
  await expect(region(page, 'Query in context').locator('.changed')).not.toHaveCount(0)
  await expect(page.getByRole('table', { name: 'Time against the budget' })).toContainText(
    'of 50 ms',
  )
  await page.getByText('semantic_probe_result', { exact: true }).click()
  await expect(page.getByLabel('Data field as JSON')).toContainText('"primary_collection"')

  // A phrase asked before comes from the cache; the cache says how old it is.
  await list(page).focus()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(region(page, 'Cache of the session')).toContainText('after 2 turns')
  await expect(
    page.getByRole('table', { name: 'Phrases of this message in the cache' }),
  ).toContainText('2 turns')
  // A message that was not probed shows the reason.
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(inspector(page)).toContainText('Not probed')
  await expect(inspector(page)).toContainText('reflex command')
})

test('[D54] the threshold moves over all messages; a hit that is gone leads to its message', async ({
  linked: page,
}) => {
  const lab = await openLab(page)
  await lab.getByRole('tab', { name: 'Threshold' }).click()
  const slider = lab.getByRole('slider', { name: 'Threshold' })
  await expect(slider).toBeVisible()
  await expect(lab).toContainText('No hit appears or disappears at this threshold.')
  const now = lab.getByRole('row', { name: /dnd_campaign/u }).locator('strong')
  const inForce = Number(await now.textContent())
  expect(inForce).toBeGreaterThan(5)
  await slider.focus()
  for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowRight')
  await expect.poll(async () => Number(await now.textContent())).toBeLessThan(inForce)
  await expect(lab.getByRole('table', { name: /appear/u })).toContainText('− disappears')
  for (let step = 0; step < 40; step += 1) await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => Number(await now.textContent())).toBeGreaterThan(inForce)
  await expect(lab.getByRole('table', { name: /appear/u })).toContainText('+ appears')
  await lab
    .getByRole('table', { name: /appear/u })
    .getByRole('button')
    .first()
    .click()
  await expect(lab).toHaveCount(0)
  await expect(page.locator('.probe .verdict-title')).toBeVisible()
})

test('[D55] a text is probed while it is typed; queries have precision, recall and their counts', async ({
  linked: page,
}) => {
  const lab = await openLab(page)
  const text = lab.getByLabel('Text to probe')
  await expect(text).toBeFocused()
  await page.keyboard.type(
    'Check the system logs for when Rupert’s character sheet was last updated',
  )
  await expect(lab.locator('.verdict-title')).toContainText('system')
  await expect(lab.locator('.probe-others')).toContainText('dnd_campaign')
  await expect(lab.locator('.chunk-word').first()).toBeVisible()

  await lab.getByRole('tab', { name: 'Precision and recall' }).click()
  await expect(lab.getByRole('img', { name: 'Precision against recall' })).toBeVisible()
  await expect(lab.locator('.facts-row')).toContainText(/recall\s*\d+ %\s*of \d+/u)
  await lab.getByText('All points').click()
  await expect(lab.getByRole('table', { name: 'Points' })).toContainText('0.40')

  await lab.getByRole('tab', { name: 'Two embedders' }).click()
  await expect(lab).toContainText('they differ on 0 queries')
  await lab.getByLabel('Threshold of B').fill('0.95')
  await expect(lab.getByRole('table', { name: 'Queries on which they differ' })).toContainText(
    'nothing',
  )
})

test('[D56] collections: indexed from a folder, removed, rebuilt; every state says the way out', async ({
  workbench: page,
  served,
}) => {
  const folder = join(served.workspace, 'notes')
  await mkdir(folder)
  await writeFile(
    join(folder, 'lamp.md'),
    '# The Zorbian lamp\n\nThe Zorbian lamp burns mercury.\n',
  )
  const collections = await openCollections(page)
  const row = (name: string) => collections.getByRole('listitem', { name, exact: true })
  await expect(row('dnd_campaign')).toContainText('ready')
  await collections.getByText('New collection').click()
  await collections.getByLabel('Name').fill('Not a name')
  await expect(collections).toContainText('A name has lower-case letters')
  await collections.getByLabel('Name').fill('lamps')
  await collections.getByLabel('Folder or file with documents').fill(folder)
  await collections.getByRole('button', { name: 'Index it' }).click()
  await expect(row('lamps')).toContainText('ready')
  await expect(row('lamps')).toContainText('1 chunk of 1 document; 1 added')
  await row('lamps').getByRole('button', { name: 'Rebuild' }).click()
  await expect(row('lamps')).toContainText('ready')
  await page.keyboard.press('Escape')
  await page.keyboard.press('z')
  await dialog(page, 'Probe lab')
    .getByLabel('Text to probe')
    .fill('Where is the Zorbian lamp kept?')
  await expect(dialog(page, 'Probe lab').locator('.verdict-title')).toContainText('lamps')
})

test('[D56] a collection that is removed is asked first, and gone then; its documents stay', async ({
  workbench: page,
  served,
}) => {
  const file = join(served.workspace, 'lamp.md')
  await writeFile(file, 'The Zorbian lamp burns mercury.\n')
  await openSample(page, 'tab=decision')
  await list(page).focus()
  await page.keyboard.press('Z')
  const collections = dialog(page, 'Collections and embedders')
  const row = collections.getByRole('listitem', { name: 'lamps', exact: true })
  await collections.getByText('New collection').click()
  await collections.getByLabel('Name').fill('lamps')
  await collections.getByLabel('Folder or file with documents').fill(file)
  await collections.getByRole('button', { name: 'Index it' }).click()
  await expect(row).toContainText('ready')
  await row.getByRole('button', { name: 'Remove' }).click()
  await row.getByRole('button', { name: 'Keep' }).click()
  await row.getByRole('button', { name: 'Remove' }).click()
  await row.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(row).toHaveCount(0)
  expect(await readFile(file, 'utf8')).toContain('Zorbian')
})

test('[D57] an embedder that is down is shown on the turn with what to do, not swallowed', async ({
  workbench: page,
}) => {
  const collections = await openCollections(page)
  await collections.getByText('Add an embedder').click()
  await collections.getByLabel('Kind').selectOption('ollama')
  await collections.getByLabel('Title').fill('Away')
  await collections.getByLabel('Address').fill('http://127.0.0.1:9')
  await collections.getByLabel('Model', { exact: true }).fill('nomic-embed-text')
  await collections.getByRole('button', { name: 'Add', exact: true }).click()
  const away = collections.getByRole('listitem', { name: 'Away' })
  await expect(away).toBeVisible()
  await away.getByRole('button', { name: 'Use' }).click()
  await expect(away).toContainText('in use')
  await page.keyboard.press('Escape')
  await expect(inspector(page).getByRole('alert').first()).toBeVisible()
  await expect(inspector(page).getByRole('alert').first()).toContainText(
    /Ollama|Away|127\.0\.0\.1/u,
  )
})

test('[D58] the prompt with probe context has it as a segment, and without it has not', async ({
  linked: page,
}) => {
  await openProbed(page, 'turn=1')
  await page.keyboard.press('5')
  const segment = inspector(page).getByText('probe-context', { exact: true })
  await expect(page.locator('.segments, .segment-name').first()).toBeVisible()
  await expect(segment).toHaveCount(0)
  await page.getByLabel('With probe context').check()
  await expect(segment).toBeVisible()
  await page.getByLabel('With probe context').uncheck()
  await expect(segment).toHaveCount(0)
})

for (const theme of todays(['dark', 'light'] as const))
  test(`[D59] axe finds nothing in the probe: ${theme}`, async ({ linked: page }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    const check = (what: string) => expectAccessible(page, what)
    for (const turn of [1, 5, 8]) {
      await openProbed(page, `turn=${turn}`)
      await check(`turn ${turn}`)
    }
    await list(page).focus()
    await page.keyboard.press('z')
    const lab = dialog(page, 'Probe lab')
    await lab.getByLabel('Text to probe').fill('What happened at Rogue’s End?')
    await expect(lab.locator('.verdict-title')).toContainText('dnd_campaign')
    await check('lab: text')
    await lab.getByRole('tab', { name: 'Threshold' }).click()
    const slider = lab.getByRole('slider', { name: 'Threshold' })
    await expect(slider).toBeVisible()
    await slider.focus()
    await page.keyboard.press('End')
    await check('lab: threshold')
    await lab.getByRole('tab', { name: 'Precision and recall' }).click()
    await expect(lab.locator('.facts-row')).toBeVisible()
    await check('lab: curve')
    await lab.getByRole('tab', { name: 'Two embedders' }).click()
    await expect(lab).toContainText('they differ on')
    await check('lab: embedders')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Z')
    const collections = dialog(page, 'Collections and embedders')
    await collections.getByText('Add an embedder').click()
    await collections.getByText('New collection').click()
    await check('collections')
  })
