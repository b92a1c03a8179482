import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ATTACKS } from './list.ts'

const ROOT = join(import.meta.dirname, '../..')

test('[F224] the attack suite names tests that exist, has a short part, and is in the page on security', () => {
  const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
  expect(ATTACKS.some(({ isShort }) => isShort)).toBe(true)
  for (const { door, tests } of ATTACKS) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${door} `))
    for (const path of tests) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
      expect(row, door).toContain(`\`${path}\``)
    }
  }
})
