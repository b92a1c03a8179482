import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './helpers/serve.ts'

const SOURCES = ['a', 'b', 'c', 'd', 'e'] as const
const DOMAINS = `domains:
  - name: first
    priority: 1
    signals:
      - loud # fires everywhere
  - name: second
    priority: 2
    signals:
      - id: true-word
        pattern: true_word
`

test('[L96] [L98] weights that win on held folds go into the draft by a click, and nothing is saved', async ({
  placed: page,
  served: { workspace },
}) => {
  const domains = join(workspace, 'profiles/domains/two.yaml')
  await mkdir(join(workspace, 'profiles/domains'), { recursive: true })
  await mkdir(join(workspace, 'labels'), { recursive: true })
  await writeFile(domains, DOMAINS)
  const session = join(workspace, 'session.jsonl')
  await writeFile(session, `${JSON.stringify({ role: 'user', content: 'loud true_word' })}\n`)
  const labelled = SOURCES.flatMap((source) =>
    [1, 2, 3, 4].map((nth) => {
      const text = `loud true_word ${nth}${source}`
      return { type: 'text', text, primary: 'second', source }
    }),
  )
  const lines = labelled.map((one) => `${JSON.stringify(one)}\n`)
  await writeFile(join(workspace, 'labels/cases.jsonl'), lines.join(''))
  const { origin } = new URL(page.url())
  const link = `s=path:${session}&preset=recommended&domains=two`
  await page.goto(`${origin}/?weights#${link}&turn=1&dock=lab&study=weights`)

  await expect(page.getByText('20 become right, 0 wrong')).toBeVisible()
  const rows = page.getByRole('tabpanel', { name: 'Weights' }).getByRole('row')
  await expect(rows.filter({ hasText: 'signal 1' })).toContainText('20')
  const take = page.getByRole('button', { name: 'Take 2 weights into the draft' })
  await take.focus()
  await page.keyboard.press('Enter')
  // Under the draft nothing is left to become right.
  await expect(page.getByText('0 become right, 0 wrong')).toBeVisible()
  await expect(take).toHaveCount(0)
  await page.keyboard.press('T')
  await expect(page.locator('.draft-file')).toContainText('unsaved')
  await expect(page.locator('.cm-content')).toContainText('weight: 0.')
  await expect(page.locator('.cm-content')).toContainText('# fires everywhere')
  expect(await readFile(domains, 'utf8')).toBe(DOMAINS)
})
