import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ROOT } from '../scripts/build.ts'
import { type Served, expect, test } from './helpers/serve.ts'

const FIXTURES = join(ROOT, 'fixtures/lab')

/** A workspace with two domain files, two sessions, and labels; returns the link to the first session. */
async function makeWorkspace({ workspace }: Pick<Served, 'workspace'>): Promise<string> {
  await mkdir(join(workspace, 'profiles/domains'), { recursive: true })
  const domains = await readFile(join(FIXTURES, 'domains.yaml'), 'utf8')
  await writeFile(join(workspace, 'profiles/domains/lab.yaml'), domains)
  const other = domains.replace(String.raw`\bplan\b`, String.raw`\bthe\b`)
  await writeFile(join(workspace, 'profiles/domains/other.yaml'), other)
  for (const name of ['session.jsonl', 'session.labels.jsonl'])
    await copyFile(join(FIXTURES, name), join(workspace, name))
  return `s=path:${join(workspace, 'session.jsonl')}`
}

const choose = async (page: Page, picker: string, name: string) => {
  await page
    .getByRole('button', { name: new RegExp(`^${picker}`, 'u') })
    .first()
    .click()
  await page
    .getByRole('menuitemradio', { name: new RegExp(`^${name}`, 'u') })
    .first()
    .click()
}

const PANELS = ['tune', 'lab', 'label', 'flips'] as const

/** The text of a panel, once all of its requests are done. */
async function settledText(page: Page, panel: (typeof PANELS)[number]): Promise<string> {
  const tab = page.locator(`.dock [role="tab"]`, { hasText: new RegExp(`^${panel}`, 'iu') }).first()
  // A click on the open tab closes the dock.
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click()
  const dock = page.locator('.dock-panel')
  await expect(dock.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(dock).toHaveText(/\S/u)
  await expect(dock).not.toContainText('Updating')
  await expect(page.locator('.corpus-count')).toHaveAttribute('aria-busy', 'false')
  return (await dock.innerText()).replaceAll(/Edited|just now|\d+ (?:s|min) ago/gu, '')
}

test('[U220] after another domain file, preset or profile the lab shows what it shows after a reload', async ({
  workbench: page,
  served,
}) => {
  const link = await makeWorkspace(served)
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?1#${link}&turn=1&preset=recommended&domains=lab&dock=tune`)
  await expect(page.locator('.verdict').first()).toBeVisible()
  await settledText(page, 'tune')
  for (const [picker, name] of [
    ['domains', 'other'],
    ['preset', 'field'],
    ['profile', 'granite'],
  ] as const) {
    await choose(page, picker, name)
    const shown: string[] = []
    for (const panel of PANELS) shown.push(await settledText(page, panel))
    await page.reload()
    await expect(page.locator('.verdict').first()).toBeVisible()
    const reloaded: string[] = []
    for (const panel of PANELS) reloaded.push(await settledText(page, panel))
    expect(shown).toEqual(reloaded)
  }
})

test('[U221] [U223] digits label only while Label has the keyboard; Ctrl+Z takes the label back', async ({
  workbench: page,
  served,
}) => {
  const link = await makeWorkspace(served)
  const labels = join(served.workspace, 'session.labels.jsonl')
  const { origin } = new URL(page.url())
  const before = await readFile(labels, 'utf8')
  await page.goto(`${origin}/?1#${link}&turn=5&preset=recommended&domains=lab&dock=label`)
  await expect(page.locator('.label-choice').first()).toBeVisible()
  await page.keyboard.press('3')
  await expect(page.getByRole('tab', { name: /^Momentum/u, selected: true })).toBeVisible()
  expect(await readFile(labels, 'utf8')).toBe(before)
  await page.keyboard.press('L')
  await expect(page.getByText('Keys 1 – 9 label this turn')).toBeVisible()
  const primary = page.getByRole('group', { name: 'Primary of this turn' })
  const pressed = primary.getByRole('button', { pressed: true })
  const was = (await pressed.first().textContent()) ?? ''
  await page.keyboard.press('4')
  await expect(pressed.first()).not.toHaveText(was)
  await page.keyboard.press('Control+z')
  await expect(pressed.first()).toHaveText(was)
})

test('[U221] a sentence typed after O is a text, and no shortcut runs', async ({
  workbench: page,
  served,
}) => {
  const link = await makeWorkspace(served)
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?1#${link}&turn=1&preset=recommended&domains=lab`)
  await expect(page.locator('.verdict').first()).toBeVisible()
  await page.keyboard.press('O')
  const field = page.getByRole('textbox', { name: 'Message to try' })
  await expect(field).toBeFocused()
  await page.keyboard.type('ask all Questions, plan the library')
  await expect(field).toHaveValue('ask all Questions, plan the library')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('[U224] a link shows the same turn in a window that used another domain file before', async ({
  workbench: page,
  served,
}) => {
  const link = await makeWorkspace(served)
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/?1#${link}&turn=5&preset=recommended&domains=lab`)
  await expect(page.locator('.verdict').first()).toBeVisible()
  const title = page.locator('.inspector .verdict-title')
  await expect(page.locator('.inspector .verdict')).toContainText('Turn 5')
  const decided = (await title.textContent()) ?? ''
  expect(decided).not.toBe('')
  const { hash } = new URL(page.url())
  expect(hash).toContain('domains=lab')
  // The same browser, so it has the key. Its last choice is another file.
  const second = await page.context().newPage()
  await second.goto(`${origin}/?2#${link}&turn=1&preset=recommended&domains=lab`)
  await expect(second.locator('.verdict').first()).toBeVisible()
  await choose(second, 'domains', 'other')
  await expect(second).toHaveURL(/domains=other/u)
  const third = await page.context().newPage()
  await third.goto(`${origin}/?3${hash}`)
  await expect(third.locator('.inspector .verdict-title')).toHaveText(decided)
  // An old link, without a domain file, means the default one.
  await third.goto(`${origin}/?4#${link}&turn=5`)
  await expect(third.locator('.verdict').first()).toBeVisible()
  await expect(third).toHaveURL(/domains=default/u)
  await third.goto(`${origin}/?5#${link}&turn=5&preset=recommended&domains=gone`)
  await expect(third.getByText('this workspace has no domain file gone')).toBeVisible()
})
