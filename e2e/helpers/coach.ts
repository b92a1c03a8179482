import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { ModelServer } from '../../fixtures/model-servers.ts'
import { expect } from './serve.ts'

export const PROMISE = 'Understood. I will be more careful with the config going forward.'
const GUESS = 'I changed the retry limit in src/retry.ts. This should work now.'
const DONE = 'Fixed the crash. Tests: 12 passed, 0 failed in 3.1s. Commit 4f9e2ab.'
const GATE = 'The plan is ready in docs/plan.md. Waiting for your go-ahead before I start.'

/** A session of our own: a promise, a guess, proof, a gate. */
export async function writeSession(folder: string): Promise<string> {
  const said = (kind: string, text: string, minute: number) =>
    JSON.stringify({ kind, text, at: `2026-04-14T08:${String(minute).padStart(2, '0')}:00Z` })
  const path = join(folder, 'coached.jsonl')
  const lines = [
    JSON.stringify({ type: 'session', schemaVersion: 1, id: 'coached', title: 'Coached' }),
    said('user', 'Please fix the retry limit of the exporter.', 1),
    said('agent', PROMISE, 2),
    said('user', 'Go on.', 3),
    said('agent', GUESS, 4),
    said('user', 'And the crash?', 5),
    said('agent', DONE, 6),
    said('user', 'What comes next?', 7),
    said('agent', GATE, 8),
  ]
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

/** Opens the session at an event with the Coach tab. */
export async function openAt(page: Page, file: string, more: string): Promise<void> {
  await page.goto(
    `${new URL(page.url()).origin}/?${Math.random()}#s=path:${file}&tab=coach&${more}`,
  )
  await expect(page.locator('.coach .verdict-title')).toBeVisible()
}

export const inspector = (page: Page) => page.locator('.inspector')
export const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
export const timeline = (page: Page) => page.getByRole('slider', { name: 'Timeline of turns' })
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Turns the model on in the dialog, with an address of this machine. */
export async function turnOn(page: Page, server: ModelServer): Promise<void> {
  await page.locator('.list-scroll').focus()
  await page.keyboard.press('V')
  const settings = dialog(page, 'Coach')
  await settings.getByText('Ask a model').click()
  await settings.getByRole('combobox', { name: 'Provider' }).selectOption('openai-compatible')
  await settings.getByRole('textbox', { name: 'Model' }).fill('test-model')
  await settings.getByRole('textbox', { name: 'Base URL' }).fill(server.url)
  await settings.getByRole('textbox', { name: /Price in/u }).fill('1')
  await settings.getByRole('textbox', { name: /Price out/u }).fill('5')
  await settings.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(settings).toHaveCount(0)
}

export const judged = (type: string, coaching: string | null = null, reason = 'It says so.') => ({
  say: JSON.stringify({ type, confidence: 0.95, reason, coaching_message: coaching }),
})

/** Asking a model has no key (U222): it is run from the palette. */
export async function askFromPalette(page: Page, what: 'this output' | 'all outputs') {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(`Ask the model about ${what}`)
  await page.keyboard.press('Enter')
}
