import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { someCases } from '../../../fixtures/cases.ts'
import { makeFolder } from '../../../fixtures/host.ts'
import { type Ran, runCli } from '../../../fixtures/run-cli.ts'
import { runHere } from '../../../fixtures/run-here.ts'
import { announceServe } from '../../host/windows/opener.ts'

/** A terminal hyperlink: its address and its text. */
const LINK = new RegExp(String.raw`\x1b\]8;;([\x21-\x7e]+)\x1b\\(.*?)\x1b\]8;;\x1b\\`, 'gu')
const lines = (...all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

const FIX = 'fix the bug in the parser'
const SIGNAL = '<signal confidence="0.5" type="need_turn"><reason>one more file</reason></signal>'
const NAME = 'a name & ünïcode.jsonl'
const root = makeFolder({
  // The second session is asked about: an address that names no session would open another one. Its turns are numbered
  // otherwise where agents' outputs are turns too.
  [NAME]: lines(
    { type: 'session', schemaVersion: 1, id: 'one', title: 'One' },
    { kind: 'user', text: 'hello' },
    { type: 'session', schemaVersion: 1, id: 'two & more', title: 'Two' },
    { kind: 'agent', text: 'So.\n<signal type="need_turn">\n <reason>cut' },
    { kind: 'tool_call', text: 'ls' },
    { kind: 'user', text: FIX, _bst_domain: 'planning' },
    { kind: 'user', text: 'ok' },
    { kind: 'agent', text: `Reading.\n${SIGNAL}` },
  ),
  'labels.jsonl': lines(
    { type: 'turn', session: 'two & more', event: 2, sha256: hashOf(FIX), primary: 'planning' },
    { type: 'text', text: 'hello', primary: 'planning' },
  ),
  'other.yaml': `name: other\ndomains:
  - { name: planning, priority: 1, signals: ['\\bfix\\b'] }
  - { name: conversation, priority: 99, signals: [] }\n`,
  'rows.csv': `session_id,turn,role,message\n"s, 1",1,user,hello\n"s, 1",2,user,${FIX}\n`,
})
const at = (name: string): string => join(root, name)
const FILE = at(NAME)
const TABLE = at('rows.csv')
const BATCH = at('results')
const PORT = 7_311
let forget: () => Promise<void>

beforeAll(async () => {
  vi.stubEnv('XDG_STATE_HOME', makeFolder())
  forget = await announceServe({ workspace: root, port: PORT })
  const made = await runCli(['batch', FILE, TABLE, '--out', BATCH, '--workspace', root])
  expect(made.err).toContain('5 turns')
}, 60_000)
afterAll(async () => {
  await forget()
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

const run = (args: readonly string[]): Promise<Ran> => runHere([...args, '--workspace', root])

const AT = { s: `path:${FILE}`, n: '1', event: '2' }
const OTHER = ['--domains', at('other.yaml')]
/** Output of commands about the turn of `FIX`: the link text, and the place that it opens. */
const COMMANDS: ReadonlyArray<
  readonly [title: string, args: readonly string[], text: string, place: object]
> = [
  ['find', ['find', 'parser', FILE], `${FILE}:6`, AT],
  ['replay', ['replay', FILE], '1', AT],
  ['replay of agents too', ['replay', FILE, '--classify', 'user,agent'], '2', AT],
  ['explain', ['explain', `${FILE}#1`, '--session', '2'], 'Turn 1', AT],
  ['check', ['check', FILE, '--labels', at('labels.jsonl')], 'turn 1', AT],
  [
    'diff',
    ['diff', FILE, '--base', 'domains:default', '--head', `domains:${at('other.yaml')}`],
    '1',
    AT,
  ],
  ['diff --observed', ['diff', '--observed', FILE], '1', AT],
  [
    'diff of other stages',
    ['diff', FILE, '--base', 'preset:recommended', '--head', 'preset:literal', ...OTHER],
    'event 5',
    { ...AT, event: '4' },
  ],
  ['queue', ['queue', FILE, '--rules-only'], 'turn 2', { ...AT, event: '3' }],
  ['lint', ['lint', FILE, '--rule', 'self-signal'], `${FILE}:4`, { ...AT, event: '0' }],
  [
    'results of a transcript',
    ['results', BATCH, '--list', 'turns', '--domain', 'bugfix'],
    '1',
    { s: AT.s, id: 'two & more', turn: '1' },
  ],
  [
    'results of a table',
    ['results', BATCH, '--list', 'turns', '--domain', 'bugfix'],
    '2',
    { s: `result:${JSON.stringify([BATCH, TABLE, 's, 1'])}`, turn: '2' },
  ],
]

describe('[F189] a turn in the output of a command is a link to the window at that turn', () => {
  it.each(someCases('cli: links to turns', COMMANDS))('%s', async (_, args, text, place) => {
    const [written, plain, never, json] = await Promise.all([
      run([...args, '--links', 'always']),
      run(args),
      run([...args, '--links', 'never']),
      run([...args, '--links', 'always', '--json']),
    ])
    const links = [...written.out.matchAll(LINK)].map(([, address = '', shown]) => {
      const url = new URL(address)
      expect(url.origin).toBe(`http://127.0.0.1:${PORT}`)
      return [shown, Object.fromEntries(new URLSearchParams(url.hash.slice(1)))]
    })
    expect(links).toContainEqual([text, place])
    // Into a pipe nothing is linked, and the text is the same, byte for byte.
    expect(plain.out).not.toContain('\u001B')
    expect(written.out.replaceAll(LINK, '$2')).toBe(plain.out)
    expect(never).toEqual(plain)
    expect(json.out).not.toContain('\u001B')
    expect(written.code).toBe(plain.code)
  })

  test('a text that stands in a labels file is no place of a session', async () => {
    const { out } = await run(['check', '--labels', at('labels.jsonl'), '--links', 'always'])
    expect(out).toContain('wrong-primary')
    expect(out).not.toContain('\u001B')
  })
})
