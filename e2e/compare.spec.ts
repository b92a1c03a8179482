import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ROOT } from '../scripts/build.ts'
import { expectAccessible } from './helpers/axe.ts'
import { draftStored } from './helpers/drafts.ts'
import { todays } from './helpers/rotation.ts'
import { type Served, expect, test } from './helpers/serve.ts'

test.use({ timezoneId: 'UTC', colorScheme: 'dark' })

/** The first answer compiles every pattern, on machines that do other things too. */
const panel = (page: Page) => page.getByRole('region', { name: 'Compare' })
const flips = (page: Page) => panel(page).getByRole('grid', { name: 'Turns that flip' })

async function openAt(page: Page, link: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#${link}`)
  await expect(page.locator('.verdict').first()).toBeVisible()
}

/** A session of these events in the workspace; its link. */
async function ownSession({ workspace }: Served, events: readonly object[]): Promise<string> {
  await mkdir(join(workspace, 'profiles/domains'), { recursive: true })
  await copyFile(
    join(ROOT, 'fixtures/lab/domains.yaml'),
    join(workspace, 'profiles/domains/lab.yaml'),
  )
  const path = join(workspace, 'own.jsonl')
  const head = { type: 'session', schemaVersion: 1, id: 's', title: 'Own' }
  await writeFile(path, [head, ...events].map((each) => `${JSON.stringify(each)}\n`).join(''))
  return `s=path:${path}&preset=recommended&domains=lab`
}

test('[L50] [L52] [T75] [U101] one comparison: header, list, Decision and panel; cells, causes, texts', async ({
  placed: page,
}) => {
  await openAt(page, 's=sample:st-003&preset=recommended&compare=literal&dock=compare&show=flips')
  await expect(panel(page).getByLabel('Compared with')).toHaveValue('literal')
  const total = (await panel(page).locator('.compared-side strong').first().textContent()) ?? ''
  await expect(page.getByText(`${total} flips`).first()).toBeVisible()
  // A cell of the matrix lists its turns, with their texts and marks.
  const cell = panel(page).locator('.flip-cell').first()
  const inCell = (await cell.textContent()) ?? ''
  await cell.click()
  await expect(flips(page).locator('.flip-row').first()).toBeVisible()
  await expect(flips(page).locator('.flip-row')).toHaveCount(
    Math.min(Number(inCell), await flips(page).locator('.flip-row').count()),
  )
  await expect(flips(page).locator('.flip-text').first()).not.toBeEmpty()
  // The row's turn is the one that Decision and the list show, and they say the same.
  await flips(page).locator('.flip-row').first().click()
  const becomes = await flips(page)
    .locator('.flip-row')
    .first()
    .locator('.flip-side')
    .last()
    .innerText()
  await expect(page.locator('.other-preset')).toContainText(becomes.split('\n')[0]?.trim() ?? '?')
  await panel(page).getByRole('button', { name: 'Which options cause the flips?' }).click()
  await expect(panel(page).getByRole('region', { name: 'Causes of the flips' })).toContainText(
    /\d+ options differ; (these \d+ cause|this one causes) all/u,
  )
  // [T83] Options that a comparison of turns does not show have separate causes, or a reason for having none.
  const causes = panel(page).getByRole('region', { name: 'Causes of the flips' })
  await expect(causes).toContainText('option of step bundles differs. This session has no pipeline')
  await expect(causes).toContainText(/4 options of the probe differ/u)
  // [T84] No stage is left out in silence.
  await expect(panel(page)).toContainText(
    'Verdicts of the coach: not compared; the same rules of the coach judge both sides',
  )
  await expectAccessible(page, 'compare', '.dock')
  if (process.env['SHOTS']) {
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
    ] as const)
      for (const theme of todays(['dark', 'light'] as const)) {
        await page.setViewportSize({ width, height })
        await page.emulateMedia({ colorScheme: theme })
        await page.screenshot({ path: `${process.env['SHOTS']}/compare-${width}-${theme}.png` })
      }
  }
  // [U101] In a small window, the name of the other side stays readable.
  await page.setViewportSize({ width: 1024, height: 768 })
  const name = page.locator('.picker-compare strong')
  await expect(name).toHaveText('literal')
  expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await expect(page.locator('.picker-compare')).toContainText(/\d+ flips/u)
})

