import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './build.ts'

const PAGES = [
  'docs/security.md',
  'docs/formats.md',
  'docs/release.md',
  'docs/internals.md',
  'docs/language.md',
  'docs/decisions/003-design-differences.md',
  'docs/decisions/004-measured-challenges.md',
  'ARCHITECTURE.md',
  'README.md',
  'CONTRIBUTING.md',
]
/** A page may tell its reader to create a file. */
const NAMED =
  /(?<!Create )`((?:addons|bench|core|docs|e2e|electron|fixtures|renderer|scripts)\/[\w./-]+\.\w+)`/gu

const namedIn = (text: string) => [...text.matchAll(NAMED)].map(([, path = '']) => path)

it.each(PAGES)('every file that %s names is there', (page) => {
  const named = namedIn(readFileSync(join(ROOT, page), 'utf8'))
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

it('finds names in a text', () => {
  expect(namedIn('see `core/a.test.ts` and `x.ts`')).toEqual(['core/a.test.ts'])
  expect(readdirSync(join(ROOT, 'docs'))).toContain('security.md')
})
