import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './helpers/axe.ts'
import { expect, startTurnscope, test } from './helpers/serve.ts'

async function openUpdates(page: Page) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('Updates')
  await page.keyboard.press('Enter')
  return page.getByRole('dialog', { name: 'Updates' })
}

test('[U211] in serve mode it is said who updates Turnscope', async ({ workbench }) => {
  const dialog = await openUpdates(workbench)
  await expect(dialog).toContainText(
    'It does not update itself: the program that installed it updates it',
  )
  await expect(dialog.getByRole('button', { name: 'Look for an update' })).toHaveCount(0)
})

test('[U211] looking, downloading and installing are three questions; a wrong file is refused in words', async ({
  page,
}) => {
  test.skip(process.platform !== 'linux', 'replaces an AppImage')
  const folder = await mkdtemp(join(tmpdir(), 'turnscope-feed-'))
  const image = join(folder, 'Turnscope.AppImage')
  const program = (version: string) => `#!/bin/sh\necho ${version}\n`
  await writeFile(image, program('1.0.0'))
  await chmod(image, 0o755)
  const asked: string[] = []
  let served = program('6.6.6')
  const sha512 = createHash('sha512').update(program('1.1.0')).digest('base64')
  const feed = createServer((request, response) => {
    asked.push(new URL(request.url ?? '/', 'http://127.0.0.1').pathname)
    if (asked.at(-1)?.endsWith('.yml') === true)
      response.end(
        `version: 1.1.0\nfiles:\n  - url: Turnscope-1.1.0.AppImage\n    sha512: ${sha512}\n    size: ${program('1.1.0').length}\nreleaseDate: '2026-11-20'\nreleaseNotes: |\n  <img src=x onerror=alert(1)> Faster openings.\n`,
      )
    else response.end(served)
  })
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve))
  const at = feed.address()
  const address = `http://127.0.0.1:${typeof at === 'object' ? at?.port : 0}`
  const { url, close } = await startTurnscope({ feed: address, variables: { APPIMAGE: image } })
  await page.goto(url)
  await page.waitForFunction(() => localStorage.getItem('turnscope.key') !== null)

  const dialog = await openUpdates(page)
  await expect(dialog).toContainText('Nothing is asked for, downloaded or installed')
  expect(asked).toEqual([])
  await dialog.getByRole('button', { name: 'Look for an update' }).click()
  await expect(dialog).toContainText('Version 1.1.0 is there')
  await expect(dialog).toContainText('<img src=x onerror=alert(1)> Faster openings.')
  await expect(dialog).toContainText(createHash('sha512').update(program('1.1.0')).digest('hex'))
  expect(asked.filter((path) => path.endsWith('.AppImage'))).toEqual([])
  await expectAccessible(page, 'updates', '.updates')
  await dialog.getByRole('button', { name: 'Download it' }).click()
  await expect(dialog).toContainText('checksum mismatch')
  served = program('1.1.0')
  await dialog.getByRole('button', { name: 'Download it' }).click()
  const install = dialog.getByRole('button', { name: 'Install it and start again' })
  await expect(install).toBeVisible()
  expect(execFileSync(image, { encoding: 'utf8' })).toBe('1.0.0\n')
  await install.click()
  await expect.poll(() => execFileSync(image, { encoding: 'utf8' })).toBe('1.1.0\n')
  await close()
  feed.close()
  await rm(folder, { recursive: true, force: true })
})
