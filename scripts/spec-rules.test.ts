import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './build.ts'

const FOLDERS = [
  'addons',
  'core',
  'electron',
  'renderer',
  'scripts',
  'bench',
  'examples',
  'fixtures',
  'e2e',
]
const RULE = /^- \*\*([A-Z]\d+)\b/gmu
const QUOTED = /'(?:[^'\\\n]|\\.)*'|`[^`\n]*`|"(?:[^"\\\n]|\\.)*"/gu

/**
 * Rules named as `[C1]` by the titles of a test file, or by rows of their tables: quoted strings with a blank, which
 * compared values do not contain. A range does not count, because a search for a rule does not find it.
 */
function quotedIn(text: string): readonly string[] {
  const titles = (text.match(QUOTED) ?? []).filter((quoted) => quoted.includes(' '))
  return titles.flatMap((title) => title.match(/(?<=\[)[A-Z]\d+(?=\])/gu) ?? [])
}

/** Each chapter is next to its capability. */
const CHAPTERS = ['core', 'electron', 'renderer', 'scripts'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:^|[/\\])SPEC\.md$/u.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
)

describe('rules of the specification', () => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  const rules = CHAPTERS.flatMap((path) =>
    [...read(path).matchAll(RULE)].map(([, rule = '']) => rule),
  )
  const tests = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      // The suite that all vector stores pass is run by several test files.
      .filter((name) => /(?:\.(?:test|spec)|\bconformance)\.tsx?$/u.test(name))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  )

  it('each has a number of its own', () => {
    expect(rules.length).toBeGreaterThan(700)
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
  })

  it('core/SPEC.md lists every chapter', () => {
    const listed = [...read('core/SPEC.md').matchAll(/\[([\w./-]+\/SPEC\.md)\]/gu)].map(
      ([, path = '']) => path,
    )
    expect(listed.toSorted()).toEqual(CHAPTERS.filter((path) => path !== 'core/SPEC.md').toSorted())
  })

  it('each is quoted by the title of a test', () => {
    const quoted = new Set(tests.flatMap(quotedIn))
    expect(rules.filter((rule) => !quoted.has(rule))).toEqual([])
  })

  it('a title counts, what code compares does not', () => {
    expect(quotedIn("it('[C1] [B2] a rule', () => {")).toEqual(['C1', 'B2'])
    expect(quotedIn("it.each([['[I19] no text', 3]])")).toEqual(['I19'])
    expect(quotedIn("it('B2: a rule', () => {")).toEqual([])
    expect(quotedIn("expect(rule).toBe('M2')")).toEqual([])
  })
})
