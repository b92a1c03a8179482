import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ROOT } from '../scripts/build.ts'
import { expectAccessible } from './helpers/axe.ts'
import { type Served, expect, test } from './helpers/serve.ts'

test.use({ timezoneId: 'UTC' })

const FIXTURES = join(ROOT, 'fixtures/lab')

/** A labelled session under a preset whose margin is 9: wherever two domains compete, the text is ambiguous. */
async function openDoubt(page: Page, { workspace }: Served, more: string): Promise<void> {
  await mkdir(join(workspace, 'profiles/domains'), { recursive: true })
  await mkdir(join(workspace, 'profiles/presets'), { recursive: true })
  await copyFile(join(FIXTURES, 'domains.yaml'), join(workspace, 'profiles/domains/lab.yaml'))
  const session = join(workspace, 'session.jsonl')
  const lines = await readFile(join(FIXTURES, 'session.jsonl'), 'utf8')
  // Two domains of the file, one signal each: a tie.
  const tie = JSON.stringify({ kind: 'user', text: 'Fix it, then commit' })
  await writeFile(session, `${lines.trimEnd()}\n${tie}\n`)
  await copyFile(join(FIXTURES, 'session.labels.jsonl'), join(workspace, 'session.labels.jsonl'))
  const preset = await readFile(join(ROOT, 'profiles/presets/recommended.yaml'), 'utf8')
  await writeFile(
    join(workspace, 'profiles/presets/doubt.yaml'),
    preset
      .replace('name: recommended', 'name: doubt')
      .replace('abstainMargin: null', 'abstainMargin: 9'),
  )
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?doubt#s=path:${session}&preset=doubt&domains=lab&${more}`)
  await expect(page.locator('.verdict').first()).toBeVisible()
}

test('[B23] [B24] lane, list and Decision show ambiguous turns', async ({
  placed: page,
  served,
}) => {
  await openDoubt(page, served, 'turn=7')
  await expect(page.locator('.verdict-chips', { hasText: 'ambiguous' })).toHaveCount(1)
  await expect(page.locator('.margin')).toContainText(/bugfix or git_ops|git_ops or bugfix/u)
  await expect(page.locator('.margin')).toContainText('a lead of 0 against a margin of 9')
  await expect(page.locator('.tl-row-ambiguous')).toContainText('1')
})

test('[L95] Lab, Metrics: what abstaining would answer; a row puts its margin into the draft', async ({
  placed: page,
  served,
}) => {
  await openDoubt(page, served, 'turn=1&dock=lab&study=metrics')
  const section = page.locator('section', { hasText: 'If it abstained' }).last()
  await expect(section).toContainText('ties only')
  await expectAccessible(page, 'metrics with risk and coverage', '.dock')
  const row = section.getByRole('button', { name: 'Try a margin in the draft: below 2' })
  await row.click()
  await expect(row).toHaveText('In the draft')
  await row.click()
  await expect(row).toHaveText('Try')
})
