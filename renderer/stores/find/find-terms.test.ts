import { expect, it } from 'vitest'
import { completions, needlesOf, wantsTools } from './find-terms.ts'

const labels = (query: string, caret = query.length) =>
  completions(query, caret, {
    domain: ['coding', 'file_ops', 'config edit'].map((value) => ({ value, about: '' })),
    tool: [
      { value: 'Bash', about: '412 times' },
      { value: 'Read', about: '80 times' },
      { value: 'mcp__db query', about: '1 time' },
    ],
  }).map(({ label }) => label)

it('[U5] offers filters for a word that is begun, and all of them for an empty box', () => {
  expect(labels('ro')).toEqual(['role:'])
  expect(labels('')).toContain('domain:')
  expect(labels('pip -do')).toEqual(['domain:'])
})

it('[U5] offers the values of a filter, also those that only the session knows', () => {
  expect(labels('event:re')).toEqual(['resist'])
  expect(labels('domain:co')).toEqual(['coding', 'config edit'])
  expect(labels('event:resist,b')).toEqual(['break'])
})

it('[U5] offers the tools of the session in any case, most used first, and says how often', () => {
  expect(labels('tool:')).toEqual(['Bash', 'Read', 'mcp__db query'])
  expect(labels('-tool:r')).toEqual(['Read'])
  expect(labels('tool:Bash,RE')).toEqual(['Read'])
  const [first] = completions('tool:m', 6, { tool: [{ value: 'mcp__db query', about: '1 time' }] })
  expect(first).toMatchObject({ text: 'tool:"mcp__db query" ', about: '1 time' })
  expect(['tool:', 'pip -tool:x'].map(wantsTools)).toEqual([true, true])
  expect(['tool', 'text:"tool"', 'http://tool:1'].map(wantsTools)).toEqual([false, false, false])
})

it('[U5] offers types of self-signals and domains for what signal: finds', () => {
  const domain = [{ value: 'coding', about: '' }]
  const offered = completions('signal:', 7, { signal: domain }).map(({ label }) => label)
  expect(offered).toEqual(expect.arrayContaining(['any', 'stuck', 'need_turn', 'coding']))
})

it('[U5] what is taken stands in the box, quoted where it has to be, the rest behind it', () => {
  const [first] = completions('role:us pip', 7, {})
  expect(first?.text).toBe('role:user pip')
  const quoted = completions('domain:conf', 11, {
    domain: [{ value: 'config edit', about: '' }],
  })
  expect(quoted[0]?.text).toBe('domain:"config edit" ')
})

it('[X16] [X17] offers the filters of the context, and marks no limit of tokens in the list', () => {
  expect(labels('tok')).toEqual(['tokens>'])
  expect(labels('context:sk')).toEqual(['skill_list', 'skill'])
  expect(needlesOf('pip tokens>150k skill:release injected:CLAUDE.md')).toEqual(['pip'])
})

it('[U5] offers nothing inside a quoted text, a word or a pattern', () => {
  expect(labels('"ro')).toEqual([])
  expect(labels('text:/ro')).toEqual([])
  expect(labels('role', 2)).toEqual([])
})

it('[U5] marks plain words and quoted texts in the list, never patterns, filters or what is excluded', () => {
  expect(needlesOf('pip "two words" role:user -not /pat+ern/ text:plain http://x')).toEqual([
    'pip',
    'two words',
    'plain',
    'http://x',
  ])
})
