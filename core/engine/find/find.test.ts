import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesOf } from '../../../fixtures/cases.ts'
import type { PlainEvent } from '../schema/event.ts'
import { EventKind } from '../schema/event-kind.ts'
import { plainEvent } from '../../../fixtures/events.ts'
import { excerptOf } from './excerpt.ts'
import { createMatcher, type Findable } from './match.ts'
import { parseQuery } from './parse.ts'

function finds(query: string, parts: Partial<PlainEvent>): boolean {
  const parsed = parseQuery(query)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
  const matcher = createMatcher(parsed.value, { facts: null, events: [] })
  if (!matcher.ok) throw new Error(JSON.stringify(matcher.error))
  const it = plainEvent(parts)
  const text = () => it.text
  return matcher.value.quick(it, text) && (matcher.value.slow?.(it, text) ?? true)
}

function problemOf(query: string) {
  const parsed = parseQuery(query)
  if (!parsed.ok) return parsed.error
  const matcher = createMatcher(parsed.value, { facts: null, events: [] })
  return matcher.ok ? null : matcher.error
}

test('[F1] all terms must hold; a minus before a term excludes', () => {
  const text = 'The cache drops the oldest entry'
  expect(finds('cache oldest', { text })).toBe(true)
  expect(finds('cache newest', { text })).toBe(false)
  expect(finds('cache -newest', { text })).toBe(true)
  expect(finds('cache -oldest', { text })).toBe(false)
  expect(finds('-"the oldest"', { text })).toBe(false)
  expect(finds('-role:agent', { text })).toBe(true)
})

test('[F1] a dash before anything else is a part of the word', () => {
  expect(finds('->', { text: 'a -> b' })).toBe(true)
  expect(finds('--force', { text: 'git push --force' })).toBe(true)
  expect(finds('-', { text: 'a-b' })).toBe(true)
})

test('[F2] texts are found in any case, composed or decomposed; accents count', () => {
  expect(finds('STRASSE', { text: 'Hauptstrasse 1' })).toBe(true)
  expect(finds('ÉCOLE', { text: 'une e\u0301cole' })).toBe(true)
  expect(finds('e\u0301cole', { text: 'une École' })).toBe(true)
  expect(finds('ecole', { text: 'une école' })).toBe(false)
  expect(finds('привет', { text: 'ПРИВЕТ' })).toBe(true)
})

test('[F2] quotes hold blanks and escapes; signs mean themselves', () => {
  expect(finds('"drops  the"', { text: 'drops the' })).toBe(false)
  expect(finds(String.raw`"say \"hi\" \\ there"`, { text: String.raw`say "hi" \ there` })).toBe(
    true,
  )
  expect(finds('.*', { text: 'abc' })).toBe(false)
  expect(finds('a[0].b(c)', { text: 'x = A[0].b(c);' })).toBe(true)
})

test('[F3] a regular expression is as it is written, with its flags', () => {
  expect(finds('/type\\w*error/i', { text: 'a TypeError' })).toBe(true)
  expect(finds('/type\\w*error/', { text: 'a TypeError' })).toBe(false)
  expect(finds('/a b+ c/', { text: 'a bb c' })).toBe(true)
  expect(finds('/[/]x/g', { text: '/x' })).toBe(true)
  expect(finds('-/^b/m', { text: 'a\nb' })).toBe(false)
})

test('[F3] a path is a word, not a regular expression', () => {
  expect(finds('/home/ann/notes', { text: 'cat /home/ann/notes.md' })).toBe(true)
  expect(finds('/usr/local', { text: 'ls /usr/local' })).toBe(true)
})

test('[F4] several values of a filter are alternatives', () => {
  expect(finds('kind:user,agent', { kind: 'agent' })).toBe(true)
  expect(finds('kind:user,agent', { kind: 'tool_call' })).toBe(false)
  expect(finds('text:cat,"hot dog",/b.rd/', { text: 'a hot dog' })).toBe(true)
  expect(finds('text:cat,"hot dog",/b.rd/', { text: 'a bird' })).toBe(true)
  expect(finds('text:cat,"hot dog",/b.rd/', { text: 'a hot' })).toBe(false)
})

test('[F5] other words with a colon are texts', () => {
  expect(finds('http://a.example', { text: 'see http://a.example/b' })).toBe(true)
  expect(finds('std::vector', { text: 'std::vector<int>' })).toBe(true)
  expect(finds('Error:', { text: 'Error: no' })).toBe(true)
  expect(finds('error: no', { text: 'error: no' })).toBe(true)
})

