import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessible } from './helpers/axe.ts'
import {
  askFromPalette,
  dialog,
  inspector,
  openAt,
  region,
  timeline,
  writeSession,
} from './helpers/coach.ts'
import { todays } from './helpers/rotation.ts'
import { expect, test } from './helpers/serve.ts'

test.use({ shown: 'all', timezoneId: 'UTC', colorScheme: 'dark' })

test('off by default: verdicts by the rules, the lane says them, nothing is sent', async ({
  linked: page,
  files,
}) => {
  const file = await writeSession(files.path)
  await openAt(page, file, 'event=3')
  await expect(inspector(page)).toContainText('The selected output')
  await expect(inspector(page).locator('.verdict-title')).toContainText('status')
  await expect(region(page, 'The agent receives')).toContainText(/\[System Coach\].*should work/su)
  await expect(region(page, 'Output')).toContainText('a finding is missing')
  await expect(region(page, 'Output').locator('mark.cmark-missing')).toContainText('should work')
  await expect(region(page, 'Request and answer')).toContainText('Nothing was sent.')
  await expect(region(page, 'Request and answer')).toContainText('The model is off.')
  await expect(page.getByRole('button', { name: 'About this output' })).toBeDisabled()
  await expect(page.locator('.tl-row-coach')).toContainText('verdicts')
  // The lane places an output at the turn that it follows; selecting that turn shows the same output.
  await page.locator('.list-scroll').focus()
  await page.keyboard.press('k')
  await expect(inspector(page)).toContainText('The output that follows the selection')
  await expect(page.locator('.coach-output')).toContainText('should work')
  await expect(timeline(page)).toHaveAttribute(
    'aria-valuetext',
    /verdict: status 0\.90, sent back/u,
  )
})

test('what the agent receives never holds the internal reason (L35)', async ({
  linked: page,
  files,
}) => {
  await openAt(page, await writeSession(files.path), 'event=1')
  const reason = await page.locator('.coach-internal').textContent()
  const told = reason?.replace('internal reason', '').trim() ?? ''
  expect(told.length).toBeGreaterThan(5)
  await expect(page.getByLabel('Coaching as it is sent')).not.toContainText(told)
})

test('[V81] why the rules judged so: sentence by sentence, with what a model would add', async ({
  linked: page,
  files,
}) => {
  await openAt(page, await writeSession(files.path), 'event=3')
  const why = region(page, 'Sentence by sentence')
  await expect(why).toContainText('only guesses that it works')
  const rows = why.getByRole('row')
  await expect(rows.nth(1)).toContainText('I changed the retry limit in src/retry.ts.')
  await expect(rows.nth(1)).toContainText('for: path')
  await expect(rows.nth(2)).toContainText('claim, a guess')
  await expect(rows.nth(2)).toHaveClass('coach-decided')
  await expect(why).toContainText('A model would')
  await page.getByRole('button', { name: 'Next output' }).click()
  await expect(why).toContainText('evidence speaks for it')
  await expect(why).toContainText('for: 12 passed')
})

test('proof is marked; a kind of mark is pointed at by its button', async ({
  linked: page,
  files,
}) => {
  await openAt(page, await writeSession(files.path), 'event=5')
  await expect(inspector(page).locator('.verdict-title')).toContainText('completion')
  await page.getByRole('button', { name: /^test output \d/u }).click()
  await expect(page.locator('.coach-output .cmark-focus').first()).toContainText('Tests:')
  await page.getByRole('button', { name: 'Next output' }).click()
  await expect(inspector(page).locator('.verdict-title')).toContainText('question')
})

