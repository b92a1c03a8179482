import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessible } from './helpers/axe.ts'
import { openAt, region } from './helpers/coach.ts'
import { todays } from './helpers/rotation.ts'
import { expect, test } from './helpers/serve.ts'

test.use({ timezoneId: 'UTC', colorScheme: 'dark' })

/** An announcement after which the agent went on, a guess, unfinished work, a blank end. */
async function writeWork(folder: string): Promise<string> {
  const said = (kind: string, text: string) => ({ kind, text })
  const lines = [
    { type: 'session', schemaVersion: 1, id: 'work', title: 'Work', plan: 'plan.md' },
    said('user', 'Please fix the retry limit.'),
    said('agent', 'Let me look at the log first.'),
    { kind: 'tool_call', name: 'cat', text: '{"path":"src/retry.ts"}' },
    said('agent', 'I changed the retry limit in src/retry.ts. This should work now.'),
    said('user', 'And the rest?'),
    said('agent', '3 of 7 files are migrated, not done yet.'),
    said('user', 'Go on.'),
    said('agent', '  '),
  ]
  const path = join(folder, 'work.jsonl')
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await writeFile(join(folder, 'plan.md'), '# Plan\n\n## Success criteria\n- all 7 are moved\n')
  return path
}

test('[V62] the list of verdicts: filters, hypothetical ones folded, by keyboard alone', async ({
  linked: page,
  files,
}) => {
  await openAt(page, await writeWork(files.path), 'event=1')
  await page.locator('.list-scroll').focus()
  await page.keyboard.press('C')
  const list = page.getByRole('grid', { name: 'Verdicts of the session' })
  await expect(list).toBeVisible()
  const rows = list.locator('.verdict-row[aria-selected]')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText('This should work now.')
  await expect(rows.nth(2)).toContainText('↩ back')
  await expect(list).toContainText('1 hypothetical verdict')
  await list.focus()
  await page.keyboard.press('h')
  await expect(rows).toHaveCount(4)
  await expect(rows.nth(3)).toContainText('Let me look at the log first.')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page.locator('.inspector')).toContainText('the agent went on by itself')
  await page.getByRole('combobox', { name: 'Only' }).selectOption({ label: 'hedging (1)' })
  await expect(rows).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Words of the output' }).fill('nothing like it')
  await expect(rows).toHaveCount(0)
  await expect(list).toContainText('No verdict is like that.')
  await expect(region(page, 'Verdicts')).toContainText(/logged in.*audit\.jsonl/u)
})

test('[V61] the plan of the transcript is read, and the task can be said in the tab', async ({
  linked: page,
  files,
}) => {
  await openAt(page, await writeWork(files.path), 'event=5')
  const task = region(page, 'Task')
  await expect(task.getByLabel('Plan: path of its file')).toHaveValue('plan.md')
  await expect(region(page, 'The agent receives')).toContainText('all 7 are moved')
  await mkdir(join(files.path, 'other'))
  await writeFile(join(files.path, 'other/plan.md'), '## Done when\n- the tests are green\n')
  await task.getByLabel('Plan: path of its file').fill(join(files.path, 'other/plan.md'))
  await task.getByLabel('Skill').fill('do-build')
  await page.keyboard.press('Enter')
  await expect(region(page, 'The agent receives')).toContainText('the tests are green')
  await expect(region(page, 'The agent receives')).toContainText('do-build')
  await task.getByLabel('Plan: path of its file').fill('/none/plan.md')
  await page.keyboard.press('Enter')
  await expect(task.getByRole('alert')).toContainText('the plan was not read')
  await task.getByRole('button', { name: 'As the transcript says' }).click()
  await expect(region(page, 'The agent receives')).toContainText('all 7 are moved')
})

test('[V60] a blank end goes back instead of asking the person', async ({
  linked: page,
  files,
}) => {
  await openAt(page, await writeWork(files.path), 'event=7')
  await expect(page.locator('.verdict-title')).toContainText('status')
  await expect(region(page, 'The agent receives')).toContainText('was blank')
})

for (const theme of todays(['dark', 'light'] as const))
  test(`axe finds nothing in the list of verdicts: ${theme}`, async ({ linked: page, files }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await openAt(page, await writeWork(files.path), 'event=3')
    await page.locator('.list-scroll').focus()
    await page.keyboard.press('C')
    const list = page.getByRole('grid', { name: 'Verdicts of the session' })
    await list.focus()
    await page.keyboard.press('h')
    await page.setViewportSize({ width: 1024, height: 768 })
    await expectAccessible(page, 'verdicts')
  })
