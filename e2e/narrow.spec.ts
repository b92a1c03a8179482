import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { todays } from './helpers/rotation.ts'
import { expect, test } from './helpers/serve.ts'

async function writeMixed(folder: string): Promise<string> {
  const lines = [
    { type: 'session', schemaVersion: 1, id: 'mixed', title: 'Mixed' },
    { kind: 'user', text: 'שלום, תקן את הבאג ב-parser.ts בבקשה' },
    { kind: 'agent', text: '修复了解析器。 مرحبا' },
    { kind: 'user', text: 'Thanks.' },
  ]
  const path = join(folder, 'mixed.jsonl')
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

test('[U63] a text of the right-to-left kind stands at the right, others at the left', async ({
  linked: page,
  files,
}) => {
  await page.goto(`${new URL(page.url()).origin}/?x#s=path:${await writeMixed(files.path)}`)
  const texts = page.locator('.row-text')
  await expect(texts.first()).toContainText('שלום')
  const directions = await texts.evaluateAll((all) =>
    all.map((one) => getComputedStyle(one).direction),
  )
  expect(directions.slice(0, 3)).toEqual(['rtl', 'ltr', 'ltr'])
})

test('[U63] for letters that the bundled fonts lack, fonts of systems are named', async ({
  linked: page,
  files,
}) => {
  await page.goto(`${new URL(page.url()).origin}/?x#s=path:${await writeMixed(files.path)}`)
  const text = page.locator('.row-text').nth(1)
  await expect(text).toContainText('修复了解析器')
  const family = await text.evaluate((row) => getComputedStyle(row).fontFamily)
  for (const name of [
    'Noto Sans CJK',
    'PingFang',
    'Microsoft YaHei',
    'Noto Sans Hebrew',
    'Noto Sans Arabic',
  ])
    expect(family, name).toContain(name)
})

/** Below 700 px, on a telephone, and 1440 by 900 at 200 %: half of the points, each of four pixels. */
for (const [width, height, deviceScaleFactor] of todays([
  [600, 900, 1],
  [390, 844, 2],
  [720, 450, 2],
] as const))
  test.describe(`${width} by ${height}`, () => {
    test.use({ viewport: { width, height }, deviceScaleFactor })
    test(`[U64] [U112] at ${width} by ${height} everything can be reached, and nothing is cut off sideways`, async ({
      linked: page,
      files,
    }) => {
      await page.goto(
        `${new URL(page.url()).origin}/?x#s=path:${await writeMixed(files.path)}&event=0`,
      )
      await expect(page.locator('.row-text').first()).toBeVisible()
      for (const part of [
        '.header .picker-profile',
        '.inspector [role=tab]',
        '.row-text',
        '.tl-row-roles, [role=slider]',
      ]) {
        const one = page.locator(part).first()
        await one.scrollIntoViewIfNeeded()
        const box = await one.boundingBox()
        expect(box, part).not.toBeNull()
        expect(box?.x, part).toBeGreaterThanOrEqual(0)
        expect((box?.x ?? 0) + Math.min(box?.width ?? 0, 60), part).toBeLessThanOrEqual(width)
        expect(box?.y, part).toBeLessThan(height)
      }
      const list = await page.locator('.list-scroll').boundingBox()
      const inspector = await page.locator('.inspector').boundingBox()
      if (width < 700) expect(inspector?.y ?? 0).toBeGreaterThan(list?.y ?? Infinity)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        width,
      )
    })
  })
