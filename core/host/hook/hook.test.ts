import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { caseCount } from '../../../fixtures/cases.ts'
import { CLI } from '../../../fixtures/built.ts'
import { type Ran, runCli } from '../../../fixtures/run-cli.ts'
import { HOME } from '../../place.ts'
import { type HookCall, createHookAnswerer } from './answer.ts'
import { HOOK_AGENTS } from './agents.ts'
import { askResident } from './ask.ts'
import { residentFile } from './places.ts'
import { keepProblems } from './problems.ts'
import { recordPath } from './record.ts'
import { startResident } from './resident.ts'

const START = join(HOME, 'bin', 'turnscope.cjs')
const temporary = () => mkdtempSync(join(tmpdir(), 'turnscope-hook-test-'))

const config = { preset: 'recommended', domains: 'default', profile: null, classify: null }
const prompted = (session: string, prompt: string, more: object = {}) =>
  JSON.stringify({
    session_id: session,
    cwd: '/code',
    transcript_path: '/t.jsonl',
    prompt,
    ...more,
  })
const callOf = (record: string | null, input: string, more: Partial<HookCall> = {}): HookCall => ({
  agent: 'claude-code',
  input,
  workspace: HOME,
  config,
  record,
  at: 1_700_000_000_000,
  ...more,
})

const SUBJECTS = ['parser', 'export', 'login page', 'cache', 'report', 'migration', 'release notes']
const ASKS = [
  (what: string) => `fix the crash in the ${what}`,
  (what: string) => `now write a test for the ${what}`,
  () => 'ok',
  (what: string) => `explain how the ${what} works`,
  (what: string) => `refactor the ${what} into smaller functions`,
  (what: string) => `Write a short poem about the ${what}`,
  () => 'go on',
  (what: string) => `plan the steps to replace the ${what}`,
]
const promptAt = (at: number) =>
  ASKS[(at * 5) % ASKS.length]?.(SUBJECTS[(at * 3) % SUBJECTS.length] ?? '') ?? ''

/** Starts the program as an agent does. */
function runHook(state: string, args: readonly string[], input: string): Promise<Ran> {
  return runCli(['hook', ...args], input, START, { ...process.env, XDG_STATE_HOME: state })
}

interface Line {
  readonly kind?: string
  readonly text?: string
  readonly name?: string
  readonly _bst_domain?: string
  readonly _bst_compound?: { readonly compound_signature: string; readonly momentum_turns: number }
}
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** Decisions of a replay of a file, as the command line prints them. */
async function replayed(path: string) {
  const { out, code } = await runCli(['replay', path, '--json'])
  expect(code).toBe(0)
  const traces = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly written?: unknown; readonly enrichment?: string })
    .filter(({ written }) => written !== undefined)
  return traces.map(({ written, enrichment }) => ({ written, enrichment }))
}

/** The same as they were recorded. */
function recorded(path: string) {
  const lines = linesOf(path)
  return lines.flatMap(({ kind, _bst_domain, _bst_compound }, at) => {
    if (kind !== 'user') return []
    const next = lines[at + 1]
    const enrichment = next?.kind === 'injected' && next.name === 'turnscope' ? next.text : ''
    return [{ written: { _bst_domain, _bst_compound }, enrichment }]
  })
}

