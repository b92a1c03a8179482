import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { SCRATCH_EVENT, type ScratchText } from '../../../engine/schema/scratch.ts'
import { connect } from '../../../wire/rpc.ts'
import {
  CONFIG,
  collect,
  makeFolder,
  makeSession,
  openIn,
  replayIn,
  REPOSITORY,
  windowOf,
} from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'
import { portPair } from '../../../../fixtures/port-pair.ts'

const workspace = makeFolder()
const stateDir = makeFolder()
const host = makeHostHere({ workers: 1, workspace, stateDir })
afterAll(() => host.close())
const client = windowOf(host)

const SAMPLE = join(REPOSITORY, 'fixtures/sessions/st-003.jsonl')
const WRITTEN: readonly ScratchText[] = [
  { kind: 'user', text: 'Write a python function that parses the table and add unit tests' },
  { kind: 'agent', text: 'I will start now. <signal type="need_turn">more to do</signal>' },
  { kind: 'tool', text: 'TypeError: cannot read properties of undefined, stack trace below' },
  { kind: 'agent', text: 'All done, everything is fixed and all tests pass.' },
  { kind: 'user', text: 'thanks. Now investigate why the credit rating of Oracle changed' },
]

/** A native file with the texts behind some lines. */
function fileOf(head: readonly string[], texts: readonly ScratchText[]): string {
  const lines = texts.map(({ kind, text }) => JSON.stringify({ kind: SCRATCH_EVENT[kind], text }))
  const path = join(makeFolder(), 'session.jsonl')
  writeFileSync(path, [...head, ...lines, ''].join('\n'))
  return path
}

const HEAD = JSON.stringify({ type: 'session', schemaVersion: 1, id: 's', title: 'By hand' })

/** All that a window shows of the last event of a file. */
async function ofFile(path: string, seq: number, config = CONFIG) {
  const { key } = await openIn(client, { kind: 'path', path })
  const { columns } = await replayIn(client, key, config)
  const turn = columns.seq.indexOf(seq)
  const at = { key, session: 0, config }
  const { kind } = (
    await client.call('session.rows', { ...at, from: seq, to: seq + 1, maxChars: 1 })
  ).rows[0] ?? { kind: null }
  const answer =
    kind === 'user'
      ? await client.call('session.prompt', { ...at, seq, compare: null, probe: false })
      : null
  const said = kind === 'agent' ? await client.call('session.response', { ...at, seq }) : null
  return {
    seq,
    kind,
    trace: turn < 0 ? null : await client.call('session.trace', { ...at, turn }),
    query: answer?.query ?? null,
    prompt: answer?.prompt ?? null,
    selfSignal: said?.trace ?? null,
    verdict:
      kind === 'agent' ? (await client.call('coach.output', { key, session: 0, seq })).rules : null,
  }
}

async function begin(from: { key: string; session: number; seq: number; turn: number } | null) {
  const { id } = await client.call('scratch.begin', { from })
  return { id, ...(await openIn(client, { kind: 'scratch', id })) }
}

describe('[U160] a text is tried as a replay would decide it', () => {
  test('an empty scratch session: every text as it is typed, then as it stands', async () => {
    const { id, key, sessions } = await begin(null)
    expect(sessions).toMatchObject([{ events: 0 }])
    const written: ScratchText[] = []
    for (const one of WRITTEN) {
      const at = written.length
      const steps = [1, 9, Math.floor(one.text.length / 2), one.text.length]
      for (const typed of steps.map((length) => one.text.slice(0, length))) {
        const input = { key, session: 0, at, config: CONFIG, kind: one.kind, text: typed }
        const tried = await client.call('scratch.try', input)
        const path = fileOf([HEAD], [...written, { kind: one.kind, text: typed }])
        expect(tried).toEqual(await ofFile(path, at))
      }
      written.push(one)
      const change = { id, key, written, undone: [], rest: false }
      const grown = await client.call('scratch.write', change)
      expect(grown).toMatchObject({ kind: 'grown', generation: 0, complete: true })
      expect(grown.sessions[0]?.events).toBe(written.length)
    }
  })

  test('agents classified: what is typed decides whether the output before it is a turn', async () => {
    const config = { ...CONFIG, classify: { user: true, agent: true, tool: true } }
    const before = WRITTEN.slice(0, 2)
    const { id, key } = await begin(null)
    await client.call('scratch.write', { id, key, written: [...before], undone: [], rest: false })
    for (const one of [WRITTEN[2], WRITTEN[4], WRITTEN[3]]) {
      if (!one) throw new Error('there is no such text')
      const tried = await client.call('scratch.try', { key, session: 0, at: 2, config, ...one })
      expect(tried).toEqual(await ofFile(fileOf([HEAD], [...before, one]), 2, config))
    }
  })

  test('in the place of a recorded turn, with momentum as it was before it', async () => {
    const { key } = await openIn(client, { kind: 'path', path: SAMPLE })
    const { columns } = await replayIn(client, key)
    const lines = readFileSync(SAMPLE, 'utf8').trimEnd().split('\n')
    for (const turn of [1, 12, 40]) {
      const seq = columns.seq[turn - 1] ?? 0
      const one: ScratchText = { kind: 'user', text: 'roll a d20 for the dragon of the campaign' }
      const input = { key, session: 0, at: seq, config: CONFIG, ...one }
      const tried = await client.call('scratch.try', input)
      expect(tried.trace?.turn).toBe(turn - 1)
      expect(tried).toEqual(await ofFile(fileOf(lines.slice(0, seq + 1), [one]), seq))
    }
  })

  test('a pattern that never ends is stopped, and all else is said', async () => {
    mkdirSync(join(workspace, 'profiles/domains'), { recursive: true })
    const domains = ['- {name: loops, signals: ["(a+)+$"]}', '- {name: plain, signals: ["dragon"]}']
    writeFileSync(
      join(workspace, 'profiles/domains/hanging.yaml'),
      `domains:\n  ${domains.join('\n  ')}\n`,
    )
    const { key } = await begin(null)
    const config = { ...CONFIG, domains: 'hanging' }
    const text = `dragon ${'a'.repeat(40)}!`
    const input = { key, session: 0, at: 0, config, kind: 'user' as const, text }
    const { trace } = await client.call('scratch.try', input)
    expect(trace?.warnings.join()).toContain('was cut off')
    expect(trace?.domains.find(({ domain }) => domain === 'plain')?.score).toBe(1)
  })
})

