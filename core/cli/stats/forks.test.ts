import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const folder = makeFolder()

function write(name: string, records: ReadonlyArray<Record<string, unknown>>): void {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), records.map((record) => JSON.stringify(record)).join('\n'))
}

const item = (role: string, text: string, day: number) => ({
  timestamp: `2026-09-0${day}T09:00:00.000Z`,
  type: 'response_item',
  payload: {
    type: 'message',
    role,
    content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  },
})
const meta = (id: string, more: object = {}) => ({
  timestamp: '2026-09-01T09:00:00.000Z',
  type: 'session_meta',
  payload: { id, cwd: '/p', originator: 'codex_cli_rs', cli_version: '0.152.0', ...more },
})
const first = [item('user', 'Find the slow query.', 1), item('assistant', 'It lacks an index.', 1)]
write('codex/rollout-a.jsonl', [meta('aaa'), ...first])
write('codex/rollout-b.jsonl', [
  meta('bbb', { forked_from_id: 'aaa' }),
  meta('aaa'),
  ...first,
  item('user', 'Deploy the fix.', 2),
])

const record = (sessionId: string, uuid: string, parent: string | null, more: object = {}) => ({
  type: 'user',
  uuid,
  parentUuid: parent,
  sessionId,
  isSidechain: false,
  cwd: '/p',
  version: '2.0.0',
  timestamp: '2026-09-01T09:00:00.000Z',
  message: { role: 'user', content: `Find the slow query ${uuid.at(-1)}.` },
  ...more,
})
const fork = (uuid: string) => ({ forkedFrom: { sessionId: 'ccc', messageUuid: uuid } })
write('claude/ccc.jsonl', [record('ccc', 'u-1', null), record('ccc', 'u-2', 'u-1')])
write('claude/ddd.jsonl', [
  record('ddd', 'u-1', null, fork('u-1')),
  record('ddd', 'u-2', 'u-1', fork('u-2')),
  record('ddd', 'u-3', 'u-2'),
])

it.each([
  ['codex', 2, 1],
  ['claude', 3, 2],
])('[I211] [I212] %s: stats counts %i turns, and names %i copies', async (name, turns, copies) => {
  const { out } = await runHere(['stats', join(folder, name)])
  expect(out).toMatch(new RegExp(`^turns {14}${turns},`, 'mu'))
  expect(out).toMatch(new RegExp(`^copies {13}${copies} more turn`, 'mu'))
  const json = await runHere(['stats', join(folder, name), '--json'])
  expect(JSON.parse(json.out)).toMatchObject({ turns, copies, coverage: { turns } })
})

it.each([
  ['codex', 1],
  ['claude', 3],
])(
  '[I212] %s: find prints an event once and says how many copies it left out',
  async (name, lines) => {
    const { out, err } = await runHere(['find', 'slow query', join(folder, name)])
    expect(out.trim().split('\n')).toHaveLength(lines)
    expect(err).toMatch(/left out: copies/u)
  },
)