describe('the hook of a coding agent', () => {
  it('[F173] prompts are answered as a replay of their record answers them, with a host that is killed in the middle', async () => {
    const state = temporary()
    const folder = join(state, 'turnscope', 'live')
    const env = { ...process.env, XDG_STATE_HOME: state }
    const host = spawn(process.execPath, [CLI, 'hook', 'serve'], { env, stdio: 'ignore' })
    await expect.poll(() => existsSync(residentFile(folder))).toBe(true)
    const own = createHookAnswerer({ shipped: HOME, version: 'test' })
    const version = (
      JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8')) as Line & { version: string }
    ).version
    let byHost = 0
    const count = caseCount('hook: prompts of a record')
    for (let at = 0; at < count; at += 1) {
      if (at === count / 2) host.kill('SIGKILL')
      const input = prompted('one', promptAt(at))
      const asked = { args: [], input, at, cwd: '/', folder }
      const said = await askResident(residentFile(folder), version, asked)
      if (said === null) {
        const answer = await own.answer(callOf(folder, input, { at }))
        expect(answer.problems).toEqual([])
      } else byHost += 1
    }
    expect(byHost).toBeGreaterThanOrEqual(count / 2 - 1)
    const path = recordPath(folder, 'claude-code', 'one')
    const decisions = recorded(path)
    expect(decisions).toHaveLength(count)
    expect(decisions).toEqual(await replayed(path))
    expect(new Set(decisions.map(({ written }) => written._bst_domain)).size).toBeGreaterThan(4)
  }, 120_000)

  it('[F170] every agent is answered in its own words, and nothing is injected where it takes nothing', async () => {
    const { answer } = createHookAnswerer({ shipped: HOME, version: 'test' })
    const outs = await Promise.all(
      HOOK_AGENTS.map(async ({ name }) => {
        const input = JSON.stringify({
          session_id: 's',
          conversation_id: 's',
          prompt: 'fix the crash',
          workspace_roots: ['/code'],
        })
        const said = await answer(callOf(null, input, { agent: name }))
        return [name, JSON.parse(said.out) as object] as const
      }),
    )
    const context: unknown = expect.stringContaining('Domain: bugfix')
    const submitted = {
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: context },
    }
    expect(Object.fromEntries(outs)).toEqual({
      'claude-code': submitted,
      codex: submitted,
      droid: submitted,
      'gemini-cli': {
        hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: context },
      },
      cursor: { continue: true },
    })
  })

  it('[F171] whatever comes, the exit code is 0, stdout is empty, and the problem is kept', async () => {
    const state = temporary()
    const cases: ReadonlyArray<readonly [readonly string[], string]> = [
      [[], 'no JSON at all'],
      [[], '{}'],
      [[], '{"session_id":7,"prompt":null}'],
      [['--nonsense'], prompted('s', 'fix it')],
      [['--agent', 'nobody'], prompted('s', 'fix it')],
      [['--workspace', join(state, 'missing'), '--preset', 'missing'], prompted('s', 'fix it')],
      [['--domains', join(state, 'missing.yaml')], prompted('s', 'fix it')],
    ]
    for (const [args, input] of cases) {
      const ran = await runHook(state, args, input)
      expect([args, ran.code, ran.out]).toEqual([args, 0, ''])
      expect(ran.err).toMatch(/^turnscope: .{10}/u)
    }
    const kept = readFileSync(join(state, 'turnscope', 'live', 'problems.jsonl'), 'utf8')
    expect(kept.trimEnd().split('\n')).toHaveLength(cases.length)
    expect(await runHook(state, [], prompted('s', 'fix the crash'))).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('Domain: bugfix') as unknown,
    })
  }, 60_000)

  it('[F171] where the record cannot be written, the prompt goes on', async () => {
    const folder = temporary()
    writeFileSync(join(folder, 'claude-code'), 'a file in the place of the folder')
    const { answer } = createHookAnswerer({ shipped: HOME, version: 'test' })
    const said = await answer(callOf(folder, prompted('s', 'fix the crash')))
    expect(said.out).toBe('')
    expect(said.problems[0]?.what).toContain('could not be classified or recorded')
  })

  it('[F171] a profile that is missing, and a pattern that never ends, are said; the prompt is answered', async () => {
    const { answer } = createHookAnswerer({ shipped: HOME, version: 'test' })
    const unprofiled = { ...config, profile: 'no-such-model' }
    const said = await answer(callOf(null, prompted('s', 'fix the crash'), { config: unprofiled }))
    expect(said.out).toContain('Domain: bugfix')
    expect(said.problems).toMatchObject([
      {
        what: expect.stringContaining('no-such-model') as unknown,
        where: 'profile "no-such-model"',
      },
    ])
    const domains = join(temporary(), 'endless.yaml')
    writeFileSync(
      domains,
      'name: x\ndomains:\n  - name: endless\n    signals: ["^(x+x+)+y$"]\n  - name: bugfix\n    signals: [{ id: bug, pattern: bug }]\n',
    )
    const slow = await answer(
      callOf(null, prompted('s', `a bug ${'x'.repeat(5000)}`), { config: { ...config, domains } }),
    )
    const hung = await answer(
      callOf(null, prompted('s', 'x'.repeat(5000)), { config: { ...config, domains } }),
    )
    expect(slow.problems).toEqual([])
    expect(hung.problems).toMatchObject([{ where: 'endless/1' }])
    // As if no signal had matched: nothing is injected by these domains.
    expect(hung.out).toBe('')
  })

  it('[F172] a record is for its owner alone, and names that are no file names get one', async () => {
    const folder = temporary()
    const { answer } = createHookAnswerer({ shipped: HOME, version: 'test' })
    const session = '../../etc/passwd'
    await answer(callOf(folder, prompted(session, 'fix the crash')))
    const path = recordPath(folder, 'claude-code', session)
    expect(path.startsWith(join(folder, 'claude-code'))).toBe(true)
    expect(recordPath(folder, 'claude-code', '.._.._etc_passwd')).not.toBe(path)
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o077).toBe(0)
    const [header, user, injected] = linesOf(path)
    expect(header).toMatchObject({ type: 'session', id: session, cwd: '/code' })
    expect(user).toMatchObject({ kind: 'user', _bst_domain: 'bugfix', at: 1_700_000_000_000 })
    expect(injected).toMatchObject({ kind: 'injected', name: 'turnscope' })
  })

  const MACHINE = [
    [
      'notification',
      '<task-notification>\n<summary>debug the crash</summary>\n</task-notification>',
    ],
    [
      'notification',
      'Another Claude session sent a message:\n<teammate-message>fix it</teammate-message>',
    ],
    ['notification', '<agent-message from="b">\nplease debug the crash\n</agent-message>'],
    ['command', '<local-command-stdout>the crash is fixed</local-command-stdout>'],
    ['injected', '<system-reminder>\nThe crash needs debugging\n</system-reminder>'],
    ['injected', '<deploy-gate>\nfix the crash first\n</deploy-gate>'],
    ['summary', 'This session is being continued from a previous conversation: debug the crash'],
    ['interruption', '[Request interrupted by user]'],
  ] as const

  it('[F195] prompts that no user typed have the importers’ kinds, inject nothing, and leave the state', async () => {
    const { answer } = createHookAnswerer({ shipped: HOME, version: 'test' })
    const plain = temporary()
    const mixed = temporary()
    const typed = ['write the docs for the cache', 'ok', 'go on']
    for (const [at, prompt] of typed.entries()) {
      await answer(callOf(plain, prompted('s', prompt)))
      await answer(callOf(mixed, prompted('s', prompt)))
      for (const [, text] of at === 1 ? MACHINE : []) {
        const said = await answer(callOf(mixed, prompted('s', text)))
        expect([text, said.out]).toEqual([text, ''])
      }
    }
    const path = recordPath(mixed, 'claude-code', 's')
    const all = linesOf(path).filter(({ kind, text }) =>
      MACHINE.some((each) => each[1] === text && kind !== undefined),
    )
    expect(all.map(({ kind, text }) => [kind, text])).toEqual(MACHINE.map((each) => [...each]))
    expect(recorded(path)).toEqual(recorded(recordPath(plain, 'claude-code', 's')))
    expect(recorded(path)).toEqual(await replayed(path))
  }, 240_000)

  it('[F195] a session may begin with a machine’s prompt; notes before typed words are not classified', async () => {
    const folder = temporary()
    const { answer } = createHookAnswerer({ shipped: HOME, version: 'test' })
    const unknown = await answer(
      callOf(folder, prompted('s', '<deploy-gate>\nfix it\n</deploy-gate>')),
    )
    expect(unknown.problems).toMatchObject([
      { what: expect.stringContaining('<deploy-gate>') as unknown },
    ])
    const note = '<ide_selection>a crash</ide_selection>'
    await answer(callOf(folder, prompted('s', `${note}write the docs`)))
    const path = recordPath(folder, 'claude-code', 's')
    const lines = linesOf(path).map(({ kind, text }) => [kind, text])
    expect(lines.slice(1, 4)).toEqual([
      ['injected', '<deploy-gate>\nfix it\n</deploy-gate>'],
      ['injected', note],
      ['user', 'write the docs'],
    ])
    expect(linesOf(path)[0]).toMatchObject({ title: 'Claude Code' })
    expect(recorded(path)).toEqual(await replayed(path))
  })

  it('[F195] every agent lets a machine’s prompt through', async () => {
    const { answer } = createHookAnswerer({ shipped: HOME, version: 'test' })
    for (const { name, answer: words } of HOOK_AGENTS) {
      const input = JSON.stringify({
        session_id: 's',
        conversation_id: 's',
        prompt: '<system-reminder>fix the crash</system-reminder>',
      })
      expect((await answer(callOf(null, input, { agent: name }))).out).toBe(words(''))
    }
  })

  it('[F171] a byte order mark before the JSON is accepted', async () => {
    const { answer } = createHookAnswerer({ shipped: HOME, version: 'test' })
    const said = await answer(callOf(null, `\uFEFF${prompted('s', 'fix the crash')}`))
    expect(said).toMatchObject({
      problems: [],
      out: expect.stringContaining('Domain: bugfix') as unknown,
    })
  })

  it.skipIf(process.platform === 'win32')(
    '[F172] folders of records have mode 0700 before anything is written, also those of an earlier version',
    async () => {
      const { answer } = createHookAnswerer({ shipped: HOME, version: 'test' })
      const folder = temporary()
      const agentFolder = join(folder, 'claude-code')
      mkdirSync(agentFolder, { mode: 0o755 })
      await answer(callOf(folder, prompted('s', 'fix the crash')))
      expect(statSync(agentFolder).mode & 0o777).toBe(0o700)
      const live = join(temporary(), 'live')
      mkdirSync(live, { mode: 0o755 })
      await keepProblems(live, { at: 1, agent: 'codex' }, [{ what: 'a', where: 'b', do: 'c' }])
      expect(statSync(live).mode & 0o777).toBe(0o700)
    },
  )

  it('[F171] whatever a host answers, the exit code is 0', async () => {
    const state = temporary()
    const folder = join(state, 'turnscope', 'live')
    mkdirSync(folder, { recursive: true })
    const { version } = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8')) as Line & {
      version: string
    }
    const answers = ['', 'no JSON\n', '{"out":"x","problems":[null]}\n']
    const socket =
      process.platform === 'win32' ? `\\\\.\\pipe\\turnscope-test-${process.pid}` : join(state, 's')
    const left = [...answers]
    const server = createServer((client) => {
      client.on('error', () => undefined)
      client.once('data', () => client.end(left.shift() ?? ''))
    })
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    const place = { token: 't', version, pid: process.pid }
    writeFileSync(residentFile(folder), JSON.stringify({ ...place, socket }))
    for (const text of answers) {
      const ran = await runHook(state, ['--no-record'], prompted('s', 'fix the crash'))
      expect([text, ran.code]).toEqual([text, 0])
      expect(ran.out).toContain('Domain: bugfix')
    }
    expect(left).toEqual([])
    server.close()
    // A place that no socket can be at.
    writeFileSync(residentFile(folder), JSON.stringify({ ...place, socket: 'a\0b' }))
    const ran = await runHook(state, ['--no-record'], prompted('s', 'fix the crash'))
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('bugfix') as unknown })
  }, 120_000)

  it('[F173] a line that was torn costs itself, and another configuration decides the whole record again', async () => {
    const folder = temporary()
    const { answer } = createHookAnswerer({ shipped: HOME, version: 'test' })
    const path = recordPath(folder, 'claude-code', 's')
    for (const prompt of ['fix the crash', 'fix the other bug too'])
      await answer(callOf(folder, prompted('s', prompt)))
    appendFileSync(path, '{"kind":"user","text":"write a poe')
    await answer(callOf(folder, prompted('s', 'ok')))
    const whole = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => !line.endsWith('poe'))
    writeFileSync(path, whole.join('\n'))
    expect(recorded(path)).toEqual(await replayed(path))
    const field = { ...config, preset: 'literal' }
    await answer(callOf(folder, prompted('s', 'and now?'), { config: field }))
    const { out } = await runCli(['replay', path, '--json', '--preset', 'literal'])
    const last = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as { written: object }
    expect(recorded(path).at(-1)?.written).toEqual(last.written)
  })

  it('[F174] a host answers only who knows its secret', async () => {
    const folder = temporary()
    const version = 'test'
    const answerer = createHookAnswerer({ shipped: HOME, version })
    const resident = await startResident({ folder, version, answerer })
    afterAll(() => resident.close())
    const file = residentFile(folder)
    const asked = {
      args: ['--no-record'],
      input: prompted('s', 'fix the crash'),
      at: 1,
      cwd: '/',
      folder,
    }
    expect(await askResident(file, version, asked)).toMatchObject({ problems: [] })
    expect(await askResident(file, 'another version', asked)).toBeNull()
    const forged = join(folder, 'forged.json')
    const place = JSON.parse(readFileSync(file, 'utf8')) as object
    writeFileSync(forged, JSON.stringify({ ...place, token: 'guessed' }))
    expect(await askResident(forged, version, asked)).toBeNull()
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0)
    await resident.close()
    expect(existsSync(file)).toBe(false)
    expect(await askResident(file, version, asked)).toBeNull()
  })
})