test('[F71] what looks like a filter and is none is said, never taken for a text', () => {
  expect(problemOf('foo:bar')).toMatchObject({
    what: 'there is no filter "foo:"',
    where: 'column 1 of the query',
  })
  expect(problemOf('foo:bar')?.do).toContain('Put the text in quotes, or choose of: role, kind')
  expect(problemOf('a -owner:me')).toMatchObject({ where: 'column 4 of the query' })
  expect(finds('"foo:bar"', { text: 'a foo:bar' })).toBe(true)
  expect(finds('file:///tmp/x', { text: 'see file:///tmp/x' })).toBe(true)
  expect(finds('c:\\users', { text: 'in C:\\Users' })).toBe(true)
  expect(finds('12:30', { text: 'at 12:30' })).toBe(true)
})

test('[F5] problems name the column and say what to do', () => {
  expect(problemOf('cache "open')).toEqual({
    what: 'this quote is not closed',
    where: 'column 7 of the query',
    do: 'Put a " where the text ends',
  })
  expect(problemOf('a roll:user')).toMatchObject({
    what: 'there is no filter "roll:"',
    where: 'column 3 of the query',
    do: 'Write role: if that is what you mean, or put the text in quotes',
  })
  expect(problemOf('role:usr')).toMatchObject({
    what: 'role has no value "usr"',
    where: 'column 6 of the query',
    do: 'Did you mean role:user? Choose of: user, agent, assistant, tool, harness, system, pipeline',
  })
  expect(problemOf('x /a(/')).toMatchObject({ where: 'column 3 of the query' })
  expect(problemOf('kind:user,')).toMatchObject({ what: 'a value is missing' })
  expect(problemOf('   ')).toMatchObject({ what: 'the query is empty' })
  expect(problemOf('""')).toMatchObject({ what: 'the text is empty' })
  expect(problemOf('event:hold')).toMatchObject({ where: 'column 7 of the query' })
})

test('[F6] roles are sets of kinds', () => {
  expect(finds('role:tool', { kind: 'tool_call' })).toBe(true)
  expect(finds('role:tool', { kind: 'tool_result' })).toBe(true)
  expect(finds('role:agent', { kind: 'reasoning' })).toBe(true)
  expect(finds('role:user', { kind: 'injected' })).toBe(false)
  expect(finds('role:harness', { kind: 'injected' })).toBe(true)
  const roles = ['user', 'agent', 'tool', 'harness', 'system', 'pipeline']
  for (const kind of EventKind.options) {
    expect(roles.filter((role) => finds(`role:${role}`, { kind }))).toHaveLength(1)
  }
})

test('[F6] error: asks for marked errors', () => {
  expect(finds('error:yes', { isError: true })).toBe(true)
  expect(finds('error:no', { isError: true })).toBe(false)
})

test('[F8] names are whole, in any case, with * for any text', () => {
  const call = { kind: 'tool_call', name: 'mcp__github__Search' } as const
  expect(finds('tool:bash', { kind: 'tool_call', name: 'Bash' })).toBe(true)
  expect(finds('tool:bas', { kind: 'tool_call', name: 'Bash' })).toBe(false)
  expect(finds('tool:mcp__*', call)).toBe(true)
  expect(finds('tool:*github*search', call)).toBe(true)
  expect(finds('tool:*search*search', call)).toBe(false)
  expect(finds('tool:/hub__S/', call)).toBe(true)
  expect(finds('tool:ann', { kind: 'user', name: 'ann' })).toBe(false)
  expect(finds('name:ann', { kind: 'user', name: 'ann' })).toBe(true)
})

test('[F9] an excerpt shows the first match with its spans', () => {
  const parsed = parseQuery('needle kind:user')
  if (!parsed.ok) throw new Error('the query is good')
  const text = `${'hay '.repeat(100)}Needle and needle${' hay'.repeat(200)}`
  const excerpt = excerptOf({ text }, parsed.value)
  expect(excerpt.text.startsWith('…')).toBe(true)
  expect(excerpt.text.endsWith('…')).toBe(true)
  expect(excerpt.spans.map(([from, to]) => excerpt.text.slice(from, to))).toEqual([
    'Needle',
    'needle',
  ])
  expect(excerptOf({ text: 'short' }, parsed.value)).toEqual({ text: 'short', spans: [] })
})

