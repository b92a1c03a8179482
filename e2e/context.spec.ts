import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../scripts/build.ts'
import { expectAccessible } from './helpers/axe.ts'
import { expect, test } from './helpers/serve.ts'

const FIXTURE = join(ROOT, 'fixtures/import/claude-code/context.jsonl')

test('[X12] [X15] the Context tab and its lane show what was in the context of each call', async ({
  placed: page,
  served,
}) => {
  const session = join(served.workspace, 'session.jsonl')
  await copyFile(FIXTURE, session)
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?context#s=path:${session}&preset=recommended&turn=3`)
  await expect(page.locator('.verdict').first()).toBeVisible()
  await expect(page.locator('.tl-row-context')).toHaveCount(0)

  await page.keyboard.press('q')
  const parts = page.getByRole('table', { name: 'Parts of the context' })
  await expect(parts).toContainText('system prompt and tools (not in the file)')
  await expect(parts.getByRole('row', { name: /rule docs\.md/u })).toContainText('new')
  await expect(page.locator('.context-figures')).toContainText('14,403 tokens')
  await expect(page.locator('.context-figures')).toContainText('7.2 % of 200,000')

  // The lane came with its tab, and says the same.
  const lane = page.locator('.tl-row-context')
  await expect(lane).toContainText('14,403')
  const slider = page.getByRole('slider', { name: 'Timeline of turns' })
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    /context: 14,403 tokens \(7\.2 % of the window\)/u,
  )
  const row = await lane.boundingBox()
  const plot = await slider.boundingBox()
  if (row === null || plot === null) throw new Error('the lane has no place')

  // The last column: a click selects its call, behind the compaction.
  const turns = Number(await slider.getAttribute('aria-valuemax'))
  const column = plot.width / Math.max(8, turns)
  const place = { x: plot.x + column * (turns - 0.5), y: row.y + row.height - 4 }
  await page.mouse.move(place.x, place.y)
  await expect(page.locator('.tl-tip')).toContainText('Call 4 of 4')
  await expect(page.locator('.tl-tip')).toContainText('compacted from 14,703')
  await page.mouse.click(place.x, place.y)
  await expect(page.locator('.context-figures')).toContainText('10,204 tokens')
  await expect(page.locator('.warning').first()).toContainText('was compacted before this call')
  await expectAccessible(page, 'context tab and lane')

  // Without its tab it is chosen in the menu of lanes.
  await page.getByRole('button', { name: 'Lanes' }).click()
  await page.getByRole('menuitemcheckbox', { name: /^context/u }).click()
  await expect(lane).toHaveCount(0)
})
