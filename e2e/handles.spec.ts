import type { Page } from '@playwright/test'
import { keyOf } from '../fixtures/key.ts'
import { expect, startTurnscope, test } from './helpers/serve.ts'
import { repeatedSample } from './helpers/sessions.ts'

/** The answer of the browser's own permission prompt, and the number of prompts; kept over a reload. */
interface Permission {
  state: PermissionState
  asked: number
}
const NAME = 'live.jsonl'

/**
 * A real file with a real handle, of the browser's own file system, in place of the dialog that no script
 * can answer. `prompt`: as files of the machine are after a reload.
 */
async function withPicker(page: Page): Promise<void> {
  await page.addInitScript((name) => {
    const file = async () => {
      const root = await navigator.storage.getDirectory()
      return root.getFileHandle(name)
    }
    Object.assign(globalThis, { showOpenFilePicker: async () => [await file()] })
    Object.assign(DataTransferItem.prototype, { getAsFileSystemHandle: file })
    const read = (): Permission =>
      JSON.parse(
        localStorage.getItem('permission') ?? '{"state":"granted","asked":0}',
      ) as Permission
    const queryPermission = () => Promise.resolve(read().state)
    const requestPermission = () => {
      const permission = read()
      // As a browser: only right after a key or a click.
      if (!navigator.userActivation.isActive)
        throw new DOMException('no activation', 'SecurityError')
      const state = permission.state === 'denied' ? 'denied' : 'granted'
      localStorage.setItem('permission', JSON.stringify({ state, asked: permission.asked + 1 }))
      return Promise.resolve(state)
    }
    Object.assign(FileSystemHandle.prototype, { queryPermission, requestPermission })
  }, NAME)
}

function setPermission(page: Page, state: PermissionState): Promise<void> {
  return page.evaluate(
    (given) => localStorage.setItem('permission', JSON.stringify({ state: given, asked: 0 })),
    state,
  )
}

const asked = (page: Page) =>
  page.evaluate(
    () => (JSON.parse(localStorage.getItem('permission') ?? '{"asked":0}') as Permission).asked,
  )

/** Writes the file like its writer: all of it, or at its end. */
function write(page: Page, text: string, how: 'append' | 'replace'): Promise<void> {
  return page.evaluate(
    async ({ name, data, keep }) => {
      const root = await navigator.storage.getDirectory()
      const handle = await root.getFileHandle(name, { create: true })
      const { size } = await handle.getFile()
      const file = await handle.createWritable({ keepExistingData: keep })
      if (keep) await file.seek(size)
      await file.write(data)
      await file.close()
    },
    { name: NAME, data: text, keep: how === 'append' },
  )
}