test('a label is kept, shown against the verdict, and taken away', async ({
  linked: page,
  files,
}) => {
  await openAt(page, await writeSession(files.path), 'event=3')
  const label = region(page, 'Your label')
  await label.getByRole('button', { name: 'question' }).click()
  await expect(label.getByRole('button', { name: 'question' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(label).toContainText('verdict says status')
  await label.getByLabel('Note to the label').fill('the person must decide')
  await label.getByRole('button', { name: 'Keep the note' }).click()
  await expect(label.getByRole('button', { name: 'Keep the note' })).toBeDisabled()
  await expect(inspector(page)).toContainText('1 labelled')
  await page.reload()
  await expect(label.getByLabel('Note to the label')).toHaveValue('the person must decide')
  await label.getByRole('button', { name: 'question' }).click()
  await expect(inspector(page)).toContainText('0 labelled')
})

test('asking for all says why it cannot be while the model is off', async ({
  linked: page,
  files,
}) => {
  await openAt(page, await writeSession(files.path), 'event=3')
  await askFromPalette(page, 'all outputs')
  const run = dialog(page, 'Ask the model about all outputs')
  await expect(run).toContainText('The model is off.')
  await expect(run.getByRole('button', { name: /^Make/u })).toBeDisabled()
})

test('lab: an edited rule changes verdicts, a cell lists its rows, save writes the file, discard does not', async ({
  placed: page,
  served,
}) => {
  await openAt(page, await writeSession(served.workspace), 'event=3')
  await page.keyboard.press('v')
  const lab = dialog(page, 'Coach lab')
  const scores = lab.getByRole('region', { name: 'Agreement with labels' })
  await expect(scores).toContainText(/Same type as the label\s*\d+ of \d+/u)
  await expect(scores).toContainText(/Rejects that were passed\s*\d+ of \d+/u)
  const editor = lab.getByRole('textbox', { name: 'Rules' })
  await expect(editor).toBeFocused()
  const text = await editor.inputValue()
  await editor.fill(text.replaceAll('kind: hedge', 'kind: courtesy'))
  await expect(lab.getByRole('button', { name: /^Changed [1-9]/u })).toBeVisible()
  await lab.getByRole('button', { name: /^Changed/u }).click()
  const rows = lab.getByRole('region', { name: 'Rows of the lab' })
  await expect(rows.getByRole('button').first()).toContainText('→')
  await lab.getByRole('button', { name: /labelled completion, judged completion/u }).click()
  await expect(rows.getByRole('button').first()).toContainText('label completion')
  await rows.getByRole('button').first().click()
  await expect(rows.getByLabel('Beginning of the output').first()).toBeVisible()
  await lab.getByRole('button', { name: 'Discard' }).click()
  await expect(editor).toHaveValue(text)
  await editor.fill(`${text}\nnonsense: [`)
  await expect(lab).toContainText('This draft cannot be run')
  await editor.fill(`# ours\n${text}`)
  await lab.getByRole('button', { name: 'Save into the workspace' }).click()
  await expect(lab).toContainText('as on disk')
  const saved = await readFile(join(served.workspace, 'prompts/coach/rules.yaml'), 'utf8')
  expect(saved.startsWith('# ours\n')).toBe(true)
})

test('lab: the selected output alone, and a labelled row opens its session', async ({
  linked: page,
  files,
}) => {
  await openAt(page, await writeSession(files.path), 'event=5')
  await region(page, 'Your label').getByRole('button', { name: 'status' }).click()
  await expect(inspector(page)).toContainText('1 labelled')
  await page.locator('.list-scroll').focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('v')
  const lab = dialog(page, 'Coach lab')
  await lab.getByRole('button', { name: 'Selected output' }).click()
  await expect(lab.getByLabel('Beginning of the output')).toContainText('should work now')
  await lab.getByRole('button', { name: 'This session’s labels' }).click()
  await expect(lab.getByRole('region', { name: 'Agreement with labels' })).toContainText('0 of 1')
  await lab.getByRole('button', { name: 'Open it' }).click()
  await expect(lab).toHaveCount(0)
  await expect(inspector(page)).toContainText('The selected output')
  await expect(page.locator('.coach-output')).toContainText('4f9e2ab')
})

test('a session without agent output is told so, and has no lane', async ({
  linked: page,
  files,
}) => {
  const path = join(files.path, 'silent.jsonl')
  const head = JSON.stringify({ type: 'session', schemaVersion: 1, id: 'silent', title: 'Silent' })
  await writeFile(path, `${head}\n${JSON.stringify({ kind: 'user', text: 'Hello?' })}\n`)
  await page.goto(`${new URL(page.url()).origin}/?x#s=path:${path}&tab=coach`)
  await expect(inspector(page)).toContainText('Nothing to judge')
  await expect(page.locator('.tl-row-coach')).toHaveCount(0)
})

for (const theme of todays(['dark', 'light'] as const))
  test(`axe finds nothing in the coach: ${theme}`, async ({ linked: page, files }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    const check = (what: string) => expectAccessible(page, what)
    const file = await writeSession(files.path)
    for (const event of [1, 5]) {
      await openAt(page, file, `event=${event}`)
      await check(`event ${event}`)
    }
    await askFromPalette(page, 'all outputs')
    await expect(page.locator('.coach-sum').first()).toBeVisible()
    await check('batch')
    await page.keyboard.press('Escape')
    await page.keyboard.press('V')
    await dialog(page, 'Coach').getByText('Ask a model').click()
    await expect(page.getByLabel('Key', { exact: true }).last()).toBeVisible()
    await check('settings')
    await page.keyboard.press('Escape')
    await page.keyboard.press('v')
    await expect(page.locator('.lab-matrix')).toBeVisible()
    await check('lab')
  })
