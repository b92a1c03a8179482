import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { OutputType, VerdictSource } from '../../../engine/schema/coach.ts'
import type { CoachSettings } from '../../../engine/schema/coach-wire.ts'
import { connect } from '../../../wire/rpc.ts'
import type { Host } from '../../entries/host.ts'
import { portPair } from '../../../../fixtures/port-pair.ts'
import { distrusting } from '../../../../fixtures/trust.ts'
import { streamOf } from '../../../wire/stream-of.ts'
import { collect, makeFolder, openIn, REPOSITORY } from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'
import {
  type Api,
  type ModelServer,
  type Received,
  type Reply,
  settingsFor,
  startModelServer,
  verdictText,
} from '../../../../fixtures/model-servers.ts'

const KEY = 'tk-verysecret-0123456789abcdef'
const SECRET = ['sk-', 'ant-api03-', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5z'].join('')
const OUTPUTS = [
  'Fixed the time zone bug in `dates.py` (commit 4be19aa). `pytest`: 61 passed in 3.1s.',
  'Implemented the importer. It should work now.',
  'Let me check the logs first.',
  'Understood, I will be more careful going forward.',
  // Put together here, so that no scanner of repositories takes the test for a leak.
  `Should I delete the old table? Mail me at jane.doe@kontor-doe.eu, the key is ${SECRET}.`,
]
const [COMPLETION, STATUS, QUESTION] = ['completion', 'status', 'question'].map((type) =>
  OutputType.options.findIndex((one) => one === type),
)

const ends: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

function sessionFile(outputs: readonly string[], header: object = {}): string {
  const lines = [
    { type: 'session', schemaVersion: 1, id: 's1', title: 'Coach', ...header },
    ...outputs.flatMap((text) => [
      { kind: 'user', at: 1_700_000_000_000, text: 'go on' },
      { kind: 'agent', at: 1_700_000_000_001, text },
    ]),
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

interface Setting {
  readonly outputs?: readonly string[]
  readonly header?: object
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

/** The shipped files that the coach needs. A host over all shipped files takes seconds to start. */
const SHIPPED = makeFolder(
  Object.fromEntries(
    [
      'prompts/coach/system.md',
      'prompts/coach/user.md',
      'prompts/coach/rules.yaml',
      'fixtures/coach/written.train.jsonl',
    ].map((path) => [path, readFileSync(join(REPOSITORY, path), 'utf8')]),
  ),
)

/** A host over a separate workspace, with one session opened. */
async function start({ outputs = OUTPUTS, header, files = {}, env }: Setting = {}) {
  const workspace = makeFolder({ ...files, 'work.jsonl': sessionFile(outputs, header) })
  const stateDir = join(workspace, '.turnscope')
  const said: string[] = []
  const trusting = distrusting(env ?? { TURNSCOPE_COACH_KEY: KEY })
  const open = () => {
    const host: Host = makeHostHere({
      workspace,
      shipped: SHIPPED,
      stateDir,
      env: trusting,
      say: (line) => said.push(line),
    })
    const { left, right } = portPair()
    host.mount(left)
    ends.push(() => host.close())
    return { host, client: connect<TurnscopeContract>(right) }
  }
  const { client, host } = open()
  const opened = await openIn(client, { kind: 'path', path: join(workspace, 'work.jsonl') })
  const of = { key: opened.key, session: 0 }
  return { workspace, stateDir, said, client, host, of, open }
}

async function serve(api: Api, reply: (n: number, call: Received) => Reply | Promise<Reply>) {
  const server: ModelServer = await startModelServer(api, reply)
  ends.push(() => server.close())
  return server
}

type Started = Awaited<ReturnType<typeof start>>

async function turnOn({ client }: Started, settings: CoachSettings): Promise<void> {
  await client.call('settings.set', { coach: settings })
}

async function run({ client, of }: Started, seqs: number[] | null = null) {
  const steps = await collect(client, 'coach.run', { ...of, seqs })
  const done = steps.at(-1)
  if (done?.kind !== 'done') throw new Error('the batch did not end')
  return { steps, done }
}

/** Every file below a folder, as one text. */
function everything(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
}

describe('coach of a session', () => {
  it('[V5] [V17] judges every agent text by the rules; what passes and what goes back', async () => {
    const { client, of } = await start()
    const columns = await client.call('coach.session', of)
    expect(columns.seq).toEqual([1, 3, 5, 7, 9])
    expect(columns.type).toEqual([COMPLETION, STATUS, STATUS, STATUS, QUESTION])
    expect(columns.passes).toEqual([1, 0, 0, 0, 1])
    expect(new Set(columns.source)).toEqual(new Set([VerdictSource.options.indexOf('rules')]))
  })

  it('[V14] shows the request as it would be sent, after redaction', async () => {
    const { client, of } = await start({
      header: { plan: '# Plan\n\n## Success criteria\n- it runs\n', skill: 'build' },
    })
    const output = await client.call('coach.output', { ...of, seq: 9 })
    expect(output.context).toMatchObject({ plan: null, skill: 'build', criteria: ['it runs'] })
    expect(output.request.user).toContain('it runs')
    expect(output.request.user).toMatch(/^<<<DATA (?<mark>[0-9a-f]{24})\n[^]*\nDATA \k<mark>>>>$/mu)
    expect(output.request.user).toContain('Should I delete the old table?')
    expect(output.request.user).not.toContain('jane.doe@')
    expect(output.request.user).not.toContain(SECRET)
    expect(output.request.user).toContain('[REDACTED:key]')
    expect(output.request.redacted).toBe(2)
    expect(output.message).toBeNull()
    const back = await client.call('coach.output', { ...of, seq: 3 })
    expect(back.message).toMatch(/^\[System Coach\] .*should work/i)
    await expect(client.call('coach.output', { ...of, seq: 0 })).rejects.toThrow('no output')
  })

  it('[V18] nothing is sent while no model is turned on', async () => {
    const server = await serve('anthropic', () => ({ say: verdictText() }))
    const one = await start()
    await turnOn(one, settingsFor('anthropic', server.url, { mode: 'off' }))
    await one.client.call('coach.session', one.of)
    await one.client.call('coach.output', { ...one.of, seq: 1 })
    const { done } = await run(one)
    expect(done).toMatchObject({ calls: 0, failure: { kind: 'off' } })
    const lab = {
      draft: { system: null, rules: null },
      use: 'model',
      text: 'Done.',
      session: null,
    } as const
    const result = (await collect(one.client, 'coach.lab', lab)).at(-1)
    expect(result).toMatchObject({ kind: 'result', failure: { kind: 'off' } })
    expect(await one.client.call('coach.test', {})).toMatchObject({ ok: false })
    expect(server.received).toEqual([])
  })

  it('[V19] without a key nothing is sent to a foreign address; a local one needs none', async () => {
    const one = await start({ env: {} })
    await turnOn(one, settingsFor('anthropic', 'https://api.example.com/v1'))
    expect((await run(one)).done).toMatchObject({ calls: 0, failure: { kind: 'no_key' } })
    const server = await serve('openai-compatible', () => ({ say: verdictText() }))
    await turnOn(one, settingsFor('openai-compatible', server.url))
    expect((await run(one, [1])).done).toMatchObject({ calls: 1, failure: null })
    expect(server.received[0]?.headers.authorization).toBeUndefined()
  })
})

describe.each<Api>(['anthropic', 'openai-compatible'])('coach with a model, %s', (api) => {
  it('[V10] [V13] [V20] gates are never sent, answers are kept, and the same call is not paid twice', async () => {
    const server = await serve(api, (_, { body }) => ({
      say: JSON.stringify(body).includes('Implemented the importer')
        ? verdictText({ type: 'status', coaching_message: 'Run it.' })
        : verdictText(),
    }))
    const one = await start()
    await turnOn(one, settingsFor(api, server.url))
    const estimate = await one.client.call('coach.estimate', { ...one.of, seqs: null })
    expect(estimate).toMatchObject({ outputs: 5, gated: 2, cached: 0, calls: 3, problem: null })
    const first = await run(one)
    expect(first.done).toMatchObject({ calls: 3, cached: 0, failed: 0, failure: null })
    expect(first.done.dollars).toBeCloseTo(3 * ((1000 * 1 + 50 * 5) / 1e6))
    expect(JSON.stringify(server.received.map((call) => call.body))).not.toContain('going forward')
    const columns = await one.client.call('coach.session', one.of)
    expect(columns.type).toEqual([COMPLETION, STATUS, STATUS, STATUS, COMPLETION])
    expect(columns.disagrees).toEqual([0, 0, 0, 0, 1])
    expect(columns.source.map((code) => VerdictSource.options[code])).toEqual([
      'model',
      'model',
      'rules',
      'rules',
      'model',
    ])
    const output = await one.client.call('coach.output', { ...one.of, seq: 3 })
    expect(output).toMatchObject({
      message: '[System Coach] Run it.',
      cost: { inputTokens: 1000, outputTokens: 50 },
      verdict: { source: 'model' },
    })

    const again = await run(one)
    expect(again.done).toMatchObject({ calls: 0, cached: 3, dollars: null })
    await one.host.close()
    const other = one.open()
    const opened = await openIn(other.client, {
      kind: 'path',
      path: join(one.workspace, 'work.jsonl'),
    })
    const later = { ...one, client: other.client, of: { key: opened.key, session: 0 } }
    expect((await run(later)).done).toMatchObject({ calls: 0, cached: 3 })
    const kept = await other.client.call('coach.session', later.of)
    expect(kept.source.map((code) => VerdictSource.options[code])[0]).toBe('cache')
    expect(server.received).toHaveLength(3)
  })

  it('[V19] the key reaches the server and nothing else', async () => {
    const server = await serve(api, (n) =>
      n === 0
        ? { say: verdictText() }
        : { status: 401, body: JSON.stringify({ error: { message: `bad key ${KEY}` } }) },
    )
    const one = await start()
    await turnOn(one, settingsFor(api, server.url))
    const seen = [
      (await run(one, [1])).steps,
      (await run(one, [3])).steps,
      await one.client.call('coach.output', { ...one.of, seq: 3 }),
      await one.client.call('coach.key', {}),
      await one.client.call('coach.test', {}),
      await one.client.call('settings.get', {}),
    ]
    expect(JSON.stringify(server.received[0]?.headers)).toContain(KEY)
    expect(seen[2]).toMatchObject({ failure: { kind: 'unauthorized' } })
    await one.host.close()
    expect(JSON.stringify([seen, one.said])).not.toContain(KEY)
    expect(everything(one.workspace)).not.toContain(KEY)
  })

  it('[V18] a failure is a state on the turn; the rules verdict stands, and other turns go on', async () => {
    const server = await serve(api, (n) =>
      n === 0
        ? { say: 'I am not sure.' }
        : { say: '', stop: api === 'anthropic' ? 'refusal' : 'content_filter' },
    )
    const one = await start()
    await turnOn(one, settingsFor(api, server.url))
    expect((await run(one, [1])).done).toMatchObject({ calls: 1, failed: 0 })
    const unreadable = await one.client.call('coach.output', { ...one.of, seq: 1 })
    expect(unreadable.verdict).toMatchObject({ type: 'completion', source: 'rules' })
    expect(unreadable.verdict.flags).toContain('unparsable')
    expect((await run(one, [3, 9])).done).toMatchObject({ calls: 0, failed: 2, failure: null })
    const columns = await one.client.call('coach.session', one.of)
    expect(columns.failed).toEqual([0, 1, 0, 0, 1])
    expect(columns.type[1]).toBe(STATUS)
  })

  it('[V42] a run stops at its ceiling, keeps what was judged and says what was used', async () => {
    const server = await serve('anthropic', () => ({ say: verdictText() }))
    const one = await start()
    await turnOn(one, settingsFor('anthropic', server.url, { maxTokens: 3500 }))
    const { done, steps } = await run(one)
    // 1,050 tokens are used by a call, and one more has to fit with its longest answer.
    expect(server.received.length).toBeGreaterThan(0)
    expect(server.received.length).toBeLessThan(4)
    expect(done.calls).toBe(server.received.length)
    expect(done.failed).toBe(0)
    expect(done.failure).toMatchObject({ kind: 'ceiling' })
    expect(done.failure?.what).toContain(`used: `)
    expect(steps.filter((step) => step.kind === 'judged')).toHaveLength(done.calls)
    const { source } = await one.client.call('coach.session', one.of)
    expect(source.filter((code) => VerdictSource.options[code] === 'model')).toHaveLength(
      done.calls,
    )
  })

  it('[V42] a ceiling in dollars without prices is refused before anything is sent', async () => {
    const server = await serve('anthropic', () => ({ say: verdictText() }))
    const one = await start()
    const unpriced = { maxCost: 1, inputPrice: null, outputPrice: null }
    await turnOn(one, settingsFor('anthropic', server.url, unpriced))
    expect((await run(one)).done.failure?.what).toContain('prices are unknown')
    expect(server.received).toEqual([])
  })

  it('[V20] a refused key ends the batch: the rest is not sent', async () => {
    const server = await serve(api, () => ({ status: 401 }))
    const one = await start({
      outputs: Array.from({ length: 30 }, (_, n) => `Which file is number ${n}?`),
    })
    await turnOn(one, settingsFor(api, server.url))
    const { done } = await run(one)
    expect(done.failure?.kind).toBe('unauthorized')
    expect(server.received.length).toBeLessThanOrEqual(4)
  })

  it('[V20] at most four calls are on their way, and cancelling stops them', async () => {
    const server = await serve(api, () => ({ hang: true }))
    const one = await start({
      outputs: Array.from({ length: 20 }, (_, n) => `Which file is number ${n}?`),
    })
    await turnOn(one, settingsFor(api, server.url))
    const stop = new AbortController()
    const steps = streamOf(one.client, 'coach.run', { ...one.of, seqs: null }, stop.signal)
    const ended = (async () => {
      const seen = []
      for await (const step of steps) seen.push(step.kind)
      return seen
    })()
    await expect.poll(() => server.received.length).toBe(4)
    stop.abort()
    expect(await ended).toEqual([])
    await expect.poll(() => server.dropped()).toBe(4)
    expect(server.received).toHaveLength(4)
    expect(server.most()).toBe(4)
  })

  it('[V16] every classification is in the log, after redaction', async () => {
    const server = await serve(api, () => ({ say: verdictText({ reason: 'seen' }) }))
    const one = await start()
    await turnOn(one, settingsFor(api, server.url))
    await one.client.call('coach.session', one.of)
    await one.client.call('coach.session', one.of)
    await run(one, [9])
    await one.host.close()
    const path = join(one.stateDir, 'coach', 'audit.jsonl')
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(entries.map((entry) => entry['source'])).toEqual([
      ...Array<string>(5).fill('rules'),
      'model',
    ])
    expect(entries.at(-1)).toMatchObject({ result: 'completion', confidence: 0.95, reason: 'seen' })
    expect(lines.join('')).not.toContain('jane.doe@')
  })
})

describe('coach files, labels and lab', () => {
  const HANGS = readFileSync(join(REPOSITORY, 'prompts/coach/rules.yaml'), 'utf8').replace(
    'cues:\n',
    "cues:\n  - id: never-ends\n    kind: question\n    pattern: '(?:a+)+$!'\n",
  )

  it('[V15] a pattern that never ends is named and switched off; all outputs are judged', async () => {
    const outputs = [`Done ${'a'.repeat(60)}b`, ...OUTPUTS]
    const { client, of } = await start({ outputs, files: { 'prompts/coach/rules.yaml': HANGS } })
    const columns = await client.call('coach.session', of)
    expect(columns.type.slice(1)).toEqual([COMPLETION, STATUS, STATUS, STATUS, QUESTION])
    expect(columns.type[0]).toBe(STATUS)
  })

  it('[V11] broken rules of the workspace are said; those that ship stand in', async () => {
    const { client, of } = await start({ files: { 'prompts/coach/rules.yaml': 'cues: 5\n' } })
    const files = await client.call('coach.files', {})
    expect(files.problem).toContain('prompts/coach/rules.yaml')
    expect((await client.call('coach.session', of)).type).toHaveLength(5)
  })

  it('[V13] [V20] a saved prompt has another hash; old verdicts are kept, compared in the lab, and priced before', async () => {
    const server = await serve('anthropic', () => ({ say: verdictText() }))
    const one = await start()
    await turnOn(one, settingsFor('anthropic', server.url))
    const { promptHash, system, rules } = await one.client.call('coach.files', {})
    const base = { system, rules }
    await run(one, [1])
    const saved = await one.client.call('coach.save', {
      base,
      system: `${system}\nBe strict.\n`,
      rules: null,
    })
    expect(saved.promptHash).not.toBe(promptHash)
    const output = await one.client.call('coach.output', { ...one.of, seq: 1 })
    expect(output.response).toBeNull()
    expect(output.runs).toMatchObject([{ promptHash, model: 'test-model' }])
    // [F20] Of the text that was replaced by then.
    await expect(
      one.client.call('coach.save', { system: 'mine', rules: null, base }),
    ).rejects.toThrow('changed by another program')
    expect((await one.client.call('coach.files', {})).system).toContain('Be strict')
    await expect(
      one.client.call('coach.save', { system: null, rules: 'x: 1', base }),
    ).rejects.toThrow('rules.yaml')
    const question = { type: 'question', note: null } as const
    await one.client.call('coach.label', { ...one.of, seq: 1, label: question })
    const lab = { draft: { system: null, rules: null }, text: null, session: one.of }
    const estimate = await one.client.call('coach.labEstimate', lab)
    expect(estimate).toMatchObject({ outputs: 1, gated: 0, cached: 0, calls: 1, problem: null })
    expect(estimate.dollars).toBeGreaterThan(0)
    expect((await run(one, [1])).done.calls).toBe(1)
    const again = await one.client.call('coach.labEstimate', lab)
    expect(again).toMatchObject({ cached: 1, calls: 0, inputTokens: 0, dollars: 0 })
    const result = (await collect(one.client, 'coach.lab', { ...lab, use: 'model' })).at(-1)
    const verdict = { type: 'completion', source: 'model' }
    expect(result).toMatchObject({
      against: 'earlier',
      changed: 0,
      before: { labelled: 1 },
      rows: [{ before: { type: 'completion' }, after: verdict, label: 'question' }],
    })
    expect(server.received).toHaveLength(2)
  })

  it('[V21] labels are kept beside the workspace, judged in the lab, and can be removed', async () => {
    const one = await start()
    const { client, of } = one
    await client.call('coach.label', { ...of, seq: 3, label: { type: 'status', note: 'a guess' } })
    await client.call('coach.label', { ...of, seq: 9, label: { type: 'blocker', note: null } })
    expect((await client.call('coach.session', of)).label).toEqual([
      -1,
      STATUS,
      -1,
      -1,
      OutputType.options.indexOf('blocker'),
    ])
    expect(readdirSync(join(one.workspace, 'labels'))).toEqual(['work.jsonl.coach.jsonl'])
    const draft = { system: null, rules: null }
    const lab = { draft, use: 'rules', text: null, session: of } as const
    const result = (await collect(client, 'coach.lab', lab)).at(-1)
    expect(result).toMatchObject({
      kind: 'result',
      changed: 0,
      score: { labelled: 2, type: { hits: 1, of: 2 } },
      rows: [
        { seq: 3, label: 'status' },
        { seq: 9, label: 'blocker' },
      ],
    })
    const broken = { ...lab, draft: { system: null, rules: 'cues: 5' } }
    expect((await collect(client, 'coach.lab', broken)).at(-1)).toMatchObject({
      rows: [],
      problem: expect.stringContaining('rules.yaml') as unknown,
    })
    const all = (await collect(client, 'coach.lab', { ...lab, session: null })).at(-1)
    expect(all?.kind === 'result' && all.rows.length).toBeGreaterThan(60)
    // [L100] Both kinds of labels are parted by source, and those that the rules were written on are marked.
    expect(result).toMatchObject({
      basis: { labelled: 2, sources: 1, madeFrom: { turns: 0 }, ceiling: null },
    })
    expect(all).toMatchObject({
      basis: {
        sources: 2,
        madeFrom: { sources: ['shipped examples'], others: { hits: 1, of: 2 } },
      },
    })
    await client.call('coach.label', { ...of, seq: 3, label: null })
    expect((await client.call('coach.session', of)).label[1]).toBe(-1)
  })

  it('a patch of other settings leaves the coach as it is', async () => {
    const one = await start()
    const coach = settingsFor('anthropic', 'http://127.0.0.1:9/v1')
    await turnOn(one, coach)
    await one.client.call('settings.set', { theme: 'dark' })
    expect((await one.client.call('settings.get', {})).coach).toEqual(coach)
  })
})