describe('[U161] a scratch session is a session', () => {
  test('undo is another file, redo another one again; both are replayed like any', async () => {
    const { id, key } = await begin(null)
    const write = (count: number) => {
      const written = WRITTEN.slice(0, count)
      const undone = WRITTEN.slice(count).toReversed()
      return client.call('scratch.write', { id, key, written, undone, rest: false })
    }
    expect((await write(5)).sessions[0]?.events).toBe(5)
    const back = await write(3)
    expect(back.sessions[0]?.events).toBe(3)
    expect(back.generation).toBe(1)
    const whole = await openIn(client, { kind: 'path', path: fileOf([HEAD], WRITTEN.slice(0, 3)) })
    const expected = (await replayIn(client, whole.key)).columns
    expect((await replayIn(client, key)).columns).toEqual(expected)
    expect((await write(5)).sessions[0]?.events).toBe(5)
  })

  test('[U165] what was written, and what was taken back, is there after a restart', async () => {
    const { id, key } = await begin(null)
    const first = WRITTEN.slice(0, 2)
    const second = WRITTEN.slice(2, 3)
    const change = { id, key, written: [...first], undone: [...second], rest: false }
    await client.call('scratch.write', change)
    const later = makeHostHere({ workers: 1, workspace, stateDir })
    const ends = portPair()
    later.mount(ends.right)
    const other = connect<TurnscopeContract>(ends.left)
    expect(await other.call('scratch.read', { id })).toMatchObject({
      written: first,
      undone: second,
    })
    expect((await openIn(other, { kind: 'scratch', id })).sessions[0]?.events).toBe(2)
    await later.close()
  })

  test('[U165] the oldest make room, but none that is on screen', async () => {
    const shown = await begin(null)
    const { id: gone } = await client.call('scratch.begin', { from: null })
    for (let more = 0; more < 21; more += 1) await client.call('scratch.begin', { from: null })
    await expect(client.call('scratch.read', { id: gone })).rejects.toThrow('does not have')
    expect((await client.call('scratch.read', { id: shown.id })).written).toEqual([])
  })
})

