import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../scripts/build.ts'
import { expect, test } from './helpers/serve.ts'

const FIXTURES = join(ROOT, 'fixtures/lab')
const SOURCES = ['a', 'b', 'c', 'd', 'e'] as const

/** Labeled texts of five sources. In each of them the same words indicate the same domain. */
const cases = (text: string, primary: string) =>
  SOURCES.flatMap((source) =>
    [1, 2, 3].map((nth) => ({ type: 'text', text: `${text} ${nth}${source}`, primary, source })),
  )

test('[L93] [L101] proposals by keyboard: a takes one into the draft with id and note, x turns one down, the list shrinks', async ({
  placed: page,
  served: { workspace },
}) => {
  const domains = join(workspace, 'profiles/domains/lab.yaml')
  await mkdir(join(workspace, 'profiles/domains'), { recursive: true })
  await mkdir(join(workspace, 'labels'), { recursive: true })
  await copyFile(join(FIXTURES, 'domains.yaml'), domains)
  const session = join(workspace, 'session.jsonl')
  await copyFile(join(FIXTURES, 'session.jsonl'), session)
  const labelled = [
    ...cases('squash', 'git_ops'),
    ...cases('outage', 'bugfix'),
    ...cases('hello there', 'conversation'),
  ]
  const lines = labelled.map((one) => `${JSON.stringify(one)}\n`)
  await writeFile(join(workspace, 'labels/cases.jsonl'), lines.join(''))
  const { origin } = new URL(page.url())
  const link = `s=path:${session}&preset=recommended&domains=lab`
  await page.goto(`${origin}/?proposals#${link}&turn=1&dock=lab&study=proposals`)

  const list = page.getByRole('listbox', { name: 'Proposed signals' })
  const rows = list.getByRole('option')
  await expect(rows.first()).toBeVisible()
  const before = await rows.count()
  expect(before).toBeGreaterThanOrEqual(2)
  const patternOf = async (nth: number) => (await rows.nth(nth).locator('code').textContent()) ?? ''
  const taken = await patternOf(0)
  const turnedDown = await patternOf(1)

  await list.focus()
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('x')
  await expect(rows).toHaveCount(before - 1)
  await expect(list).not.toContainText(turnedDown)
  await expect(page.getByText('1 signal turned down.')).toBeVisible()

  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('a')
  // The accepted proposal is a signal of the draft, so it is no longer proposed.
  await expect(page.getByText(taken, { exact: true })).toHaveCount(0)
  await expect(page.getByText('1 signal turned down.')).toBeVisible()

  await page.keyboard.press('T')
  const editor = page.locator('.cm-content')
  await expect(page.locator('.draft-file')).toContainText('unsaved')
  await page.getByRole('searchbox', { name: 'Filter signals' }).fill(taken)
  const signal = page.getByRole('grid', { name: 'Signals of the draft' }).getByRole('row').nth(1)
  await expect(signal).toContainText('+')
  await expect(signal).toHaveAttribute(
    'title',
    /^proposed from labels: right \d+, broken 0 of \d+/u,
  )
  await signal.click()
  await expect(editor).toContainText(/id: ["']?(?:squash|outage)/u)
  await expect(editor).toContainText(/note: .*proposed from labels: right/u)
  await expect(editor).not.toContainText(turnedDown)
  // [L101] From now on figures on these labels are marked.
  await page.getByRole('searchbox', { name: 'Filter signals' }).fill('')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Lab', exact: true }).click()
  await page.getByRole('tab', { name: 'Metrics' }).click()
  const basis = page.getByRole('list', { name: 'What the figures stand on' }).first()
  await expect(basis).toContainText('signals were made from these: 45 of 45 turns')
  await expect(basis).toContainText('of 5 sources, 5 folds of whole sources: right')
  await expect(basis).toContainText('reader agreement unknown')
  // Nothing is saved by a key.
  expect(await readFile(domains, 'utf8')).toBe(
    await readFile(join(FIXTURES, 'domains.yaml'), 'utf8'),
  )
})
