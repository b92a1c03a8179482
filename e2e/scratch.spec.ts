import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './helpers/axe.ts'
import { expect, test } from './helpers/serve.ts'

const CODE = 'Write a python function that parses the table and add unit tests'

/** Text of a stage's card. */
const card = (page: Page, name: string) =>
  page.getByRole('region', { name: 'What is decided' }).getByRole('region', { name, exact: true })
const box = (page: Page) => page.getByRole('textbox', { name: 'Text to try' })

/** Presses Tab, or Shift+Tab, until the control has the focus. */
async function tabTo(page: Page, name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  const wanted = page.getByRole('button', { name, exact: true })
  for (let left = 120; left > 0; left -= 1) {
    if (await wanted.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`the keyboard never came to ${String(name)}`)
}

test('[U160] letters that are typed before the field is there belong to the text, and are no shortcuts', async ({
  workbench: page,
}) => {
  await expect(page.getByRole('button', { name: 'Try a message' })).toBeVisible()
  await page.keyboard.press('N')
  await page.keyboard.type('Tune the gpu driver')
  await expect(box(page)).toHaveValue('Tune the gpu driver')
  await page.keyboard.type('!')
  await expect(box(page)).toHaveValue('Tune the gpu driver!')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('[U160] [U161] a message alone, by keyboard: typed, added, taken back, there after a reload, kept as a case', async ({
  workbench: page,
  served,
}) => {
  await expect(page.getByRole('button', { name: 'Try a message' })).toBeVisible()
  await page.keyboard.press('N')
  await expect(box(page)).toBeFocused()
  await expectAccessible(page, 'an empty scratch session')

  await page.keyboard.type(CODE)
  await expect(card(page, 'Decision')).toContainText('coding')
  await expect(card(page, 'Momentum')).toContainText('First turn: coding is accepted.')
  await expect(card(page, 'Query')).toContainText('action')
  await expect(card(page, 'Prompt')).toContainText('tokens')
  await expectAccessible(page, 'a message that is typed')

  await page.keyboard.press('Control+Enter')
  await expect(box(page)).toHaveValue('')
  await expect(page.getByRole('region', { name: 'Inspector' })).toContainText('coding')
  await page.keyboard.type('All done, all tests pass.')
  await tabTo(page, 'Agent', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Coach')).toContainText('tests claimed')
  await expect(card(page, 'Decision')).toContainText('No turn')
  await expectAccessible(page, 'an output that is typed')

  // Nothing typed is lost.
  await expect(page).toHaveURL(/s=scratch:[\w-]{12}/u)
  await page.reload()
  await expect(box(page)).toHaveValue('All done, all tests pass.')
  await expect(card(page, 'Coach')).toContainText('tests claimed')

  await box(page).focus()
  await tabTo(page, /^Take the last turn back/u, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Add it again (1 taken back)' })).toBeEnabled()
  await box(page).focus()
  await tabTo(page, /^Add it again/u, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('button', { name: 'Take the last turn back (1 written)' }),
  ).toBeEnabled()

  await tabTo(page, 'Keep…')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await expectAccessible(page, 'keeping it')
  await page.keyboard.type('by hand')
  await page.keyboard.press('Tab')
  await page.keyboard.type('inv')
  await page.keyboard.press('Tab')
  await tabTo(page, 'Keep as a labelled case')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/s=path:/u)
  const path = join(served.workspace, 'sessions/by hand.jsonl')
  expect(readFileSync(path, 'utf8')).toContain(CODE)
  const labels = join(served.workspace, 'sessions/by hand.labels.jsonl')
  await expect.poll(() => existsSync(labels)).toBe(true)
  expect(readFileSync(labels, 'utf8')).toContain('"primary":"investigation"')
})

test('[U162] [U163] what if the person had written this: the history is kept, the rest changes', async ({
  workbench: page,
}) => {
  await page.getByRole('button', { name: /ST-003/u }).press('Enter')
  await expect(page.getByText('47 turns').first()).toBeVisible()
  for (let turn = 1; turn < 7; turn += 1) await page.keyboard.press('j')
  await expect(page).toHaveURL(/turn=7/u)
  await page.keyboard.press('H')
  await expect(box(page)).toBeFocused()
  await expect(box(page)).toHaveValue(/^total 96/u)
  await expect(card(page, 'Momentum')).toContainText('6 → 7')
  for (let times = 0; times < 4; times += 1) {
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(`${CODE}, fix the bug`)
    await expect(card(page, 'Decision')).toContainText('coding')
    await page.keyboard.press('Control+Enter')
    await expect(box(page)).toHaveValue('')
  }
  await tabTo(page, 'kept', 'Shift+Tab')
  await page.keyboard.press('Enter')
  const after = page.getByRole('region', { name: 'Afterwards' })
  await expect(after).toContainText(/\d+ of 40 turns changes?/u)
  await expectAccessible(page, 'a branch')
  await after.locator('summary').press('Enter')
  await after.getByRole('button').first().press('Enter')
  await expect(page).toHaveURL(/turn=1[1-9]/u)
  // Back leads to the last message, whose predecessors are no separate places, and then to the recorded turn. Forward
  // leads to the branch with all written messages.
  await page.goBack()
  await expect(page).toHaveURL(/s=scratch:.*&turn=10\b/u)
  await page.goBack()
  await expect(page).toHaveURL(/s=sample:st-003&turn=7/u)
  await expect(page.getByText('20 flips').first()).toBeVisible()
  await page.goForward()
  await expect(page).toHaveURL(/s=scratch:/u)
  await expect(after).toContainText(/turns change/u)
})
