import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { CLI } from '../../../fixtures/built.ts'
import { clientOf, openSocket } from '../../../fixtures/host.ts'
import { TurnTrace } from '../../engine/schema/trace.ts'
import type { AnyCommand } from './command.ts'
import { COMMANDS, commandsFor } from '../commands.ts'

const BIN = fileURLToPath(new URL('../../../bin/turnscope.cjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'turnscope-cli-'))

const TEXTS = [
  'Investigate why the credit rating of Oracle changed and find evidence in the filings',
  'ls -la /tmp/work',
  'Fix the crash: TypeError in parse_config, stack trace below',
]
const session = join(folder, 'session.jsonl')
writeFileSync(
  session,
  [
    { type: 'session', schemaVersion: 1, id: 's1', title: 'Three turns' },
    ...TEXTS.map((text) => ({ kind: 'user', text })),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
)

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the real command line as a child process. */
function run(args: readonly string[], input = '', entry = CLI): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [entry, ...args], { cwd: folder })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

const jsonLines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

test('--help lists every command, exit 0; no argument shows help, exit 2', async () => {
  const help = await run(['--help'])
  expect(help.code).toBe(0)
  for (const { name } of COMMANDS) {
    expect(help.out).toMatch(new RegExp(`^  ${name} `, 'mu'))
  }
  expect((await run([])).code).toBe(2)
})

test('[F98] a command line loads the command that it names, and no other', async () => {
  for (const { name } of COMMANDS)
    expect((await commandsFor([name, 'replay'])).map((each) => each.name)).toEqual([name])
})

/** Top-level help over these commands, unwrapped. */
function helpOf(commands: readonly AnyCommand[]): string {
  const program = new Command('turnscope').configureHelp({ helpWidth: 500 })
  for (const each of commands) each.addTo(program)
  return program.helpInformation()
}

test('[F99] help and mistakes load no command; what help says of each is what the command says', async () => {
  const loaded = await Promise.all(COMMANDS.map(({ load }) => load()))
  for (const args of [[], ['--help'], ['help'], ['replya'], ['--help', 'replay'], ['help', 'tour']])
    expect(helpOf(await commandsFor(args))).toBe(helpOf(loaded))
  const optionsOf = async (args: readonly string[]) => {
    const program = new Command('turnscope')
    for (const each of await commandsFor(args)) each.addTo(program)
    return program.commands.filter(({ options }) => options.some(({ long }) => long === '--json'))
  }
  expect(await optionsOf(['replya'])).toEqual([])
  expect((await optionsOf(['help', 'replay'])).map((each) => each.name())).toEqual(['replay'])
  expect((await run(['replya'])).err).toContain('Did you mean replay?')
  expect((await run(['help', 'replay'])).out).toContain('--preset <name>')
})

test('--version is the one of package.json', async () => {
  const url = new URL('../../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(url, 'utf8')) as { version: string }
  expect((await run(['--version'])).out).toBe(`${version}\n`)
})

test('the bin entry runs the same command line', async () => {
  const result = await run(['--version'], '', BIN)
  expect(result).toMatchObject({ code: 0, err: '' })
})

test.each([
  [['frobnicate'], "unknown command 'frobnicate'"],
  [['replay'], "missing required argument 'file'"],
  [['replay', 'x', '--nope'], "unknown option '--nope'"],
  [['replay', session, '--classify', 'dog'], '"dog" is none of user, agent, tool'],
  [['replay', '/no/such.jsonl'], '/no/such.jsonl: the file cannot be read'],
  [['replay', session, '--preset', 'nope'], 'there is no preset "nope"'],
  [['replay', session, '--domains', '../x'], 'not a domain file'],
  [['explain', session], 'Write FILE#TURN'],
  [['explain', `${session}#4`], 'It has turns 1 to 3'],
  [['explain', `${session}#1`, '--session', '2'], 'It has one session'],
  [['serve', '/no/such.jsonl'], 'there is no such file'],
  [['convert', '/no/such.jsonl'], 'the file cannot be read'],
  [['eval', 'belief', '--domains', '/no/such.yaml'], '/no/such.yaml'],
])('%j ends with 2, nothing on stdout and one clear line', async (args, message) => {
  const result = await run(args)
  expect(result.code).toBe(2)
  expect(result.out).toBe('')
  expect(result.err).toContain(message)
  expect(result.err).toMatch(/^turnscope: /u)
  expect(result.err).not.toContain('    at ')
})

test('replay prints a table: one line a turn, numbered from 1', async () => {
  const { code, out, err } = await run(['replay', session])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const lines = out.trimEnd().split('\n')
  expect(lines[0]).toContain('Three turns  3 turns')
  expect(lines[1]).toMatch(/turn {2}kind +primary \+ secondary/u)
  expect(lines.slice(2).map((line) => line.trim().split(/\s+/u)[0])).toEqual(['1', '2', '3'])
  expect(lines[3]).toContain('ls -la')
})

test('[I102] replay says of a sub-agent whose it is, and which event started it', async () => {
  const project = new URL('../../../fixtures/import/claude-code/sub-agents/', import.meta.url)
  const file = new URL('2b9d4c10-7e31-4f6a-9c55-0d8e1f3a6b20.jsonl', project)
  const { out } = await run(['replay', fileURLToPath(file)])
  const heads = out.split('\n').filter((line) => line.includes(fileURLToPath(file)))
  expect(heads).toHaveLength(6)
  expect(heads[0]).not.toContain('  sub-agent ')
  expect(heads.join('\n')).toMatch(/ {2}sub-agent ab40004, started by event\s9 {2}/u)
})

test('replay --json prints one whole trace a line, with the file', async () => {
  const { code, out } = await run(['replay', session, session, '--json'])
  expect(code).toBe(0)
  const traces = jsonLines(out)
  expect(traces).toHaveLength(6)
  for (const trace of traces) {
    expect(trace).toMatchObject({ file: session, session: 's1' })
    expect(TurnTrace.safeParse(trace).error).toBeUndefined()
  }
})

test('[F213] explain says the decision first, then the signals by name; patterns only when asked', async () => {
  const { code, out } = await run(['explain', `${session}#3`])
  expect(code).toBe(0)
  expect(out).toMatch(
    /^Turn 3: [\w +]+, by rule [A-Z]\d+: .+\n {2}event 3, user, \d+ characters\n/u,
  )
  expect(out).toContain('Momentum')
  expect(out).toContain(' matched "')
  expect(out).not.toMatch(/ \/.+\/ matched "/u)
  const withPatterns = await run(['explain', `${session}#3`, '--patterns'])
  expect(withPatterns.out).toMatch(/ \/.+\/ matched "/u)
  const json = await run(['explain', `${session}#3`, '--json'])
  expect(TurnTrace.safeParse(JSON.parse(json.out)).success).toBe(true)
})

test('convert writes native JSONL that replays the same', async () => {
  const source = join(folder, 'messages.json')
  writeFileSync(source, JSON.stringify(TEXTS.map((content) => ({ role: 'user', content }))))
  const converted = join(folder, 'converted.jsonl')
  const written = await run(['convert', source, '-o', converted])
  expect(written).toMatchObject({ code: 0, out: '' })
  expect(written.err).toContain('not carried over')
  const plain = await run(['convert', source])
  expect(plain.out).toBe(readFileSync(converted, 'utf8'))
  const primary = async (file: string) =>
    jsonLines((await run(['replay', file, '--json'])).out).map((t) => (t as TurnTrace).primary)
  expect(await primary(converted)).toEqual(await primary(session))
})

test('a reader that goes away (| head) ends the command quietly', async () => {
  const many = join(folder, 'many.jsonl')
  const line = `${JSON.stringify({ kind: 'user', text: TEXTS[0] })}\n`
  writeFileSync(many, readFileSync(session, 'utf8') + line.repeat(2_000))
  const child = spawn(process.execPath, [CLI, 'replay', many, '--json'])
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  child.stdout.once('data', () => child.stdout.destroy())
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect({ code, err }).toEqual({ code: 0, err: '' })
})

test('serve prints its address alone, opens the file in the first window, ends on SIGTERM with 0', async () => {
  const site = join(folder, 'site')
  mkdirSync(site, { recursive: true })
  writeFileSync(join(site, 'index.html'), '<title>here</title>')
  const args = ['serve', session, '--root', site, '--workspace', folder, '--preset', 'field']
  const child = spawn(process.execPath, [CLI, ...args, '--json'])
  let out = ''
  const url = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      if (out.endsWith('\n')) resolve((JSON.parse(out) as { url: string }).url)
    })
  })
  expect(await (await fetch(new URL('/', url))).text()).toContain('here')
  const client = clientOf(await openSocket(url))
  expect((await client.call('settings.get', {})).preset).toBe('field')
  const event = await new Promise((resolve) => {
    client.subscribe('host.events', {}, { next: resolve })
  })
  expect(event).toMatchObject({ kind: 'open', source: { kind: 'path', path: session } })
  child.kill('SIGTERM')
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  expect(out.split('\n')).toHaveLength(2)
  await expect(fetch(new URL('/', url))).rejects.toThrow()
})

test('serve says when the port is in use, or the window is not built', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const site = join(folder, 'site2')
  expect((await run(['serve', '--root', site])).err).toContain('the window is not built')
  mkdirSync(site)
  writeFileSync(join(site, 'index.html'), '')
  const args = ['serve', '--root', site, '--workspace', folder, '--port', String(port)]
  const taken = await run(args)
  expect(taken.code).toBe(2)
  expect(taken.err).toContain(`127.0.0.1:${port}: the port is in use`)
  server.close()
})

test('eval belief answers every line in order, stateful per session', async () => {
  const domains = join(folder, 'domains.yaml')
  writeFileSync(
    domains,
    'domains:\n  - name: coding\n    signals: [python, function]\n  - name: conversation\n    signals: [hello]\n',
  )
  const lines = [
    { session: 'a', message: 'a python function' },
    { session: 'b', message: 'hello' },
    { session: 'a', message: 'python again' },
    { message: 'python' },
  ]
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const { code, out } = await run(['eval', 'belief', '--domains', domains], input)
  expect(code).toBe(0)
  const answers = jsonLines(out)
  expect(answers).toMatchObject([
    { primary: { domain: 'coding', confidence: 2, signals: [0, 1] }, momentum: 1, secondary: null },
    { primary: { domain: 'conversation' } },
    { primary: { domain: 'coding' }, momentum: 2, event: 'same' },
    { primary: { domain: 'coding' }, momentum: 1 },
  ])
})
