import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { runCli } from '../fixtures/run-cli.ts'
import { ROOT } from '../scripts/build.ts'
import { expectAccessible } from './helpers/axe.ts'
import { expect, test } from './helpers/serve.ts'

const SESSION = join(ROOT, 'fixtures/sessions/st-003.jsonl')

async function openExport(page: Page, link: string): Promise<Locator> {
  await page.goto(`${new URL(page.url()).origin}/?${Math.random()}#s=path:${SESSION}${link}`)
  await expect(page.locator('.verdict').first()).toBeVisible()
  await page.keyboard.press('x')
  return page.getByRole('dialog', { name: 'Export' })
}

/** File that Save hands to the browser. */
async function saved(page: Page, dialog: Locator, form: string) {
  await dialog.getByRole('radio', { name: form }).check()
  const save = dialog.getByRole('button', { name: /^Save as/u })
  await expect(save).toBeEnabled()
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()])
  await expect(dialog.locator('.export-done')).toContainText('redacted')
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('[U180] [U181] [U182] Export writes what the command line writes, and says what a form cannot carry', async ({
  placed: page,
  files,
}) => {
  const dialog = await openExport(page, '&turn=13&compare=field')
  const at = (name: string) => join(files.path, name)
  const data = ['--jsonl', at('jsonl'), '--otel', at('otel'), '--csv', at('csv')]
  expect((await runCli(['export', SESSION, '--no-probe', ...data])).code).toBe(0)
  const lacks = dialog.getByRole('region', { name: 'Not carried over' })
  for (const [form, name, lack] of [
    ['Traces JSONL', 'jsonl', 'events that are no turns'],
    ['OpenTelemetry GenAI', 'otel', 'signals and reasons'],
    ['CSV of the columns', 'csv', 'what was said'],
  ] as const) {
    const { text } = await saved(page, dialog, form)
    expect(text).toBe(await readFile(at(name), 'utf8'))
    await expect(lacks).toContainText(lack)
  }
  const turn = await saved(page, dialog, 'Markdown')
  expect(turn.name).toBe('st-003.md')
  const ofTurn = await runCli(['export', SESSION, '--markdown', '-', '--turns', '13'])
  expect(turn.text).toBe(ofTurn.out)
  await dialog.getByRole('combobox', { name: 'Of' }).selectOption('comparison')
  const ofBoth = await runCli(['export', SESSION, '--markdown', '-', '--compare', 'field'])
  expect((await saved(page, dialog, 'Markdown')).text).toBe(ofBoth.out)
  await expectAccessible(page, 'Export as Markdown')
  // The message about the written file disappears when the choice changes.
  await dialog.getByRole('radio', { name: 'CSV of the columns' }).check()
  await expect(dialog.locator('.export-done')).toHaveCount(0)
  await expect(dialog).toContainText('st-003.turns.csv')
})

test('[U183] a page says how large it gets, and is of the turns that were typed', async ({
  placed: page,
}) => {
  const dialog = await openExport(page, '')
  await dialog.getByRole('radio', { name: 'One HTML file' }).check()
  await expect(dialog).toContainText('About 3.0 MB for the workbench')
  await dialog.getByLabel('From turn').fill('6')
  await dialog.getByLabel('To turn').fill('5')
  await expect(dialog.getByRole('alert')).toContainText('These are no turns')
  await expect(dialog.getByRole('button', { name: /Save as HTML/u })).toBeDisabled()
  await expectAccessible(page, 'Export of turns')
  await dialog.getByLabel('To turn').fill('9')
  const { text } = await saved(page, dialog, 'One HTML file')
  expect(text).toContain('turns of the first session before 6 and after 9')
  await page.setViewportSize({ width: 1024, height: 768 })
  await expect(dialog.getByRole('button', { name: /Save as HTML/u })).toBeInViewport()
})
