import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { ROOT } from '../scripts/build.ts'
import { expectAccessible } from './helpers/axe.ts'
import { type Files, expect, test } from './helpers/serve.ts'

const run = promisify(execFile)
const SAID = ['fix the bug in the parser', 'ok', 'Write unit tests', 'Plan the release']

/** Rows of twelve sessions, mixed, with a reply between two messages. */
const ROWS = Array.from({ length: 240 }, (_, at) => ({
  session: `talk-${at % 12}`,
  turn: Math.floor(at / 12),
  role: Math.floor(at / 12) % 2 === 0 ? 'user' : 'assistant',
  message: `${SAID[(at * 7) % 4] ?? ''}, then ${SAID[(at * 5) % 4] ?? ''} (${at})`,
}))

/** Results of a batch over a table and a transcript, with what another preset flips. */
async function makeResults(files: Files): Promise<string> {
  const table = await files.write(
    'talks.jsonl',
    ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''),
  )
  const transcript = await files.copy('sessions/st-003.jsonl', 'st-003.jsonl')
  const out = join(files.path, 'results')
  const args = ['batch', table, transcript, '--out', out, '--against', 'preset:literal']
  await run(process.execPath, [join(ROOT, 'bin/turnscope.cjs'), ...args])
  return out
}

async function openResults(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('a')
  await page.getByRole('textbox', { name: 'Path of the folder' }).fill(path)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Results of a batch' })).toBeVisible()
  await expect(page.locator('.results-entry').first()).toBeVisible()
}

const rowsOf = (page: Page) => page.locator('.results-entry')

test('[F140] [F142] results are counted, filtered, and a flip leads to its turn', async ({
  workbench: page,
  files,
}) => {
  await openResults(page, await makeResults(files))
  await expectAccessible(page, 'results')
  const panels = page.getByRole('list', { name: 'Panels' })
  await expect(panels.getByRole('button')).toHaveCount(2)

  // A panel is a filter: the rows are those of its source.
  await panels.getByRole('button', { name: /talks\.jsonl/u }).click()
  await expect(page.getByText('talks.jsonl:').first()).toBeVisible()
  await expect(rowsOf(page).filter({ hasText: 'st-003.jsonl:' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Source talks.jsonl' })).toBeVisible()

  // By keyboard: the second flip, and its turn.
  const grid = page.getByRole('grid', { name: 'Flips' })
  await grid.focus()
  await page.keyboard.press('j')
  const cells = await page
    .locator('.results-entry[aria-selected=true] [role=gridcell]')
    .allTextContents()
  const [session = '', turn = '', source = ''] = cells.slice(-3)
  await page.keyboard.press('Enter')
  await expect(page.locator('.verdict').first()).toBeVisible()
  await expect(page.locator('.status')).toContainText(`${session} in talks.jsonl`)
  await expect(page.locator('.status')).toContainText(`turn ${turn} of`)
  const row = ROWS[Number(source.split(':')[1])]
  await expect(page.locator('.list-rows [aria-selected=true]')).toContainText(row?.message ?? '')

  // Back to the list, as it was left; then a flip of the transcript.
  await page.goBack()
  await expect(page.locator('.results-entry[aria-selected=true]')).toContainText(session)
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await panels.getByRole('button', { name: /st-003\.jsonl/u }).click()
  const flip = rowsOf(page).filter({ hasText: 'st-003.jsonl:' }).nth(2)
  const [, number = ''] = (await flip.locator('[role=gridcell]').allTextContents()).slice(-3)
  await flip.click()
  await expect(page.locator('.status')).toContainText(`turn ${number} of 47`)
  await page.reload()
  await expect(page.locator('.status')).toContainText(`turn ${number} of 47`)
})

test('[F146] a preset is tried on all turns of a batch, by what the batch stored', async ({
  workbench: page,
  files,
}) => {
  await openResults(page, await makeResults(files))
  const flips = page
    .getByRole('group', { name: 'Rows listed' })
    .getByRole('button', { name: /Flips/u })
  const ofBatch = await flips.textContent()
  const presets = page.getByRole('region', { name: 'Presets' })
  await presets.getByRole('button', { name: /^literal/u }).click()
  await page.getByRole('button', { name: 'Try preset literal' }).click()
  await expect(page.locator('.results-edit [role=status]')).toContainText(
    /^\d+ flips in 167 turns/u,
  )
  await expect(page.getByRole('button', { name: 'Of the edit' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(flips).toHaveText(ofBatch ?? '')
  await rowsOf(page).first().click()
  await expect(page.locator('.verdict').first()).toBeVisible()
})

test('[F166] results that may lack rows say so above their counts', async ({
  workbench: page,
  files,
}) => {
  const out = await makeResults(files)
  const path = join(out, 'manifest.json')
  const text = await readFile(path, 'utf8')
  const older = text.replace(/"layout": \d+,/u, '').replace(/"rows": \d+/u, '"rows": 20000')
  await writeFile(path, older)
  await openResults(page, out)
  const results = page.getByRole('region', { name: 'Results of a batch' })
  await expect(results.getByText('may be missing. Run the batch again')).toBeVisible()
  await expect(results.getByText('An edit cannot be tried on these results')).toBeVisible()
})

test('[F141] a page that was loaded at results shows them again', async ({
  workbench: page,
  files,
}) => {
  await openResults(page, await makeResults(files))
  await expect(page).toHaveURL(/res=/u)
  await page.reload()
  await expect(rowsOf(page).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Results of a batch' })).toHaveCount(0)
})
