import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ROOT } from './build.ts'
import { BROWSER_ARGS, findBrowser } from './browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnscope-browser-'))
afterAll(() => rmSync(folder, { recursive: true }))

function program(name: string, body: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
  return path
}

it.skipIf(process.platform === 'win32')('CHROMIUM names the browser', () => {
  const path = program('mine', 'echo "Chromium 156.0.8078.79"')
  expect(findBrowser({ CHROMIUM: path })).toBe(path)
})

it.skipIf(process.platform === 'win32')('a CHROMIUM that does not start is an error', () => {
  const stub = program('stub', 'echo "install the snap"; exit 1')
  expect(() => findBrowser({ CHROMIUM: stub })).toThrow(/does not start/)
})

it('[F103] turns off all that Playwright turns off, because the last list counts, and a page that nobody sees', () => {
  const core = readFileSync(join(ROOT, 'node_modules/playwright-core/lib/coreBundle.js'), 'utf8')
  const [, list = ''] = /disabledFeatures = \[\n(.*?)\n\s*\]/su.exec(core) ?? []
  const names = [...list.matchAll(/^\s*"(\w+)"/gmu)].map(([, name = '']) => name)
  // Those of Edge are no features of Chromium.
  const theirs = names.filter((name) => !name.startsWith('ms'))
  expect(theirs.length).toBeGreaterThan(10)
  const off = BROWSER_ARGS.flatMap((arg) => /^--disable-features=(.*)$/u.exec(arg)?.[1]?.split(','))
  expect(off).toEqual(expect.arrayContaining([...theirs, 'WebUIOmniboxPopup']))
})
