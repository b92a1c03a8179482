import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { codeOf } from '../bin/source-code.cjs'
import { ROOT } from './build.ts'

/** Words of the list in docs/language.md that have no other meaning. */
const AVOIDED =
  /\b(?:anew|nobody|somebody|whoever|whyever|let go of|now and then|otherwise than|works? out|worked out)\b/giu
const QUOTED = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/gu
const BETWEEN_TAGS = /(?<=>)[^<>{}=;]+(?=<)/gu

/** Texts of a program that its users can read: string literals with a blank, and text between tags. */
function textsOf(code: string): readonly string[] {
  const quoted = (code.match(QUOTED) ?? []).filter((text) => text.includes(' '))
  return [...quoted, ...(code.match(BETWEEN_TAGS) ?? [])]
}

/** Lines that hold only a comment. A comment behind code is short. */
const commentsOf = (source: string): readonly string[] =>
  source.match(/^[ \t]*(?:\/\/|\/\*|\*).*$/gmu) ?? []

const avoidedIn = (text: string): readonly string[] => text.match(AVOIDED) ?? []

/** Files whose strings are not said to users. */
const DATA: ReadonlySet<string> = new Set([
  // The prompt to a model, which was measured with these words.
  'core/engine/coach/framed.ts',
  // Lists of words and names that texts are compared with.
  'core/engine/probe/words.ts',
  'core/engine/redact/rules.ts',
])

const sourcesOf = (folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/u.test(name) && !/\.test\.|\.d\.ts$|node_modules/u.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  )
const CODE = sourcesOf(['addons', 'core', 'electron', 'page', 'renderer'])
const TOOLS = sourcesOf(['bench', 'e2e', 'fixtures', 'scripts'])
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    // The guide names the words that it advises against.
    .filter((name) => name.endsWith('.md') && name !== 'language.md')
    .map((name) => `docs/${name}`),
]

it('texts of the program use none of the words that the guide advises against', () => {
  const found = CODE.filter((path) => !DATA.has(path)).flatMap((path) =>
    textsOf(codeOf(readFileSync(join(ROOT, path), 'utf8')))
      .filter((text) => avoidedIn(text).length > 0)
      .map((text) => `${path}: ${text.slice(0, 120)}`),
  )
  expect(found).toEqual([])
})

it('nor do comments', () => {
  const found = [...CODE, ...TOOLS].flatMap((path) =>
    commentsOf(readFileSync(join(ROOT, path), 'utf8'))
      .filter((text) => avoidedIn(text).length > 0)
      .map((text) => `${path}: ${text.slice(0, 120)}`),
  )
  expect(found).toEqual([])
})

it('nor do pages for readers', () => {
  const found = PAGES.flatMap((path) =>
    avoidedIn(readFileSync(join(ROOT, path), 'utf8')).map((word) => `${path}: ${word}`),
  )
  expect(found).toEqual([])
})

it('finds a word in a string and between tags, and leaves names alone', () => {
  expect(textsOf("say('it is made anew')").flatMap(avoidedIn)).toEqual(['anew'])
  expect(textsOf('<p>Nobody is here</p>').flatMap(avoidedIn)).toEqual(['Nobody'])
  expect(textsOf('return { ...nobody }').flatMap(avoidedIn)).toEqual([])
})
