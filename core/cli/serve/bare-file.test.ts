import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { runCli } from '../../../fixtures/run-cli.ts'
import { withServe } from '../commands.ts'

const folder = makeFolder({ session: '', 'a.jsonl': '' })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  [[join(folder, 'session')], true],
  [[folder, '--port', '0'], true],
  [['missing.jsonl'], true],
  [['notes/missing'], true],
  [['replay', join(folder, 'a.jsonl')], false],
  [['replya'], false],
  [['--version'], false],
  [[], false],
])('[F126] %j is served: %s', (args, isServed) => {
  expect(withServe(args)).toEqual(isServed ? ['serve', ...args] : args)
})

it('[F126] a file that is not there is named', async () => {
  const ran = await runCli(['no/such/file.jsonl'])
  expect(ran).toMatchObject({ code: 2, out: '' })
  expect(ran.err).toContain('no/such/file.jsonl: there is no such file')
})