describe('[U162] a branch', () => {
  async function branch(turn: number) {
    const { key } = await openIn(client, { kind: 'path', path: SAMPLE })
    const { columns } = await replayIn(client, key)
    const seq = columns.seq[turn - 1] ?? 0
    return { seq, columns, ...(await begin({ key, session: 0, seq, turn })) }
  }

  test('has the history before the turn, decided as it was recorded', async () => {
    const { id, seq, key, sessions, columns } = await branch(12)
    const pad = await client.call('scratch.read', { id })
    expect(pad.from).toMatchObject({ seq, turn: 12, kind: 'tool' })
    expect(sessions.map(({ title }) => title)).toEqual([
      expect.stringMatching(/^As recorded: /u),
      expect.stringMatching(/^Branch at turn 12: /u),
    ])
    expect(sessions[1]?.events).toBe(seq)
    const replayed = await collect(client, 'session.replay', {
      key,
      session: 1,
      config: CONFIG,
      compare: null,
    })
    const last = replayed.at(-1)
    if (last?.kind !== 'replayed') throw new Error('nothing was replayed')
    expect(last.columns.primary).toEqual(columns.primary.slice(0, 11))
    expect(last.columns.momentum).toEqual(columns.momentum.slice(0, 11))
  })

  test('[U163] says what is decided otherwise behind it when the rest is kept', async () => {
    const { id, seq, key, columns } = await branch(7)
    const { from } = await client.call('scratch.read', { id })
    const after = (written: number) =>
      client.call('scratch.after', { key, from: seq, written, config: CONFIG })
    const write = (written: ScratchText[], rest: boolean) =>
      client.call('scratch.write', { id, key, written, undone: [], rest })

    // The very same text: nothing changes.
    await write([{ kind: from?.kind ?? 'user', text: from?.text ?? '' }], true)
    expect(await after(1)).toEqual({ turns: columns.turns - 7, changed: 0, rows: [] })

    const other: ScratchText[] = Array.from({ length: 4 }, () => ({
      kind: 'user',
      text: 'Write a python function that parses the table, fix the bug, add unit tests',
    }))
    const grown = await write(other, true)
    const answer = await after(4)
    expect(answer.turns).toBe(columns.turns - 7)
    expect(answer.changed).toBeGreaterThan(0)
    expect(answer.rows[0]?.was).not.toBe(answer.rows[0]?.is)

    // The same events in a separate file have the same decisions.
    const lines = readFileSync(SAMPLE, 'utf8').trimEnd().split('\n')
    const path = fileOf(lines.slice(0, seq + 1), other)
    writeFileSync(path, `${readFileSync(path, 'utf8')}${lines.slice(seq + 2).join('\n')}\n`)
    const whole = await openIn(client, { kind: 'path', path })
    expect(grown.sessions[1]?.events).toBe(whole.sessions[0]?.events)
    const expected = (await replayIn(client, whole.key)).columns
    const steps = await collect(client, 'session.replay', {
      key,
      session: 1,
      config: CONFIG,
      compare: null,
    })
    expect(steps.at(-1)).toMatchObject({ columns: expected })

    await write(other, false)
    expect(await after(4)).toEqual({ turns: 0, changed: 0, rows: [] })
  })

  test('[U163] a question about the rest that is given up ends no thread', async () => {
    const { seq, key } = await branch(7)
    const input = { key, from: seq, written: 0, config: { ...CONFIG, preset: 'literal' } }
    const stop = new AbortController()
    const asked = client.call('scratch.after', input, stop.signal)
    stop.abort()
    await expect(asked).rejects.toThrow()
    expect(await client.call('scratch.after', input)).toMatchObject({ changed: 0 })
  })

  test('an event that nobody wrote is refused', async () => {
    const { key } = await openIn(client, { kind: 'path', path: fileOf([HEAD], WRITTEN) })
    const from = { key, session: 0, seq: 99, turn: null }
    await expect(client.call('scratch.begin', { from })).rejects.toThrow('written by no person')
  })
})

describe('[U164] [F95] kept', () => {
  async function written() {
    const { id, key } = await begin(null)
    await client.call('scratch.write', { id, key, written: [...WRITTEN], undone: [], rest: false })
    return key
  }

  test('as a session of the workspace, that opens like any; never over a file', async () => {
    const key = await written()
    const input = { key, session: 0, name: 'my case', label: null, seq: 4 }
    const { path } = await client.call('scratch.keep', input)
    expect(path).toBe(join(workspace, 'sessions/my case.jsonl'))
    const opened = await openIn(client, { kind: 'path', path })
    expect(opened.sessions).toMatchObject([{ title: 'my case', events: 5 }])
    const { columns } = await replayIn(client, opened.key)
    expect(columns).toEqual((await replayIn(client, key)).columns)
    await expect(client.call('scratch.keep', input)).rejects.toThrow('of this name already')
    const outside = { ...input, name: '../out' }
    await expect(client.call('scratch.keep', outside)).rejects.toThrow()
  })

  test('as a labelled case, through the store of labels', async () => {
    const key = await written()
    const label = { primary: 'finance', note: 'by hand' }
    const input = { key, session: 0, name: 'labelled', label, seq: 4 }
    const { path, labels } = await client.call('scratch.keep', input)
    expect(labels).toBe(join(workspace, 'sessions/labelled.labels.jsonl'))
    const { key: kept } = await openIn(client, { kind: 'path', path })
    expect(await client.call('labels.get', { key: kept, session: 0 })).toMatchObject({
      labels: [{ seq: 4, label: { primary: 'finance' } }],
    })
  })

  test('is refused politely where the workspace cannot be written', async () => {
    // The tests may run as root, which no rights hold back: a file in the folder's place does.
    const elsewhere = makeHostHere({ workers: 1, workspace: makeFolder({ sessions: '' }) })
    const ends = portPair()
    elsewhere.mount(ends.right)
    const other = connect<TurnscopeContract>(ends.left)
    const { id } = await other.call('scratch.begin', { from: null })
    const { key } = await openIn(other, { kind: 'scratch', id })
    const input = { key, session: 0, name: 'refused', label: null, seq: 0 }
    await expect(other.call('scratch.keep', input)).rejects.toThrow('could not be kept')
    await elsewhere.close()
  })
})

test('[U160] the probe is asked for the text with the messages before it', async () => {
  const { key } = await openIn(client, {
    kind: 'path',
    path: join(makeFolder({ 's.jsonl': makeSession(3) }), 's.jsonl'),
  })
  const text = 'What happened at Rogue’s End after the Tower Faction arrived?'
  const input = { key, session: 0, at: 3, text, config: CONFIG }
  const result = await client.call('scratch.probe', input)
  expect(result.phrases.length + (result.skipped === null ? 0 : 1)).toBeGreaterThan(0)
})
