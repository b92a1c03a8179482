import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../scripts/build.ts'
import { expectAccessible } from './helpers/axe.ts'
import { expect, test } from './helpers/serve.ts'

const SHOP = join(ROOT, 'fixtures/skills')

test('[K12] [K18] [K19] skill rules: chosen in the header, tuned, saved with their comments', async ({
  placed: page,
  served,
}) => {
  await cp(SHOP, served.workspace, { recursive: true })
  const session = join(served.workspace, 'shop.jsonl')
  const rules = join(served.workspace, '.claude/skills/skill-rules.json')
  const before = await readFile(rules, 'utf8')
  await page.goto(`${served.origin}/?skills#s=path:${session}&turn=5&preset=recommended`)
  await expect(page.locator('.verdict').first()).toBeVisible()

  await page.getByRole('button', { name: /^domains/u }).click()
  await page.getByRole('menuitemradio', { name: /skill-rules/u }).click()
  const row = page.locator('#event-8')
  await expect(row).toContainText('secrets')
  await expect(row).toContainText('+ docs')
  await expect(page).toHaveURL(/domains=skill-rules/u)
  await expectAccessible(page, 'skill rules in the list')

  await page.goto(`${served.origin}/?tune#s=path:${session}&turn=5&domains=skill-rules&dock=tune`)
  const table = page.getByRole('grid', { name: 'Signals of the draft' })
  await table.getByRole('row', { name: /readme/u }).click()
  await page.locator('.signals-scroll').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('"readme"')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.type('"guide"')
  await expect(page.locator('.flip-words')).toContainText('1 of 7 turns flip')
  await page.keyboard.press('ControlOrMeta+s')
  await expect.poll(() => readFile(rules, 'utf8')).toBe(before.replace('"readme"', '"guide"'))
  await expect(page.locator('#event-8')).not.toContainText('+ docs')
})

test('[K24] the decision names edited files, and the file triggers that fire on them', async ({
  placed: page,
  served,
}) => {
  await cp(SHOP, served.workspace, { recursive: true })
  const session = join(served.workspace, 'shop.jsonl')
  const lines = (await readFile(session, 'utf8')).trim().split('\n')
  const args = { file_path: 'src/api/refunds.ts', new_string: 'router.post("/refunds")' }
  const call = { kind: 'tool_call', name: 'Edit', text: JSON.stringify(args) }
  const edited = [...lines.slice(0, 2), JSON.stringify(call), ...lines.slice(2)]
  await writeFile(session, `${edited.join('\n')}\n`)
  const link = `s=path:${session}&turn=1&preset=recommended&domains=skill-rules`
  await page.goto(`${served.origin}/?edited#${link}`)
  const files = page.getByRole('region', { name: 'Edited files' })
  await expect(files).toContainText('src/api/refunds.ts')
  await expect(files).toContainText('fires: the text matches router\\.(get|post)')
  await expectAccessible(page, 'edited files')
  await files.getByRole('button').press('Enter')
  await expect(page.locator('#event-1')).toHaveAttribute('aria-selected', 'true')
})
