import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { FAULTS, type Fault, withFault } from '../../../fixtures/faults.ts'
import { ENCODINGS, exported, exporters, spansOf } from '../../../fixtures/otlp.ts'
import { readTranscript } from '../../../fixtures/read-transcript.ts'
import { plainEvents } from '../../engine/schema/event.ts'
import { THREADS } from '../../place.ts'
import { liveStatus } from '../hook/status.ts'
import { createReceiverPart } from './main/receiver.ts'
import { cannotStart } from './cannot-start.ts'
import { notWritten } from './not-written.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type Batch, SIGNALS, readExport } from './request.ts'
import { openOtlpStore } from './store.ts'

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })
const TRACE = '5b8efff798038103d269b633813fc60c'
/** A model call with `bytes` extra bytes, which its record holds and a conversation does not show. */
function span(nth: number, session: string | null, bytes = 10) {
  const said = JSON.stringify([{ role: 'user', content: `say ${nth}` }])
  return {
    traceId: session === null ? TRACE : nth.toString(16).padStart(32, 'a'),
    spanId: nth.toString(16).padStart(16, '0'),
    name: 'chat',
    startTimeUnixNano: `${1_790_000_000 + nth}000000000`,
    attributes: [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.input.messages', said),
      attribute('notes', 'x'.repeat(bytes)),
      ...(session === null ? [] : [attribute('session.id', session)]),
    ],
  }
}
type Span = ReturnType<typeof span>
const bodyOf = (spans: readonly Span[]) =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })

/** [F207] A trace without a session has a record of a separate kind. */
const recordFile = (name: string) => (name === TRACE ? `${name}~trace.jsonl` : `${name}.jsonl`)

