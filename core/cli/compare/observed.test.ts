import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const CODING = 'Refactor the function in parser.py and fix the failing unit test'
const line = (value: object) => JSON.stringify(value)
const HEADER = line({ type: 'session', schemaVersion: 1, id: 's', title: 'Recorded' })

function fileOf(...events: readonly object[]): string {
  const path = join(makeFolder({}), 'recorded.jsonl')
  writeFileSync(path, `${[HEADER, ...events.map(line)].join('\n')}\n`)
  return path
}

it('[I90] [I91] what a file recorded is compared with what these rules say', async () => {
  const plain = fileOf({ kind: 'user', text: CODING })
  const said = await runHere(['replay', plain, '--json'])
  const trace = JSON.parse(said.out) as { readonly primary: { readonly domain: string } }
  const { domain } = trace.primary
  const file = fileOf(
    { kind: 'user', text: CODING, _bst_domain: domain },
    {
      kind: 'user',
      text: CODING,
      _bst_compound: { primary: { domain: 'planning', confidence: 2 }, secondary: null },
    },
    { kind: 'user', text: CODING },
    {
      kind: 'meta',
      text: '[BST] romance (2 signals) + coding (1 signal) | sig=coding+romance | momentum=1',
    },
    { kind: 'user', text: '[BST] quoted (9 signals) | sig=quoted' },
  )
  const { code, out } = await runHere(['diff', '--observed', file])
  expect(code).toBe(1)
  expect(out).toContain(`2  ran as planning (_bst_compound), these rules say ${domain}`)
  expect(out).toContain('3  ran as romance + coding (log line)')
  expect(out).not.toContain('quoted')
  expect(out).toContain('2 of 3 recorded turns differ (4 turns in all); they part first in turn 2')
  const json = await runHere(['diff', '--observed', file, '--json'])
  const summary: unknown = JSON.parse(json.out.trimEnd().split('\n').at(-1) ?? '')
  expect(summary).toMatchObject({ type: 'observed', recorded: 3, parted: 2, first: 2 })
})

it('[I91] a file without a record says what was looked for; two sides are asked for otherwise', async () => {
  const file = fileOf({ kind: 'user', text: CODING })
  const none = await runHere(['diff', '--observed', file])
  expect(none.code).toBe(2)
  expect(none.err).toContain('no turn has a recorded domain')
  const sides = await runHere(['diff', file])
  expect(sides.code).toBe(2)
  expect(sides.err).toContain('--observed')
})

it('[L53] recorded query types, self-signals and verdicts are compared too', async () => {
  const file = fileOf(
    { kind: 'user', text: CODING, query_type: 'conversational' },
    { kind: 'agent', text: 'What do you mean?', self_signal: { type: 'stuck' } },
    { kind: 'meta', name: 'verdict', text: '{"type":"completion","confidence":0.9}' },
  )
  const { code, out } = await runHere(['diff', '--observed', file])
  expect(code).toBe(1)
  expect(out).toContain('event 1  query: code → conversational (recorded)')
  expect(out).toContain('event 2  self-signal: none → stuck (recorded)')
  expect(out).toContain('event 2  verdict: question → completion (recorded)')
  expect(out).toContain('1 of 1 recorded of verdict differ')
  const json = await runHere(['diff', '--observed', file, '--json'])
  const [first = '', ...rest] = json.out.trimEnd().split('\n')
  expect(JSON.parse(first)).toMatchObject({
    type: 'parted',
    stage: 'query',
    seq: 0,
    observed: 'conversational',
    replayed: 'code',
  })
  const summary: unknown = JSON.parse(rest.at(-1) ?? '')
  expect(summary).toMatchObject({ recorded: 0, stages: [{ stage: 'query' }, {}, {}] })
})
