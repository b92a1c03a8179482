import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { loadOptional } from './optional-package.ts'

const NAME = '@made/up'
const holds = (at: string) => ({
  [join(at, 'node_modules', NAME, 'package.json')]: '{"main":"index.cjs"}',
  [join(at, 'node_modules', NAME, 'index.cjs')]: `module.exports = '${at}'`,
})
const root = makeFolder({
  'app/package.json': '{}',
  'project/node_modules/turnscope/package.json': '{}',
  ...holds('project'),
  ...holds('prefix/lib'),
  ...holds('around'),
  'around/app/package.json': '{}',
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const from = (path: string) => pathToFileURL(join(root, path, 'dist/cli/x.cjs')).href
const nowhere = join(root, 'other/bin/node')

it.each([
  [
    'the folder that Turnscope is installed into',
    'project/node_modules/turnscope',
    nowhere,
    'project',
  ],
  ['the global packages of this Node', 'app', join(root, 'prefix/bin/node'), 'prefix/lib'],
])('[F124] a package is found in %s', (_, application, node, wanted) => {
  expect(loadOptional(NAME, from(application), node)).toEqual({ exports: wanted })
})

it('[F124] nothing is looked for in folders above, nor in the current one', () => {
  expect(loadOptional(NAME, from('around/app'), nowhere)).toBeNull()
  expect(loadOptional(NAME, from('app'), nowhere)).toBeNull()
})

it('[F124] a package that is there and cannot be loaded is not passed over', () => {
  const broken = makeFolder({
    'package.json': '{}',
    [join('node_modules', NAME, 'package.json')]: '{"main":"index.cjs"}',
    [join('node_modules', NAME, 'index.cjs')]: 'throw new Error("for another system")',
  })
  const asked = pathToFileURL(join(broken, 'dist/x.cjs')).href
  expect(() => loadOptional(NAME, asked, nowhere)).toThrow('for another system')
  rmSync(broken, { recursive: true, force: true })
})