async function textsOf(folder: string, session: string): Promise<readonly string[]> {
  const read = await readTranscript(join(folder, 'otlp', recordFile(session)))
  if (!read.ok) return []
  return read.value.sessions.flatMap((one) => plainEvents(one).map(({ text }) => text))
}
/** Ids of the spans in a record, including repeated ones. Each of its lines is complete. */
function idsIn(folder: string, session: string): readonly string[] {
  const lines = readFileSync(join(folder, 'otlp', recordFile(session)), 'utf8')
    .trimEnd()
    .split('\n')
  return lines
    .map((line) => JSON.stringify(JSON.parse(line)))
    .flatMap((line) => line.match(/(?<="spanId":")\w+/gu) ?? [])
}

const disk = mkdtempSync(join(tmpdir(), 'turnscope-otlp-full-'))
const mount = (options: string) =>
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]).status === 0
const canMount = mount('size=1m')
const closing: Receiver[] = []
afterAll(async () => {
  await Promise.all(closing.map((one) => one.close()))
  if (canMount) spawnSync('umount', [disk])
})
/** Leaves so many kilobytes of room. */
function fill(kilobytes = 0): void {
  const used = spawnSync('df', ['-k', '--output=used', disk]).stdout.toString().split('\n')[1]
  expect(mount(`remount,size=${Number(used) + kilobytes}k`)).toBe(true)
}
const NO_DISK = 'A small disk is made by `mount -t tmpfs`, which only root of Linux may'

async function started(name: string) {
  const folder = join(disk, name)
  mkdirSync(folder)
  const receiver = await startReceiver({ folder, port: 0, token: null })
  closing.push(receiver)
  const url = `http://127.0.0.1:${receiver.port}`
  const send = async (...spans: readonly Span[]) => {
    const headers = { 'content-type': 'application/json' }
    const asked = { method: 'POST', headers, body: bodyOf(spans) }
    const response = await fetch(`${url}/v1/traces`, asked)
    const { message = '' } = (await response.json()) as { readonly message?: string }
    return { status: response.status, again: response.headers.get('retry-after'), message }
  }
  const size = (session: string) => statSync(join(folder, 'otlp', recordFile(session))).size
  return { folder, receiver, url, send, size }
}

describe('[F150] [F152] a disk that is full', () => {
  it('is said with 503, loses nothing that was answered, and takes the rest when there is room', async (test) => {
    if (!canMount) return test.skip(NO_DISK)
    expect(mount('remount,size=1m')).toBe(true)
    const { folder, receiver, send, size } = await started('plain')
    const kept: Span[] = []
    let next = span(1, 'talk', 60_000)
    let answer = await send(next)
    while (answer.status === 200) {
      kept.push(next)
      next = span(kept.length + 1, 'talk', 60_000)
      answer = await send(next)
    }
    expect(kept.length).toBeGreaterThan(10)
    const sentence = `it could not be written to ${join(folder, 'otlp')}: the disk is full. Make room there. Senders that retry send it again`
    expect(answer).toEqual({ status: 503, again: '1', message: sentence })
    // Repeated requests, also with other content, add no bytes, so that no room is lost.
    const before = size('talk')
    for (let n = 0; n < 5; n += 1) {
      expect(await send(next)).toMatchObject({ status: 503 })
      expect(await send(span(500, 'talk'), next, span(501, 'new', 60_000))).toMatchObject({
        status: 503,
      })
    }
    expect(size('talk')).toBe(before)
    expect(idsIn(folder, 'talk')).toEqual(kept.map(({ spanId }) => spanId))
    expect(receiver.counts()).toMatchObject({
      spans: kept.length,
      refused: [{ why: sentence, count: 11 }],
    })
    // The window lists no session in which there is nothing.
    const { sessions } = await liveStatus(folder, '1.0.0')
    expect(sessions.map(({ title }) => title)).toEqual(['talk'])

    expect(mount('remount,size=20m')).toBe(true)
    expect(await send(next, span(501, 'new'))).toMatchObject({ status: 200 })
    expect(idsIn(folder, 'talk')).toEqual([...kept, next].map(({ spanId }) => spanId))
    expect(await textsOf(folder, 'new')).toEqual(['say 501'])
  })

  it('keeps a trace that turns out to be of a session until it can move there', async (test) => {
    if (!canMount) return test.skip(NO_DISK)
    expect(mount('remount,size=20m')).toBe(true)
    const { folder, send } = await started('trace')
    expect(await send(span(1, null, 400_000))).toMatchObject({ status: 200 })
    expect(await send(span(2, 'talk'))).toMatchObject({ status: 200 })
    fill(100)
    const last = { ...span(3, 'talk'), traceId: TRACE }
    for (let n = 0; n < 3; n += 1) expect(await send(last)).toMatchObject({ status: 503 })
    expect(await textsOf(folder, TRACE)).toEqual(['say 1'])
    expect(await textsOf(folder, 'talk')).toEqual(['say 2'])
    expect(mount('remount,size=20m')).toBe(true)
    expect(await send(last)).toMatchObject({ status: 200 })
    expect(readdirSync(join(folder, 'otlp'))).toEqual(['talk.jsonl'])
    expect((await textsOf(folder, 'talk')).toSorted()).toEqual(['say 1', 'say 2', 'say 3'])
  })

  it('at the start is said as well, and it starts when there is room', async (test) => {
    if (!canMount) return test.skip(NO_DISK)
    const folder = join(disk, 'start')
    mkdirSync(folder)
    fill()
    const part = createReceiverPart({ url: THREADS.receiver, folder, say: () => undefined })
    await expect(part.start({ port: 0, isOpen: false })).rejects.toMatchObject({
      what: 'the receiver cannot start: the disk is full',
      where: folder,
      do: 'Make room there',
    })
    expect(part.status()).toMatchObject({
      url: null,
      problem: expect.stringContaining('the disk is full') as string,
    })
    expect(mount('remount,size=40m')).toBe(true)
    expect(await part.start({ port: 0, isOpen: false })).toMatchObject({
      url: expect.stringContaining('127.0.0.1') as string,
      problem: null,
    })
    await part.stop()
  })

  it.for(ENCODINGS)(
    'exporters of the SDKs, over %s, try again by themselves until there is room',
    async (encoding, test) => {
      if (!canMount) return test.skip(NO_DISK)
      expect(mount('remount,size=40m')).toBe(true)
      const { folder, receiver, url } = await started(`sdk-${encoding}`)
      const { traces } = exporters(encoding, { url, headers: {} })
      const spans = spansOf('bed-watch', 1500)
      expect(await exported(traces, spans.slice(0, 500))).toBeNull()
      fill(100)
      const sending = exported(traces, spans.slice(500))
      await expect.poll(() => receiver.counts().refused.length).toBe(1)
      expect(mount('remount,size=40m')).toBe(true)
      expect(await sending).toBeNull()
      expect(idsIn(folder, 'bed-watch')).toEqual(spans.map((one) => one.spanContext().spanId))
    },
  )
})

it.each([
  ['EDQUOT', /the quota of this account is used up\. Make room there\. Senders/u],
  ['EROFS', /the disk may only be read\. Make it writable\. Senders/u],
  ['EACCES', /this account may not write there\. Check its rights\. Senders/u],
  ['EIO', /error EIO\. Senders/u],
])('[F150] a disk that answers %s is said, alike for every session', (code, words) => {
  const said = ['a', 'b'].map((session) =>
    notWritten(Object.assign(new Error(`${code}: '/state/${session}.jsonl'`), { code }), '/state'),
  )
  expect(said[0]?.status).toBe(503)
  expect(said[0]?.why).toMatch(words)
  expect(said[0]?.why).toContain('/state')
  expect(said[1]?.why).toBe(said[0]?.why)
})

it.each([
  ['EADDRINUSE', 'listen', '127.0.0.1:80', /in use by another program/u, /serve --otlp PORT/u],
  ['EACCES', 'listen', '127.0.0.1:80', /may not listen at the port/u, /from 1024 on.*--otlp PORT/u],
  ['EMFILE', 'listen', '127.0.0.1:80', /cannot start \(some words\)/u, /start it again/u],
  ['ENOSPC', 'write', '/state', /cannot start: the disk is full/u, /Make room there/u],
  ['EACCES', 'mkdir', '/state', /cannot start: this account may not write/u, /Check its rights/u],
  [null, null, '/state', /cannot start \(some words\)/u, /start it again/u],
])('[F147] a start that fails by %s of %s says where, and what to do', (...row) => {
  const [code, syscall, where, what, advice] = row
  const said = cannotStart({ problem: 'some words', code, syscall }, { port: 80, folder: '/state' })
  expect(said).toEqual({
    where,
    what: expect.stringMatching(what) as string,
    do: expect.stringMatching(advice) as string,
  })
})

function batchesOf(spans: readonly Span[]): readonly Batch[] {
  const [signal] = SIGNALS
  if (signal === undefined) throw new Error('no signal')
  const read = readExport(Buffer.from(bodyOf(spans)), 'json', signal)
  if (!read.ok) throw new Error(read.error.what)
  return read.value.batches
}

/**
 * Sends a request that moves a trace to its session and adds to two sessions, with a fault at one call. Returns the
 * error found.
 */
async function wrong(fault: Fault, at: number): Promise<{ calls: number; what: string | null }> {
  const root = mkdtempSync(join(tmpdir(), 'turnscope-otlp-faults-'))
  const store = await openOtlpStore(root)
  await store.keep(batchesOf([span(1, null), span(2, 'talk'), span(3, 'other')]))
  const request = batchesOf([{ ...span(4, 'talk'), traceId: TRACE }, span(5, 'other')])
  const { end, seen } = await withFault({ root, at, fault }, () => store.keep(request))
  const after = async () => [
    ...(await textsOf(root, TRACE)),
    ...(await textsOf(root, 'talk')),
    ...(await textsOf(root, 'other')),
  ]
  const where = `${fault} at ${at}, ${seen.failed ?? 'nothing'}: `
  const first = new Set(await after())
  const answered = [1, 2, 3, ...(end.status === 'fulfilled' ? [4, 5] : [])]
  const lost = answered.filter((n) => !first.has(`say ${n}`))
  if (seen.leftOpen.length > 0)
    return { calls: seen.calls.length, what: `${where}left open ${seen.leftOpen.join()}` }
  if (lost.length > 0) return { calls: seen.calls.length, what: `${where}lost ${lost.join()}` }
  // The sender retries, after a restart if the process ended.
  await (fault === 'stop' ? await openOtlpStore(root) : store).keep(request)
  const now = (await after()).toSorted().join()
  const isWhole = now === [1, 2, 3, 4, 5].map((n) => `say ${n}`).join()
  return { calls: seen.calls.length, what: isWhole ? null : `${where}then there is ${now}` }
}

it.each(FAULTS)(
  '[F152] [F153] an error (%s) at any call loses nothing that was answered, and it is read once when it came again',
  async (fault) => {
    const { calls } = await wrong(fault, 0)
    expect(calls).toBeGreaterThan(10)
    const found: string[] = []
    for (let at = 1; at <= calls; at += 1) {
      const { what } = await wrong(fault, at)
      if (what !== null) found.push(what)
    }
    expect(found).toEqual([])
  },
)
