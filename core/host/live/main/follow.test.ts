import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Output } from '../../../wire/rpc.ts'
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
const client = windowOf(host)
afterAll(() => host.close())

type Step = Output<TurnscopeContract, 'session.follow'>

/** Collects the steps that a follower receives, in order. */
function follow(key: string) {
  const seen: Step[] = []
  const waiting: Array<() => void> = []
  const stop = client.subscribe(
    'session.follow',
    { key },
    {
      next: (step) => {
        seen.push(step)
        for (const wake of waiting.splice(0)) wake()
      },
    },
  )
  return {
    stop,
    seen,
    until: async <T extends Step>(is: (step: Step) => step is T): Promise<T> => {
      for (;;) {
        const found = seen.findLast(is)
        if (found !== undefined) return found
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
}

const state = (name: string) => (step: Step) =>
  step.kind === 'following' && step.state === name ? true : false
const says =
  (name: string) =>
  (step: Step): step is Step =>
    state(name)(step)
const events =
  (count: number, generation = 0) =>
  (step: Step): step is Step & { kind: 'grown' } =>
    step.kind === 'grown' &&
    step.complete &&
    step.generation === generation &&
    step.sessions[0]?.events === count

const line = (text: string) => `${JSON.stringify({ kind: 'user', text })}\n`

test('[I51] a large file is shown before it is read, grows, and keeps every event where it was', async () => {
  const folder = makeFolder({
    'big.jsonl': makeSession(120_000, (turn) => `${turn} ${'x'.repeat(150)}`),
  })
  const source = { kind: 'path', path: join(folder, 'big.jsonl') } as const
  const steps = await collect(client, 'session.open', { source })
  const shown = steps.flatMap((step) =>
    step.kind === 'progress' || step.kind === 'results' ? [] : [step],
  )
  expect(shown[0]).toMatchObject({ kind: 'opened', complete: false })
  expect(shown.slice(1).every((step) => step.kind === 'grown' && step.generation === 0)).toBe(true)
  expect(shown.at(-1)).toMatchObject({ kind: 'grown', complete: true })
  const counts = shown.map((step) => step.sessions[0]?.events ?? 0)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect(counts.at(-1)).toBe(120_000)
  const key = shown[0]?.kind === 'opened' ? shown[0].key : ''
  const tail = await client.call('session.index', { key, session: 0, from: 119_998 })
  expect(tail.exchange).toEqual([119_998, 119_999])
  const asked = { key, session: 0, from: 70_000, to: 70_001, maxChars: 10, config: CONFIG }
  expect((await client.call('session.rows', asked)).rows[0]?.text).toBe('70000 xxxx')
  await client.call('session.close', { key })
})

test('[I53] [I57] a followed file grows; its replay goes on; truncated, gone and back it is read anew', async () => {
  const path = join(makeFolder({ 'live.jsonl': makeSession(3) }), 'live.jsonl')
  const { key } = await openIn(client, { kind: 'path', path })
  expect((await replayIn(client, key)).columns.turns).toBe(3)
  const following = follow(key)
  await following.until(says('watching'))
  appendFileSync(path, line('git status && git commit -m wip').slice(0, 20))
  appendFileSync(path, line('git status && git commit -m wip').slice(20))
  await following.until(events(4))
  const grown = await replayIn(client, key)
  const fresh = await openIn(client, { kind: 'path', path })
  expect(grown.columns).toEqual((await replayIn(client, fresh.key)).columns)
  await client.call('session.close', { key: fresh.key })

  writeFileSync(
    path,
    makeSession(2, () => 'ls -la /tmp/work'),
  )
  await following.until(events(2, 1))
  expect(following.seen.filter(says('restarted'))).toHaveLength(1)
  expect((await replayIn(client, key)).columns.turns).toBe(2)

  rmSync(path)
  await following.until(says('gone'))
  expect((await replayIn(client, key)).columns.turns).toBe(2)
  writeFileSync(`${path}.new`, makeSession(5))
  renameSync(`${path}.new`, path)
  await following.until(events(5, 2))
  following.stop()
  const raw = await client.call('session.raw', { key, session: 0, seq: 4 })
  expect(raw.text).toContain('ok, thanks (4)')
  await client.call('session.close', { key })
})

test('[I55] a document that is rewritten is read anew; what only got longer stays in place', async () => {
  const messages = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, at) => ({ role: 'user', content: `message ${at}` })),
      null,
      1,
    )
  const path = join(makeFolder({ 'chat.json': messages(3) }), 'chat.json')
  const { key } = await openIn(client, { kind: 'path', path })
  expect((await replayIn(client, key)).columns.turns).toBe(3)
  const following = follow(key)
  await following.until(says('watching'))
  writeFileSync(path, messages(5))
  await following.until(events(5))
  expect((await replayIn(client, key)).columns.turns).toBe(5)
  writeFileSync(path, messages(4))
  await following.until(events(4, 1))
  await following.until(says('restarted'))
  expect((await replayIn(client, key)).columns.turns).toBe(4)
  following.stop()
  await client.call('session.close', { key })
})