async function start(page: Page, origin: string): Promise<void> {
  await withPicker(page)
  await page.goto(`${origin}/?handles`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await write(page, await repeatedSample(1), 'replace')
}

const status = (page: Page) => page.locator('.status')
const follow = (page: Page) => page.getByRole('switch', { name: 'Follow' })
const userLine = (text: string) => `${JSON.stringify({ kind: 'user', text })}\n`

test('[I99] a file that is chosen in the browser is followed, and is there with what it has after a reload', async ({
  linked: page,
}) => {
  await start(page, new URL(page.url()).origin)
  await page.keyboard.press('o')
  await expect(status(page)).toContainText(NAME)
  const turns = 47
  await expect(status(page)).toContainText(`of ${turns}`)
  await follow(page).click()
  await expect(page.getByRole('switch', { name: 'Following' })).toBeVisible()
  await write(page, userLine('and one more thing: git status'), 'append')
  await expect(status(page)).toContainText(`of ${turns + 1}`)
  // Another file under the same name.
  await write(page, await repeatedSample(2), 'replace')
  await expect(status(page)).toContainText(`of ${2 * turns}`)

  await write(page, userLine('written while nobody looked'), 'append')
  await page.reload()
  await expect(status(page)).toContainText(`of ${2 * turns + 1}`)
  expect(await asked(page)).toBe(0)
})

test('[I99] after a reload the browser asks once, when Follow is pressed; a refusal is said', async ({
  linked: page,
}) => {
  await start(page, new URL(page.url()).origin)
  await page.keyboard.press('o')
  await expect(status(page)).toContainText(NAME)
  await expect(page).toHaveURL(/live\.jsonl/u)
  await setPermission(page, 'denied')
  await page.reload()
  await expect(status(page)).toContainText('replayed in')
  await follow(page).click()
  await expect(page.getByText('does not let this page read the file again')).toBeVisible()
  await setPermission(page, 'prompt')
  await page.reload()
  await expect(status(page)).toContainText('replayed in')
  expect(await asked(page)).toBe(0)
  await page.keyboard.press('F')
  await expect(page.getByRole('switch', { name: 'Following' })).toBeVisible()
  expect(await asked(page)).toBe(1)
  await write(page, userLine('Fix the crash in parse_config'), 'append')
  await expect(page.locator('.row-text').last()).toContainText('parse_config')
})

test('[I99] a dropped file is followed too, and only one of two windows sends it', async ({
  linked: page,
}) => {
  await start(page, new URL(page.url()).origin)
  const dataTransfer = await page.evaluateHandle(
    ({ name, text }) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], name))
      return transfer
    },
    { name: NAME, text: await repeatedSample(1) },
  )
  await page.dispatchEvent('body', 'drop', { dataTransfer })
  await expect(status(page)).toContainText('replayed in')
  await expect(page).toHaveURL(/live\.jsonl/u)
  await follow(page).click()
  const second = await page.context().newPage()
  await withPicker(second)
  await second.goto(page.url())
  await expect(status(second)).toContainText('replayed in')
  await follow(second).click()
  await write(page, userLine('for both windows'), 'append')
  for (const one of [page, second])
    await expect(one.locator('.row-text').last()).toContainText('for both windows')
  // The other one takes over.
  await page.close()
  await write(second, userLine('for the window that is left'), 'append')
  await expect(second.locator('.row-text').last()).toContainText('that is left')
})

test('[I99] a host that was started again gets the file at the same turn, after one click', async ({
  page,
}) => {
  const first = await startTurnscope()
  await page.goto(first.url)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await start(page, first.origin)
  await page.keyboard.press('o')
  await expect(status(page)).toContainText('replayed in')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(status(page)).toContainText('turn 3 of')
  await expect(page).toHaveURL(/turn=3/u)
  await setPermission(page, 'prompt')
  await first.close()
  const second = await startTurnscope({ port: new URL(first.origin).port })
  try {
    const key = await keyOf(second.url)
    await page.evaluate((now) => localStorage.setItem('turnscope.key', now), key)
    await page.reload()
    await expect(page.getByText('does not have the uploaded file any more')).toBeVisible()
    await page.getByRole('button', { name: 'Read the file again' }).click()
    await expect(status(page)).toContainText('turn 3 of')
    expect(await asked(page)).toBe(1)
    // The old link, too, leads to it from now on.
    await page.goBack()
    await page.goForward()
    await expect(status(page)).toContainText('replayed in')
  } finally {
    await second.close()
  }
})

test('[I96] [I99] where the browser gives no handle, a chosen file is a copy, and that is said', async ({
  linked: page,
}) => {
  await page.addInitScript(() => {
    Object.assign(globalThis, { showOpenFilePicker: undefined })
  })
  // Waited for from the start: the browser needs a moment before it hands its dialog over.
  const chosen = page.waitForEvent('filechooser')
  await page.goto(`${new URL(page.url()).origin}/?handles`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The host is there: before that nothing can be opened.
  await expect(page.locator('.cards').getByRole('button').first()).toBeVisible()
  await page.keyboard.press('o')
  const buffer = Buffer.from(await repeatedSample(1))
  await (await chosen).setFiles({ name: NAME, mimeType: 'application/jsonl', buffer })
  await expect(status(page)).toContainText('replayed in')
  await page.getByRole('button', { name: 'Follow…' }).click()
  await expect(page.getByText('this browser gave Turnscope a copy', { exact: false })).toBeVisible()
})
