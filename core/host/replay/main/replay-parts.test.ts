import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { joinColumns } from '../../../wire/replay-part.ts'
import type { ReplayConfig } from '../../../engine/schema/replay.ts'
import {
  collect,
  CONFIG,
  makeFolder,
  makeSession,
  openIn,
  replayIn,
  windowOf,
} from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'

const host = makeHostHere()
const one = windowOf(host)
const two = windowOf(host)
afterAll(() => host.close())

type Window = typeof one
type Replayed = Awaited<ReturnType<typeof replayIn>>

/** Requests a replay as the window does: passes the known rows, and appends the new ones. */
async function replayOn(
  client: Window,
  key: string,
  before: Replayed | null,
  config: ReplayConfig = CONFIG,
): Promise<Replayed> {
  const known = before && { run: before.run, turns: before.columns.turns }
  const input = { key, session: 0, config, compare: null, known }
  const last = (await collect(client, 'session.replay', input)).at(-1)
  if (last?.kind !== 'replayed') throw new Error('nothing was replayed')
  const columns = before ? joinColumns(before.columns, last.from, last.columns) : last.columns
  return { ...last, columns }
}

/** The data of a window that opens the file now. */
async function asOpenedNow(path: string, config: ReplayConfig = CONFIG) {
  const { key } = await openIn(two, { kind: 'path', path })
  const { columns } = await replayIn(two, key, config)
  await two.call('session.close', { key })
  return columns
}

const open = (client: Window, path: string) => openIn(client, { kind: 'path', path })
const line = (text: string) => `${JSON.stringify({ kind: 'user', text })}\n`
const LITERAL = { ...CONFIG, preset: 'literal' }

/** Collects the follower's steps after a write, until it has this many events in this generation. */
async function follow(client: Window, key: string, events: number, generation: number) {
  await new Promise<void>((resolve, reject) => {
    const stop = client.subscribe(
      'session.follow',
      { key },
      {
        next: (step) => {
          if (step.kind !== 'grown' || step.generation !== generation) return
          if (step.sessions[0]?.events !== events) return
          stop()
          resolve()
        },
        error: reject,
      },
    )
  })
}

test('[U190] a session that grows sends its new turns only, and the window has the whole replay', async () => {
  const path = join(makeFolder({ 'a.jsonl': makeSession(5) }), 'a.jsonl')
  const { key } = await open(one, path)
  const first = await replayOn(one, key, null)
  expect(first.from).toBe(0)
  appendFileSync(
    path,
    line('Fix the crash: TypeError in parse_config, stack trace below').repeat(3),
  )
  await follow(one, key, 8, 0)
  const grown = await replayOn(one, key, first)
  expect([first.events, grown.events]).toEqual([5, 8])
  expect(grown).toMatchObject({ from: 5, run: first.run })
  expect(grown.columns).toEqual(await asOpenedNow(path))
  const again = await replayOn(one, key, grown)
  expect(again.from).toBe(8)
  expect(again.columns).toEqual(grown.columns)
})

test('[U190] another configuration in the middle is whole again, and so is the one before it', async () => {
  const path = join(makeFolder({ 'b.jsonl': makeSession(6) }), 'b.jsonl')
  const { key } = await open(one, path)
  const first = await replayOn(one, key, null)
  const literal = await replayOn(one, key, first, LITERAL)
  expect(literal.from).toBe(0)
  appendFileSync(path, line('Write a python function that parses the table and add unit tests'))
  await follow(one, key, 7, 0)
  const back = await replayOn(one, key, literal)
  expect(back.from).toBe(0)
  expect(back.columns).toEqual(await asOpenedNow(path))
  const on = await replayOn(one, key, literal, LITERAL)
  expect(on.from).toBe(6)
  expect(on.columns).toEqual(await asOpenedNow(path, LITERAL))
})

test('[U190] a file that was replaced is whole again, whatever the window had of it', async () => {
  const path = join(makeFolder({ 'c.jsonl': makeSession(6) }), 'c.jsonl')
  const { key } = await open(one, path)
  const first = await replayOn(one, key, null)
  writeFileSync(
    path,
    makeSession(3, () => 'ls -la /tmp/work'),
  )
  await follow(one, key, 3, 1)
  const after = await replayOn(one, key, first)
  expect(after.from).toBe(0)
  expect(after.columns).toEqual(await asOpenedNow(path))
})

test('[U190] a session that grows while it is replayed is whole in the end', async () => {
  const path = join(makeFolder({ 'g.jsonl': makeSession(4000) }), 'g.jsonl')
  const { key } = await open(one, path)
  const replaying = replayOn(one, key, null)
  appendFileSync(path, line('git status && git commit -m wip').repeat(5))
  const growing = follow(one, key, 4005, 0)
  const first = await replaying
  await growing
  const grown = await replayOn(one, key, first)
  expect(grown.from).toBe(first.columns.turns)
  expect(grown.columns).toEqual(await asOpenedNow(path))
})

test('[U190] two windows that look at one file do not share what they have', async () => {
  const path = join(makeFolder({ 'd.jsonl': makeSession(4) }), 'd.jsonl')
  const left = await open(one, path)
  const right = await open(two, path)
  const mine = await replayOn(one, left.key, null)
  const theirs = await replayOn(two, right.key, mine)
  expect(theirs.from).toBe(0)
  appendFileSync(path, line('ok, thanks').repeat(2))
  await Promise.all([follow(one, left.key, 6, 0), follow(two, right.key, 6, 0)])
  const [a, b] = await Promise.all([
    replayOn(one, left.key, mine),
    replayOn(two, right.key, theirs),
  ])
  expect([a.from, b.from]).toEqual([4, 4])
  const fresh = await asOpenedNow(path)
  expect(a.columns).toEqual(fresh)
  expect(b.columns).toEqual(fresh)
})

test('[U190] a run that nobody had, or more turns than there are, leave nothing out', async () => {
  const path = join(makeFolder({ 'e.jsonl': makeSession(4) }), 'e.jsonl')
  const { key } = await open(one, path)
  const first = await replayOn(one, key, null)
  const asked = { key, session: 0, config: CONFIG, compare: null }
  const other = await collect(one, 'session.replay', { ...asked, known: { run: 'x', turns: 2 } })
  expect(other.at(-1)).toMatchObject({ from: 0, columns: first.columns })
  const many = { run: first.run, turns: 1e6 }
  const more = (await collect(one, 'session.replay', { ...asked, known: many })).at(-1)
  expect(more).toMatchObject({ from: 4, columns: { turns: 4, seq: [] } })
})

test('[U188] rows without a configuration have no marks, the same texts, and no key', async () => {
  const path = join(makeFolder({ 'f.jsonl': makeSession(3) }), 'f.jsonl')
  const { key } = await open(one, path)
  const asked = { key, session: 0, from: 0, to: 3, maxChars: 100 }
  const plain = await one.call('session.rows', { ...asked, config: null })
  const marked = await one.call('session.rows', { ...asked, config: CONFIG })
  expect(plain.key).toBeNull()
  expect(marked.key).toBe((await replayOn(one, key, null)).key)
  expect(marked.rows.some(({ marks }) => marks.length > 0)).toBe(true)
  expect(plain.rows).toEqual(marked.rows.map((row) => ({ ...row, marks: [], quoted: [] })))
})