test('[F77] find lists events of which another stage says something else', async ({
  placed: page,
  served,
}) => {
  const signal =
    '<signal confidence="0.5" type="need_turn"><reason>one more file to read</reason></signal>'
  const link = await ownSession(served, [
    { kind: 'user', text: 'understand the barcode' },
    { kind: 'agent', text: `I cannot go on.\n${signal}` },
    { kind: 'user', text: 'plan the roadmap' },
  ])
  await openAt(page, `${link}&compare=literal&find=flip%3Aself`)
  const box = page.getByRole('search')
  await expect(box).toContainText('1 of 1')
  await box.getByRole('combobox').fill('flip:verdict')
  await expect(box).toContainText('both sides judge by the same rules of the coach')
  await box.getByRole('combobox').fill('flip:quory')
  await expect(box).toContainText('Did you mean flip:query?')
})

test('[U100] a link that compares with the draft survives a reload; without one the page says so', async ({
  placed: page,
  served,
}) => {
  const link = await ownSession(served, [
    { kind: 'user', text: 'plan the roadmap' },
    { kind: 'agent', text: 'Done.' },
    { kind: 'user', text: 'commit and rebase' },
  ])
  await openAt(page, `${link}&dock=tune`)
  const editor = page.getByRole('textbox', { name: /domain file/iu })
  await editor.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n# a remark\n')
  await draftStored(served, '# a remark')
  await openAt(page, `${link}&dock=compare&compare=draft`)
  const other = panel(page).getByLabel('Compared with')
  await expect(other).toHaveValue('draft')
  await expect(page).toHaveURL(/compare=draft/u)
  await page.reload()
  await expect(other).toHaveValue('draft')
  await expect(panel(page)).toContainText('Both sides decide every turn alike')
  // Another domain file, over which nothing was left.
  await openAt(page, `${link.replace('domains=lab', 'domains=default')}&compare=draft`)
  await expect(
    page.getByText('The link compares with a draft, and there is none here'),
  ).toBeVisible()
  await expect(page).not.toHaveURL(/compare=draft/u)
})

test('[L38] [L50] list chip, Decision, trace and counts pair by event where numbers shift', async ({
  placed: page,
  served,
}) => {
  const link = await ownSession(served, [
    { kind: 'user', text: 'plan the roadmap' },
    { kind: 'agent', text: 'commit and rebase, then debug the failing test' },
    { kind: 'tool_call', text: '{}', name: 'ls', callId: 'a' },
    { kind: 'tool_result', text: 'commit', callId: 'a' },
    { kind: 'agent', text: 'Done.' },
    { kind: 'user', text: 'commit and rebase this branch, please' },
    { kind: 'user', text: 'plan the roadmap' },
    { kind: 'user', text: 'commit and rebase' },
  ])
  await openAt(page, `${link}&compare=field&dock=compare&turn=1`)
  await expect(panel(page).locator('.compared-side')).toContainText('of one side only')
  const total = Number(await panel(page).locator('.compared-side strong').first().textContent())
  // The chip of the header counts the same flips.
  await expect(page.getByText(total === 1 ? '1 flip' : `${total} flips`).first()).toBeVisible()
  for (let at = 0; at < total; at += 1) {
    const row = flips(page).locator('.flip-row').nth(at)
    await row.click()
    const said = (await row.locator('.flip-side').last().innerText()).split('\n')[0]?.trim() ?? '?'
    await expect(page.locator('.other-preset')).toContainText(said)
    await expect(page.locator('.row-selected, [aria-selected="true"]').first()).toContainText(said)
  }
})

test('[L50] [I91] what ran is a side: the first turn where it parts is a link', async ({
  placed: page,
  served,
}) => {
  const link = await ownSession(served, [
    { kind: 'user', text: 'plan the roadmap', _bst_domain: 'planning' },
    { kind: 'agent', text: 'What do you mean?', self_signal: { type: 'stuck' } },
    { kind: 'user', text: 'plan the roadmap', _bst_domain: 'romance' },
  ])
  await openAt(page, `${link}&dock=compare&turn=1`)
  await panel(page).getByLabel('Compared with').selectOption('observed')
  await expect(panel(page).locator('.compared-side')).toContainText('1 of 2 recorded turns')
  await expect(page).toHaveURL(/compare=observed/u)
  await expect(panel(page).locator('.compared-side')).toContainText('Self-signals: 1 of 1 differ')
  await panel(page)
    .getByRole('button', { name: /They part first in event 2/u })
    .click()
  await flips(page).locator('.flip-row').first().click()
  await expect(page.locator('.other-preset')).toContainText('romance')
  await expect(page.locator('.other-preset')).toContainText('So the file recorded it')
})
