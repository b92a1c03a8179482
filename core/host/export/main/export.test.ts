import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { RedactionKind } from '../../../engine/schema/redaction.ts'
import { writeSessionFile } from '../../../../fixtures/session-file.ts'
import type { Input } from '../../../wire/rpc.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import {
  collect,
  CONFIG,
  makeFolder,
  makeSession,
  openIn,
  valueOf,
  windowOf,
} from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'
import { openTranscript } from '../../transcripts/transcript.ts'
import { createExportHandlers } from '../session/export-handlers.ts'

const host = makeHostHere({ workers: 1 })
afterAll(() => host.close())
const client = windowOf(host)

const SECRET = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5z'].join('_')
const lines = [
  {
    type: 'session',
    schemaVersion: 1,
    id: 's1',
    title: 'For ann@acme.de',
    cwd: '/home/ann/x',
    x: 1,
  },
  { kind: 'user', text: `clone with ${SECRET}` },
  { kind: 'tool_call', name: 'Bash', text: JSON.stringify({ env: `TOKEN=${SECRET}`, n: 1 }) },
  { kind: 'agent', text: 'wrote to ann@acme.de', note: { deep: ['ann@acme.de'] } },
  { type: 'session', schemaVersion: 1, id: 's2', title: 'Second' },
  { kind: 'user', text: 'bob@acme.de' },
]
const folder = makeFolder({ 'a.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join('') })
const path = join(folder, 'a.jsonl')
const kinds = [...RedactionKind.options]
const { key } = await openIn(client, { kind: 'path', path })

async function write(input: Partial<Input<TurnscopeContract, 'export.write'>>) {
  const all = { key, sessions: null, kinds, keep: [], path: null, ...input }
  const steps = await collect(client, 'export.write', all)
  const text = steps.map((step) => (step.kind === 'chunk' ? step.text : '')).join('')
  const end = steps.at(-1)
  if (end?.kind !== 'written') throw new Error('nothing was written')
  return { text, end }
}

async function review(sessions: number[] | null = null) {
  const last = (await collect(client, 'export.review', { key, sessions, kinds })).at(-1)
  if (last?.kind !== 'reviewed') throw new Error('nothing was reviewed')
  return last
}

test('[R8] the review lists what the export takes out, value by value', async () => {
  const { findings, total, dropped } = await review()
  expect(findings.map(({ kind, value, count }) => [kind, value, count])).toEqual([
    ['email', 'ann@acme.de', 3],
    ['home', 'ann', 1],
    ['key', SECRET, 2],
    ['email', 'bob@acme.de', 1],
  ])
  expect(total).toBe(4)
  expect(findings[0]?.places.map(({ session, seq }) => [session, seq])).toEqual([
    [0, -1],
    [0, 2],
    [0, 2],
  ])
  expect(dropped).toEqual([])
  expect((await review([1])).dropped).toEqual(['1 session that you did not choose'])
})

test('[R2] [R7] what is written holds no secret, says how many it took, and reads back', async () => {
  const { text, end } = await write({})
  expect(text).not.toMatch(/acme|ghp_|\/home\/ann/u)
  expect(end).toMatchObject({ redacted: 7, bytes: Buffer.byteLength(text) })
  const back = valueOf(await readTranscript(Buffer.from(text)))
  expect(back.problemTotal).toBe(0)
  expect(back.sessions.map(({ events }) => events.length)).toEqual([3, 1])
  expect(JSON.parse(String(back.sessions[0]?.events[1]?.text))).toEqual({
    env: 'TOKEN=[REDACTED:key]',
    n: 1,
  })
})

test('[R8] what is kept stays; nothing is taken out without kinds', async () => {
  const { findings } = await review()
  const keep = findings.filter(({ value }) => value === 'ann@acme.de').map(({ id }) => id)
  const { text, end } = await write({ keep })
  expect(text.match(/ann@acme\.de/gu)).toHaveLength(3)
  expect(text).not.toContain('bob@')
  expect(end.redacted).toBe(4)
  const plain = writeSessionFile(valueOf(await readTranscript(path)))
  expect((await write({ kinds: [] })).text).toBe(plain)
  expect((await write({ sessions: [1], kinds: [] })).text).toContain('"Second"')
})

test('[R10] a file is written whole; the transcript itself is never written over', async () => {
  const target = join(folder, 'out.jsonl')
  const { text } = await write({})
  await write({ path: target })
  expect(readFileSync(target, 'utf8')).toBe(text)
  await expect(write({ path })).rejects.toMatchObject({ code: 'REFUSED' })
  await expect(write({ path: join(folder, 'no/where.jsonl') })).rejects.toMatchObject({
    code: 'REFUSED',
  })
  await expect(write({ path: target, sessions: [9] })).rejects.toMatchObject({ code: 'REFUSED' })
  expect(readdirSync(folder).toSorted()).toEqual(['a.jsonl', 'out.jsonl'])
})

test('[R8] looking for what to take out says how far it is, and ends in the middle when cancelled', async () => {
  const many = makeFolder({
    'many.jsonl': makeSession(30_000, (turn) => `mail ann${turn}@acme.de about ${turn}`),
  })
  const opened = valueOf(await openTranscript(join(many, 'many.jsonl')))
  const [session] = opened.transcript.sessions
  if (!session) throw new Error('nothing was read')
  const handlers = createExportHandlers({ opened: () => opened, session: () => session })
  const cancelling = new AbortController()
  const said: unknown[] = []
  const look = async () => {
    const asked = { key: 'many', sessions: null, kinds }
    for await (const step of handlers['export.review'](asked, cancelling)) {
      said.push(step)
      cancelling.abort()
    }
  }
  await expect(look()).rejects.toMatchObject({ name: 'AbortError' })
  expect(said).toEqual([
    { kind: 'progress', phase: 'reviewing', done: expect.any(Number) as number, total: 30_001 },
  ])
  expect((said[0] as { done: number }).done).toBeLessThan(30_001)
})

test('[R2] the clipboard goes through the same rules', async () => {
  const answer = await client.call('export.text', { text: 'mail ann@acme.de', kinds })
  expect(answer).toEqual({ text: 'mail [REDACTED:email]', redacted: 1 })
})

test('[F7] filters of the replay find turns; what is not there is said', async () => {
  const find = (query: string, compare: typeof CONFIG | null = null) =>
    client.call('session.find', { key, session: 0, query, config: CONFIG, compare })
  expect((await find('event:accept')).seqs).toEqual([0])
  expect((await find('-event:accept,same,hold,resist,widen,break')).seqs).toEqual([1, 2])
  expect((await find('flip:any')).problem?.what).toContain('asks a comparison')
  const flips = await find('flip:any', { ...CONFIG, preset: 'literal' })
  expect(flips.problem).toBeNull()
  expect((await find('domain:nosuch')).problem?.do).toContain('Choose of:')
})

test('[F7] [F9] self-signals are found by type, and excerpts come with spans', async () => {
  const reply =
    '<signal type="stuck"><blocker>no access to the host</blocker><attempted>["ssh"]</attempted></signal>'
  const text = [
    { type: 'session', schemaVersion: 1, id: 's1' },
    { kind: 'user', text: 'go on' },
    { kind: 'agent', text: `I cannot. ${reply}` },
    { kind: 'agent', text: 'Now it works.' },
  ]
  const own = makeFolder({ 's.jsonl': text.map((line) => `${JSON.stringify(line)}\n`).join('') })
  const opened = await openIn(client, { kind: 'path', path: join(own, 's.jsonl') })
  const at = { key: opened.key, session: 0 }
  const ask = (query: string) =>
    client.call('session.find', { ...at, query, config: CONFIG, compare: null })
  expect((await ask('signal:stuck')).seqs).toEqual([1])
  expect((await ask('signal:any')).seqs).toEqual([1])
  expect((await ask('signal:partial_answer')).seqs).toEqual([])
  expect((await ask('signal:stuk')).problem?.do).toContain('Did you mean signal:stuck?')
  const { excerpts } = await client.call('session.excerpts', { ...at, query: 'HOST', seqs: [1, 2] })
  expect(excerpts.map(({ seq, spans }) => [seq, spans.length])).toEqual([
    [1, 1],
    [2, 0],
  ])
  const [first] = excerpts
  expect(first?.text.slice(...(first.spans[0] as [number, number]))).toBe('host')
})
