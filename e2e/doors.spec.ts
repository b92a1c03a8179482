import { expect, test } from './helpers/serve.ts'

/** A session of two messages; the record of the first has `levels` lists in each other. */
function nested(levels: number): string {
  const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`
  const first = JSON.stringify({ kind: 'user', text: 'Fix the crash in parse_config' })
  return [
    JSON.stringify({ type: 'session', schemaVersion: 1, id: 's1', title: 'Deep' }),
    `${first.slice(0, -1)},"data":{"deep":${deep}}}`,
    JSON.stringify({ kind: 'user', text: 'Write a python function' }),
    '',
  ].join('\n')
}

test('[U13] [U14] a record of 60,000 levels opens in Raw, also after a reload', async ({
  linked: page,
  files,
}) => {
  const path = await files.write('deep.jsonl', nested(60_000))
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?deep#s=path:${encodeURIComponent(path)}&turn=1&tab=raw`)
  const record = page.getByLabel('Record', { exact: true })
  await expect(record).toContainText('levels more')
  await page.reload()
  await expect(record).toContainText('levels more')
  await page.getByRole('row', { name: /python function/u }).click()
  await expect(record).toContainText('Write a python function')
})

test('[U15] a load that never answered again is not repeated', async ({ linked: page, files }) => {
  const path = await files.write('deep.jsonl', nested(3))
  const { origin } = new URL(page.url())
  await page.evaluate(() => sessionStorage.setItem('turnscope.restoring', 'a load before'))
  await page.goto(`${origin}/?hung#s=path:${encodeURIComponent(path)}&turn=1&tab=raw`)
  await expect(page.getByText(/Tab raw: the page failed/u)).toBeVisible()
  await expect(page.locator('.verdict')).toContainText('Turn 1')
})

test('[U16] [U17] big names are cut, and hidden characters of names and texts are seen', async ({
  linked: page,
  files,
}) => {
  const big = 'n'.repeat(6000)
  const lines = [
    { type: 'session', schemaVersion: 1, id: 's1', title: `first ${big}` },
    { kind: 'user', text: 'Fix the crash in invoice\u202Efdp.exe' },
    { kind: 'tool_call', name: `tool\u202E${big}`, text: '{}' },
    { type: 'session', schemaVersion: 1, id: 's2', title: `second\u2066 ${big}` },
    { kind: 'user', text: 'Write a python function' },
  ].map((line) => JSON.stringify(line))
  const path = await files.write('a\u202Elnosj.jsonl', `${lines.join('\n')}\n`)
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?names#s=path:${encodeURIComponent(path)}&turn=1&show=all`)
  await expect(page.locator('.verdict')).toContainText('Turn 1')
  await expect(page.locator('.row-text').first()).toContainText('invoice⟨U+202E⟩fdp.exe')
  await expect(page.locator('.status-name')).toHaveText('a⟨U+202E⟩lnosj.jsonl')
  const longest = () =>
    page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      let most = 0
      while (walker.nextNode()) {
        const { nodeValue, parentElement } = walker.currentNode
        // The state that a turn writes is a text of many lines, and no name.
        if (parentElement?.closest('pre') === null) most = Math.max(most, nodeValue?.length ?? 0)
      }
      return { most, hidden: /[\u202A-\u202E\u2066-\u2069]/u.test(document.body.innerText) }
    })
  expect(await longest()).toEqual({ most: expect.any(Number), hidden: false })
  expect((await longest()).most).toBeLessThan(1000)
  await page
    .locator('.header')
    .getByRole('button', { name: /^session/u })
    .click()
  await expect(page.locator('.menu').getByText(/^second⟨U\+2066⟩ n+…n+$/u)).toBeVisible()
  expect((await longest()).most).toBeLessThan(1000)
  // The whole name is one tooltip away.
  expect(await page.locator(`[title*="${'n'.repeat(5900)}"]`).count()).toBeGreaterThan(0)
})