test('[F9] spans are in the excerpt and are what the query found, whatever the text', () => {
  const texts = fc.array(fc.constantFrom('ab', 'A', 'b', '😀', '\n', 'é', ' '.repeat(40)), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join('')
      const parsed = parseQuery('ab /b.?/s')
      if (!parsed.ok) throw new Error('the query is good')
      const { text: shown, spans } = excerptOf({ text }, parsed.value)
      expect(shown.isWellFormed()).toBe(true)
      let last = 0
      for (const [from, to] of spans) {
        expect(from).toBeGreaterThanOrEqual(last)
        expect(shown.slice(from, to)).toMatch(/b/iu)
        last = to
      }
      if (/ab/iu.test(text)) expect(spans.length).toBeGreaterThan(0)
    }),
  )
})

interface Plain {
  readonly negated: boolean
  readonly shown: string
  readonly holds: (event: PlainEvent) => boolean
}

const WORDS = ['cache', 'Drop', 'a b', 'ärger', 'x']
const quote = (text: string) => `"${text}"`
const anyTerm: fc.Arbitrary<Omit<Plain, 'negated'>> = fc.oneof(
  fc.constantFrom(...WORDS).map((word) => ({
    shown: quote(word),
    holds: ({ text }: PlainEvent) => text.toLowerCase().includes(word.toLowerCase()),
  })),
  fc.subarray([...EventKind.options], { minLength: 1 }).map((kinds) => ({
    shown: `kind:${kinds.join(',')}`,
    holds: ({ kind }: PlainEvent) => kinds.includes(kind),
  })),
  fc.subarray(WORDS, { minLength: 1 }).map((words) => ({
    shown: `text:${words.map(quote).join(',')}`,
    holds: ({ text }: PlainEvent) =>
      words.some((word) => text.toLowerCase().includes(word.toLowerCase())),
  })),
  fc.constantFrom('yes', 'no').map((value) => ({
    shown: `error:${value}`,
    holds: ({ isError }: PlainEvent) => isError === (value === 'yes'),
  })),
  fc.constant({ shown: '/ca.h?/i', holds: ({ text }: PlainEvent) => /ca.h?/iu.test(text) }),
  fc.constantFrom('Bash', 'Read').map((tool) => ({
    shown: `tool:${tool.toLowerCase()}`,
    holds: ({ kind, name }: PlainEvent) => name === tool && kind.startsWith('tool'),
  })),
)
const anyEvent = fc
  .record({
    kind: fc.constantFrom(...EventKind.options),
    text: fc
      .array(fc.constantFrom(...WORDS, 'CACHE', 'drop', 'Ärger', 'zz'), { maxLength: 4 })
      .map((words) => words.join(' ')),
    isError: fc.boolean(),
    name: fc.constantFrom('Bash', 'Read', null),
  })
  .map((parts) => plainEvent(parts))

test('[F1] [F4] queries find what asking each event term by term finds', () => {
  const plain = fc.tuple(fc.boolean(), anyTerm).map(([negated, term]) => ({ negated, ...term }))
  let found = 0
  fc.assert(
    fc.property(
      fc.array(plain, { minLength: 1, maxLength: 4 }),
      fc.array(anyEvent, { maxLength: 20 }),
      (terms, events) => {
        const query = terms.map(({ negated, shown }) => `${negated ? '-' : ''}${shown}`).join(' ')
        for (const each of events) {
          const naive = terms.every(({ negated, holds }) => holds(each) !== negated)
          expect(finds(query, each)).toBe(naive)
          if (naive) found += 1
        }
      },
    ),
    casesOf('find: queries'),
  )
  expect(found).toBeGreaterThan(100)
})

test('[F5] any text as a query gives a matcher or a problem, never an exception', () => {
  const pieces = fc.constantFrom(
    '"',
    '/',
    '-',
    ':',
    ',',
    'role',
    'text',
    'a',
    ' ',
    '\\',
    '[',
    '(',
    'flip',
    '*',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((all) => all.join('')),
      ),
      (query) => {
        const problem = problemOf(query)
        if (problem !== null) expect(problem.where).toMatch(/^column \d+ of the query$/u)
      },
    ),
    casesOf('find: globs'),
  )
})

test('[F1] the text of an event is read once, and not at all when another term rules it out', () => {
  let reads = 0
  const lazy: Findable = { seq: 0, kind: 'user', name: null, isError: false }
  const text = () => {
    reads += 1
    return 'one two'
  }
  const parsed = parseQuery('two one kind:user')
  if (!parsed.ok) throw new Error('the query is good')
  const matcher = createMatcher(parsed.value, { facts: null, events: [] })
  if (!matcher.ok) throw new Error('no replay is needed')
  expect(matcher.value.quick(lazy, text)).toBe(true)
  expect(reads).toBe(1)
  expect(matcher.value.quick({ ...lazy, kind: 'agent' }, text)).toBe(false)
  // An event excluded by its kind is not read.
  expect(reads).toBe(1)
})
