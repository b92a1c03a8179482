import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './helpers/serve.ts'

const LOG = [
  {
    app: 'shop-bot/2',
    session: 'v-1',
    at: 1767225600,
    speaker: 'shopper',
    said: 'Where is my parcel?',
  },
  {
    app: 'shop-bot/2',
    session: 'v-1',
    at: 1767225602,
    speaker: 'clerk',
    said: 'I fix the python code.',
    mood: 'calm',
  },
  {
    app: 'shop-bot/2',
    session: 'v-2',
    at: 1767225700,
    speaker: 'shopper',
    said: 'Debug the crash.',
  },
]
const lines = `${LOG.map((line) => JSON.stringify(line)).join('\n')}\n`

test('[U185] [U186] an unknown file: its refusal leads to a mapping, a preview, and the session', async ({
  placed: page,
  served,
  files,
}) => {
  const path = await files.write('visits.jsonl', lines)
  await page.goto(`${served.origin}/?own#s=path:${encodeURIComponent(path)}`)
  await expect(page.getByRole('heading', { name: /could not be opened/u })).toBeVisible()
  await page.getByRole('button', { name: 'Write a mapping' }).click()

  const dialog = page.getByRole('dialog', { name: 'Formats of your own' })
  const text = dialog.getByLabel('Text of the mapping')
  await expect(text).toBeFocused()
  await expect(text).toHaveValue(/role: "@\.speaker"/u)
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('3 events in 2 sessions')
  // The role of a "person" is guessed, that of a "clerk" is not, and the mood is left over.
  await expect(preview.locator('.formats-events')).toContainText('meta')
  await expect(preview).toContainText('$.mood')

  const draft = await text.inputValue()
  await text.fill(draft.replace('@.speaker', '@.spoken'))
  await expect(preview.getByRole('alert')).toContainText('it has no "spoken"')
  await text.fill(draft.replace('"clerk": meta # change me', 'clerk: agent'))
  await expect(preview.locator('.formats-events')).toContainText('agent')
  if (process.env['SHOTS'] !== undefined) await shots(page, process.env['SHOTS'])
  await dialog.getByLabel('Name of the new file').fill('visits')
  await page.keyboard.press('Control+s')
  await expect(dialog.getByText('as on disk')).toBeVisible()
  const saved = join(served.workspace, 'profiles/formats/visits.yaml')
  expect(await readFile(saved, 'utf8')).toContain('clerk: agent')

  // Changes by an external editor appear immediately.
  await writeFile(
    saved,
    (await readFile(saved, 'utf8')).replace('clerk: agent', 'clerk: reasoning'),
  )
  await expect(text).toHaveValue(/clerk: reasoning/u)
  await expect(preview.locator('.formats-events')).toContainText('thinking')
  await writeFile(
    saved,
    (await readFile(saved, 'utf8')).replace('clerk: reasoning', 'clerk: agent'),
  )
  await expect(text).toHaveValue(/clerk: agent/u)

  await dialog.getByRole('button', { name: 'Open the file with it' }).click()
  await expect(page.locator('.status-name')).toHaveText('visits.jsonl')
  await expect(page).toHaveURL(/s=map(=|%3D)visits:path:/u)
  await page.goto(`${served.origin}/?again#s=path:${encodeURIComponent(path)}`)
  await expect(page.locator('.row-text').first()).toContainText('Where is my parcel?')
})

test('[U185] a broken mapping is named with its line, and an edit elsewhere is never overwritten', async ({
  workbench: page,
  served,
}) => {
  const folder = join(served.workspace, 'profiles/formats')
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'mine.yaml')
  const good = "label: Mine\nmatch: [{path: $.said}]\nevents: [{kind: user, text: '@.said'}]\n"
  await writeFile(file, good)
  await page.keyboard.press('+')
  const dialog = page.getByRole('dialog', { name: 'Formats of your own' })
  const text = dialog.getByLabel('Text of the mapping')
  await expect(text).toHaveValue(good)
  await text.fill(good.replace('kind: user', 'kind: person'))
  await page.keyboard.press('Control+s')
  await expect(dialog.getByRole('alert')).toContainText('profiles/formats/mine.yaml:3')
  await writeFile(file, good.replace('Mine', 'Theirs'))
  await expect(dialog.getByRole('alert')).toContainText('was saved by another program meanwhile')
  await dialog.getByRole('button', { name: 'Take theirs' }).click()
  await expect(text).toHaveValue(/label: Theirs/u)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

async function shots(page: Page, folder: string): Promise<void> {
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/own-${width}-${colorScheme}.png` })
    }
  }
}
