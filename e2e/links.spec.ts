import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../scripts/build.ts'
import { type Served, expect, test } from './helpers/serve.ts'

const run = promisify(execFile)
/** A terminal hyperlink: its address and its text. */
const LINK = new RegExp(String.raw`\x1b\]8;;([\x21-\x7e]+)\x1b\\(.*?)\x1b\]8;;\x1b\\`, 'u')

/** Links of a command by their text, with their lines. */
async function linksOf(served: Served, args: readonly string[]) {
  const { stdout } = await run(
    process.execPath,
    [
      join(ROOT, 'bin/turnscope.cjs'),
      ...args,
      '--links',
      'always',
      '--workspace',
      served.workspace,
    ],
    { env: { ...process.env, XDG_STATE_HOME: `${served.workspace}-config` } },
  )
  return stdout.split('\n').flatMap((line) => {
    const [whole = '', address = '', text = ''] = LINK.exec(line) ?? []
    return address === '' ? [] : [{ address, text, line: line.replace(whole, text) }]
  })
}

test('[F189] [L109] [L110] a turn in the terminal is a link to the window that serves the workspace', async ({
  placed: page,
  served,
  files,
}) => {
  const path = await files.copy('sessions/st-003.jsonl', 'a name & ünïcode.jsonl')
  const links = await linksOf(served, ['replay', path])
  const { address = '' } = links.find(({ text }) => text === '4') ?? {}
  expect(new URL(address).origin).toBe(served.origin)
  await page.goto(address)
  await expect(page.locator('.status')).toContainText('turn 4 of')
  await expect(page.locator('.status')).toContainText('a name & ünïcode.jsonl')
})

test('[F189] a row of results is a link to its turn, in a transcript and in a table', async ({
  placed: page,
  served,
  files,
}) => {
  const transcript = await files.copy('sessions/st-003.jsonl', 'st-003.jsonl')
  const rows = ['user,fix the bug', 'assistant,done', 'user,', 'user,write unit tests'].map(
    (row, at) => `"talk, 1",${at},${row}\n`,
  )
  const table = await files.write('talks.csv', `session,turn,role,message\n${rows.join('')}`)
  const out = join(files.path, 'results')
  await run(process.execPath, [
    join(ROOT, 'bin/turnscope.cjs'),
    'batch',
    transcript,
    table,
    '--out',
    out,
  ])
  const links = await linksOf(served, ['results', out, '--list', 'turns'])
  const addressOf = (file: string, turn: string) =>
    links.find(({ line, text }) => line.startsWith(file) && text === turn)?.address ?? ''

  // The row without a text is a turn too.
  await page.goto(addressOf(table, '3'))
  await expect(page.locator('.status')).toContainText('talk, 1 in talks.csv')
  await expect(page.locator('.status')).toContainText('turn 3 of 3')
  await page.goto(addressOf(transcript, '5'))
  await expect(page.locator('.status')).toContainText('st-003.jsonl')
  await expect(page.locator('.status')).toContainText('turn 5 of')
})
