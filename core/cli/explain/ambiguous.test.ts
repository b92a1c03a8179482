import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const BOTH = 'fix the crash in the parser, and rename the folder'

/** A workspace with a session of two turns, and a preset `doubt` whose margin is 3. */
function makeWorkspace() {
  const root = makeFolder()
  const presets = join(root, 'profiles/presets')
  mkdirSync(presets, { recursive: true })
  const text = readFileSync(join(REPOSITORY, 'profiles/presets/recommended.yaml'), 'utf8')
    .replace('name: recommended', 'name: doubt')
    .replace('abstainMargin: null', 'abstainMargin: 3')
  writeFileSync(join(presets, 'doubt.yaml'), text)
  const file = join(root, 'session.jsonl')
  const lines = [BOTH, 'write a test'].map((content) => JSON.stringify({ role: 'user', content }))
  writeFileSync(file, lines.join('\n'))
  const run = async (...args: readonly string[]) => runHere([...args, '--workspace', root])
  return { file, run }
}

const DOUBT = ['--preset', 'doubt']

test('[B23] replay, explain and find say which turns are ambiguous, and between what', async () => {
  const { file, run } = makeWorkspace()
  const table = (await run('replay', file, ...DOUBT)).out
  expect(table).toContain('2 turns, 1 ambiguous')
  expect(table).toMatch(/ambiguous: bugfix or file_ops +1 +user +bugfix \+ file_ops/u)
  expect((await run('replay', file)).out).not.toContain('ambiguous')
  const reason = (await run('explain', `${file}#1`, ...DOUBT)).out
  expect(reason).toContain('ambiguous: bugfix or file_ops; lead 2, margin 3 (B20)')
  expect(reason).toContain('| [BST] Domain ambiguous: bugfix or file_ops')
  expect((await run('find', 'ambiguous:file_ops', file, ...DOUBT)).out).toContain('fix the crash')
  expect((await run('find', 'ambiguous:coding', file, ...DOUBT)).out).not.toContain('fix the crash')
  const none = await run('find', 'ambiguous:any', file)
  expect(none.err).toContain('asks a margin, which is not here. Set abstainMargin in the preset')
})

test('[B24] stats, check and diff count them, each side of a diff by its own margin', async () => {
  const { file, run } = makeWorkspace()
  expect((await run('stats', file, ...DOUBT)).out).toContain('ambiguous          1 of 2 turns')
  expect((await run('check', file, ...DOUBT)).out).toContain('ambiguous          1 of 2 turns')
  expect((await run('stats', file)).out).not.toContain('ambiguous')
  const sides = ['--base', 'recommended', '--head', 'doubt']
  const { out, code } = await run('diff', ...sides, file)
  expect(out).toContain('ambiguous turns: no margin in base, 1 in head')
  expect(out).toContain('0 of 2 turns flip')
  // Another mark is no flip.
  expect(code).toBe(0)
})
