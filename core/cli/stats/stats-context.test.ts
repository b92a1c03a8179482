import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, REPOSITORY } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

test('[X13] stats --context lists sources over the files of a folder', async () => {
  const folder = makeFolder()
  const fixture = join(REPOSITORY, 'fixtures/import/claude-code/context.jsonl')
  copyFileSync(fixture, join(folder, 'a.jsonl'))
  copyFileSync(fixture, join(folder, 'b.jsonl'))
  const { out } = await runHere(['stats', folder, '--context', '--workspace', REPOSITORY])
  expect(out).toContain('context: 2 sessions with model calls, 2 with recorded usage')
  expect(out).toMatch(
    / {2}system prompt and tools \(not in the file\): 2 sessions, 27,\d{3} tokens, 9\d %/u,
  )
  expect(out).toMatch(/ {2}CLAUDE\.md: 2 sessions \(every\), \d+ tokens, 0\.\d %/u)
})

test('[X21] each source says whether every session loaded it, and whether one did twice', async () => {
  let made = 0
  const rule = (path: string) => [
    JSON.stringify({
      type: 'attachment',
      sessionId: 's',
      uuid: `u-${(made += 1)}`,
      timestamp: '2026-05-04T08:00:00.000Z',
      attachment: {
        type: 'nested_memory',
        path,
        content: { path, type: 'Project', content: 'Write plainly.', globs: ['**/*.md'] },
      },
    }),
  ]
  const talk = (id: string) => [
    JSON.stringify({
      type: 'user',
      sessionId: 's',
      uuid: `${id}u`,
      timestamp: '2026-05-04T08:00:01.000Z',
      message: { role: 'user', content: 'Count the ducks.' },
    }),
    JSON.stringify({
      type: 'assistant',
      sessionId: 's',
      uuid: `${id}a`,
      timestamp: '2026-05-04T08:00:02.000Z',
      message: { id, role: 'assistant', content: [{ type: 'text', text: 'Three.' }] },
    }),
  ]
  const file = (...lines: ReadonlyArray<readonly string[]>) => `${lines.flat().join('\n')}\n`
  const workspace = makeFolder({
    'CLAUDE.md': '# Ponds\n',
    '.claude/rules/docs.md': 'x',
    '.claude/rules/deep/code.md': 'x',
    '.claude/skills/release/SKILL.md': 'x',
    'in/one.jsonl': file(
      rule('/p/.claude/rules/docs.md'),
      rule('/p/.claude/rules/code.md'),
      talk('a'),
    ),
    'in/two.jsonl': file(
      rule('/p/.claude/rules/docs.md'),
      rule('/p/.claude/rules/docs.md'),
      talk('b'),
    ),
  })
  const args = ['stats', join(workspace, 'in'), '--context', '--workspace', workspace]
  const { out } = await runHere([...args, '--json'])
  const { context } = JSON.parse(out) as {
    readonly context: { readonly sources: ReadonlyArray<Readonly<Record<string, unknown>>> }
  }
  const of = (label: string) => {
    const found = context.sources.find((source) => source['label'] === label)
    return found && [found['loaded'], found['sessions'], found['repeated']]
  }
  expect(of('rule docs.md')).toEqual(['every', 2, 1])
  expect(of('rule code.md')).toEqual(['some', 1, 0])
  expect(of('user messages')).toEqual([null, 2, 0])
  expect(of('CLAUDE.md')).toEqual(['never', 0, 0])
  expect(of('skill release')).toEqual(['never', 0, 0])
  const text = (await runHere(args)).out
  expect(text).toContain('rule docs.md: 2 sessions (every), twice or more in 1,')
  expect(text).toContain('never loaded: CLAUDE.md, skill release')
})
