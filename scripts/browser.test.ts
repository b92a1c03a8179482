import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findBrowser } from './browser.ts'

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
