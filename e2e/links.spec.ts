import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../scripts/build.ts'
import { expect, test } from './helpers/serve.ts'

const run = promisify(execFile)
/** A hyperlink of a terminal: its address, and the text that it stands on. */
const LINK = new RegExp(String.raw`\x1b\]8;;([\x21-\x7e]+)\x1b\\(.*?)\x1b\]8;;\x1b\\`, 'u')

test('[F189] [L109] [L110] a turn in the terminal is a link to the window that serves the workspace', async ({
  workbench: page,
  served,
  files,
}) => {
  const path = await files.copy('sessions/st-003.jsonl', 'a name & ünïcode.jsonl')
  const { stdout } = await run(
    process.execPath,
    [
      join(ROOT, 'bin/turnscope.cjs'),
      ...['replay', path, '--links', 'always', '--workspace', served.workspace],
    ],
    { env: { ...process.env, XDG_STATE_HOME: `${served.workspace}-config` } },
  )
  const row = stdout.split('\n').find((line) => LINK.exec(line)?.[2] === '4')
  const [, address = ''] = LINK.exec(row ?? '') ?? []
  expect(new URL(address).origin).toBe(served.origin)
  await page.goto(address)
  await expect(page.locator('.status')).toContainText('turn 4 of', { timeout: 20_000 })
  await expect(page.locator('.status')).toContainText('a name & ünïcode.jsonl')
})