test('[I53] what cannot grow is not followed', async () => {
  const sample = (await client.call('library.list', {})).samples[0]?.id ?? ''
  const { key } = await openIn(client, { kind: 'sample', id: sample })
  await expect(collect(client, 'session.follow', { key })).rejects.toMatchObject({
    code: 'REFUSED',
    message: expect.stringContaining('a sample does not grow') as string,
  })
})

/** Sends the bytes of `text` from `from` on, as a window does. */
async function send(upload: string, text: string, from: number): Promise<number> {
  const bytes = Buffer.from(text)
  const renewed = await client.call('upload.renew', { upload, bytes: bytes.length, from })
  const data = bytes.subarray(renewed.from).toString('base64')
  if (data !== '') await client.call('upload.chunk', { upload, data })
  return renewed.from
}

test('[I99] an upload grows and is replaced by what its window sends, and is followed like a file', async () => {
  const three = makeSession(3)
  const begun = { name: 'live.jsonl', bytes: Buffer.byteLength(three) }
  const { upload } = await client.call('upload.begin', begun)
  const data = Buffer.from(three).toString('base64')
  await client.call('upload.chunk', { upload, data })
  const { key } = await openIn(client, { kind: 'upload', upload })
  const following = follow(key)
  await following.until(says('watching'))
  const four = three + line('git status && git commit -m wip')
  expect(await send(upload, four, three.length)).toBe(three.length)
  await following.until(events(4))
  // A torn line waits, and nothing is lost when its rest arrives.
  const five = four + line('thanks')
  await send(upload, five.slice(0, -5), four.length)
  expect(await send(upload, five, five.length - 5)).toBe(five.length - 5)
  await following.until(events(5))

  const other = makeSession(2, () => 'ls -la /tmp/work')
  expect(await send(upload, other, 0)).toBe(0)
  await following.until(events(2, 1))
  // A sender that does not know the stored content sends all of it.
  expect(await send(upload, `${other}${line('and more')}`, 7)).toBe(0)
  await following.until(events(3, 2))
  following.stop()
  await client.call('session.close', { key })
})

test('[I99] an upload that was whole stays when a replacement does not arrive', async () => {
  const text = makeSession(3)
  const { upload } = await client.call('upload.begin', { name: 'a.jsonl', bytes: text.length })
  const data = Buffer.from(text).toString('base64')
  await client.call('upload.chunk', { upload, data })
  await client.call('upload.renew', { upload, bytes: 10, from: 0 })
  await expect(client.call('upload.chunk', { upload, data })).rejects.toMatchObject({
    code: 'REFUSED',
  })
  const { key, sessions } = await openIn(client, { kind: 'upload', upload })
  expect(sessions[0]?.events).toBe(3)
  await client.call('session.close', { key })
  await expect(
    client.call('upload.renew', { upload: 'AAAAAAAAAAAAAAAA', bytes: 1, from: 0 }),
  ).rejects.toMatchObject({ code: 'REFUSED' })
})
