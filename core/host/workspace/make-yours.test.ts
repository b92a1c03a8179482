import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { makeYours } from './make-yours.ts'

const made: string[] = []
const folder = (files: Readonly<Record<string, string>>) => {
  const root = makeFolder(files)
  made.push(root)
  return root
}
afterAll(() => made.forEach((each) => rmSync(each, { recursive: true, force: true })))

const shipped = folder({
  'profiles/domains/default.yaml': 'shipped',
  'profiles/presets/field.yaml': 'shipped',
  'prompts/coach/rules.yaml': 'shipped',
  'fixtures/samples.json': '{}',
})

it('[F122] copies profiles and prompts, and touches no file that is there', async () => {
  const target = folder({ 'profiles/domains/default.yaml': 'mine' })
  const first = { ok: true, value: { folder: target, copied: 2, kept: 1 } }
  expect(await makeYours(shipped, target)).toEqual(first)
  const text = (path: string) => readFileSync(join(target, path), 'utf8')
  expect(text('profiles/domains/default.yaml')).toBe('mine')
  expect(text('prompts/coach/rules.yaml')).toBe('shipped')
  expect(existsSync(join(target, 'fixtures'))).toBe(false)
  expect(await makeYours(shipped, target)).toMatchObject({ value: { copied: 0, kept: 3 } })
})

it('[F122] says what the disk refuses, and refuses the folder that ships', async () => {
  const target = folder({ profiles: 'a file in the way' })
  expect(await makeYours(shipped, target)).toMatchObject({ ok: false, error: { where: target } })
  expect(await makeYours(shipped, shipped)).toMatchObject({ ok: false, error: { where: shipped } })
})
