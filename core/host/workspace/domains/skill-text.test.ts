import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import { REPOSITORY } from '../../../../fixtures/host.ts'
import { createBlockCache } from './domain-pieces.ts'
import { readDomainText } from './domain-text.ts'
import { readJsonTree, valueOfNode } from './json-tree.ts'
import { createTextCompiler } from './compile-text.ts'

const TEXT = readFileSync(
  join(REPOSITORY, 'fixtures/skills/.claude/skills/skill-rules.json'),
  'utf8',
)
const SIGNS = ['{', '}', '[', ']', '"', ',', ':', '/', '*', '\\', ' ', '\n', '1', 'a', 'e']
const read = (text: string) => readDomainText(text, createBlockCache())
const wrong = (text: string) =>
  read(text).problems.map(({ rule, line, column, domain, what }) => ({
    rule,
    line,
    column,
    domain,
    what,
  }))

test('[K10] comments and trailing commas are none, and everything has its place', () => {
  const { value, problems, ...read_ } = read(TEXT)
  const place: (typeof read_)['place'] = (...of) => read_.place(...of)
  expect(problems).toEqual([])
  expect(value?.kind).toBe('skill-rules')
  expect(value?.domains.map(({ name, priority }) => [name, priority])).toEqual([
    ['api-guidelines', 2],
    ['testing', 2],
    ['secrets', 1],
    ['docs', 4],
  ])
  const lines = TEXT.split('\n')
  const at = ({ line, column, endColumn }: ReturnType<typeof place>) =>
    lines[line - 1]?.slice(column - 1, endColumn - 1)
  expect(at(place(0))).toBe('"api-guidelines"')
  expect(at(place(0, 1))).toBe('"endpoint"')
  // The second unit of the pattern comes after the two characters of its escape.
  expect(at(place(0, 4))).toBe(String.raw`"\\bfix\\b.*?\\bstatus code\\b"`)
  expect(at(place(0, 4, 3))).toBe('f')
})

test('[K17] a bad pattern is named with skill, line and column', () => {
  const broken = TEXT.replace('(write|fix).*?spec', 'write (a|b').replace('test", "v', 'test", "v')
  const text = read(broken)
  const file = text.value
  if (file === null) throw new Error('it is read')
  const compiled = createTextCompiler()(text, { file, saved: file }, { asciiBoundaries: false })
  expect(compiled.set).toBeNull()
  const [problem] = compiled.problems
  expect(problem).toMatchObject({
    rule: 'pattern',
    domain: 'testing',
    signal: 2,
    severity: 'error',
  })
  const line = broken.split('\n')[(problem?.line ?? 0) - 1] ?? ''
  expect(line.slice((problem?.column ?? 0) - 1)).toMatch(/^\(a\|b"/u)
})

test('[K17] patterns that no message is searched for must compile too', () => {
  expect(wrong(TEXT.replace('router', 'ro(uter'))).toEqual([
    {
      rule: 'pattern',
      line: 21,
      domain: 'api-guidelines',
      column: expect.any(Number) as number,
      what: expect.stringContaining('Unterminated group') as string,
    },
  ])
})

test('[K10] what is wrong is said at its place', () => {
  const one = (skill: string) => `{ "skills": { "a": ${skill} } }`
  expect(wrong(one('{ "priority": "urgent" }'))[0]).toMatchObject({
    line: 1,
    column: 34,
    domain: 'a',
  })
  expect(wrong(one('{ "promptTriggers": { "keywords": [1] } }'))[0]).toMatchObject({ domain: 'a' })
  expect(wrong('{ "skills": { "c++": {} } }')[0]?.what).toContain('may not be blank or contain "+"')
  expect(wrong('{ "skills": { "a": {"x": 1 "y": 2} } }')[0]).toMatchObject({
    rule: 'syntax',
    column: 28,
    what: '"," or "}" is missing here',
  })
  expect(wrong('{ "skills": [] }')[0]?.what).toContain('must be an object')
})

test('[K10] a domain file stays one, also one that is written in JSON', () => {
  expect(read('{ "domains": [{ "name": "a", "signals": ["x"] }] }').skills).toBeNull()
  expect(read('domains:\n  - name: skills\n    signals: []\n').skills).toBeNull()
})

test('[K10] the reader agrees with JSON.parse on every JSON text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat({ max: 4 }), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const { node } = readJsonTree(`// a\n${text}/* b */`)
      expect(node === null ? undefined : valueOfNode(node)).toEqual(JSON.parse(text))
    }),
    casesOf('drafts: JSON text'),
  )
})

test('[K10] no text stops the reader', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 40 }), (text) => {
      const { node, errors } = readJsonTree(text)
      expect(errors.length).toBe(node === null ? 1 : 0)
    }),
    casesOf('drafts: any text'),
  )
})
