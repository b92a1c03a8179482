import { expect, it } from 'vitest'
import { packageFolder } from './bundled.ts'
import { groupsOf } from './notice.ts'

it.each([
  ['/p/node_modules/zod/v4/core.js', '/p/node_modules/zod'],
  ['/p/node_modules/@a/b/x.css?inline', '/p/node_modules/@a/b'],
  ['\0/p/node_modules/a/node_modules/b/c.js', '/p/node_modules/a/node_modules/b'],
  ['C:\\p\\node_modules\\a\\b.js', 'C:/p/node_modules/a'],
  ['/p/core/engine/x.ts', null],
])('%j is of the package %j', (id, folder) => {
  expect(packageFolder(id)).toBe(folder)
})

const licence = (title: string, text: string, owner: string) => {
  return { title, id: 'MIT', copyrights: [owner], text }
}

it('equal words stand once, and a package without a text gets that of its licence', () => {
  const all = [
    licence('a', 'Do what\nyou like.', 'Ada'),
    licence('b', 'Do what you like.', 'Bo'),
    licence('c', '', 'Cy'),
  ]
  expect(groupsOf(all)).toBe('a\n  Ada\nb\n  Bo\nc\n  Cy\n\nDo what\nyou like.')
  const unknown = { ...licence('d', '', 'Di'), id: 'Other' }
  expect(() => groupsOf([...all, unknown])).toThrow('d: no text of this licence is known')
})
