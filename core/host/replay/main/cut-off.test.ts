import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  CONFIG,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  replayIn,
  windowOf,
} from '../../../../fixtures/host.ts'

const DOMAINS = `domains:
  - name: coding
    signals:
      - python
      - {pattern: "^(a+)+$", dialect: js}
  - name: conversation
    signals: [hello]
`

test('[B16] [T61] a catastrophic pattern is cut off once, reported and switched off; the rest is right', async () => {
  const folder = makeFolder({
    'profiles/domains/bad.yaml': DOMAINS,
    // Every fourth text makes the second pattern backtrack for ever.
    's.jsonl': makeSession(24, (turn) =>
      turn % 4 === 3 ? `${'a'.repeat(40)}b python` : 'python aa',
    ),
  })
  const host = makeHost({ workspace: folder })
  const client = windowOf(host)
  const { key } = await openIn(client, { kind: 'path', path: join(folder, 's.jsonl') })
  const config = { ...CONFIG, domains: 'bad' }
  const { columns } = await replayIn(client, key, config)
  expect(columns.turns).toBe(24)
  expect(columns.primaryScore.every((score) => score === 1)).toBe(true)
  expect(columns.cutOffs.map((cut) => cut.turn)).toEqual([3])
  for (const cut of columns.cutOffs) {
    expect(cut).toMatchObject({ domain: 'coding', signal: 1, pattern: '^(a+)+$', chars: 48 })
    expect(cut.elapsedMs).toBeGreaterThan(0)
  }
  expect(columns.warnings.join('\n')).toContain('^(a+)+$')
  const trace = await client.call('session.trace', { key, session: 0, turn: 3, config })
  expect(trace.domains[0]?.signals.map((signal) => signal.cutOff)).toEqual([false, true])
  const rows = { key, session: 0, from: 3, to: 4, maxChars: 100, config }
  expect((await client.call('session.rows', rows)).rows[0]?.marks).toEqual([
    { span: [42, 48], domain: 'coding', signal: 0 },
  ])
  await host.close()
})
