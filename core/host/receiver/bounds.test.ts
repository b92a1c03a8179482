import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { BOUNDS, type Bounds, sizeText } from './limits.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const closing: Receiver[] = []
afterAll(async () => {
  await Promise.all(closing.map((one) => one.close()))
})

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })
const hex = (number: number, length: number) => number.toString(16).padStart(length, '0')
let last = 0
/** A span in a separate trace, whose JSON is a little longer than `bytes`. */
function span(session: string | null, bytes = 10) {
  last += 1
  return {
    traceId: hex(last, 32),
    spanId: hex(last, 16),
    name: 'chat',
    attributes: [
      attribute('words', 'ä'.repeat(bytes / 2)),
      ...(session === null ? [] : [attribute('session.id', session)]),
    ],
  }
}
type Span = ReturnType<typeof span>

async function started(bounds: Partial<Bounds> = {}, before?: (records: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-otlp-bounds-'))
  const records = join(folder, 'otlp')
  mkdirSync(records)
  before?.(records)
  const receiver = await startReceiver({
    folder,
    port: 0,
    token: null,
    bounds: { ...BOUNDS, ...bounds },
  })
  closing.push(receiver)
  const send = async (spans: readonly Span[], resource: readonly object[] = []) => {
    const response = await fetch(`http://127.0.0.1:${receiver.port}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ spans }] }],
      }),
    })
    const said = (await response.json()) as {
      readonly partialSuccess?: { readonly rejectedSpans: string; readonly errorMessage: string }
    }
    const { rejectedSpans = '0', errorMessage = '' } = said.partialSuccess ?? {}
    return { status: response.status, rejected: Number(rejectedSpans), why: errorMessage }
  }
  const file = (session: string) => join(records, `${session}.jsonl`)
  /** Whether each of these spans is in the record of a session. */
  const holds = (session: string, spans: readonly Span[]) => {
    const text = readFileSync(file(session), 'utf8')
    return spans.map(({ spanId }) => text.includes(spanId))
  }
  const refused = () => receiver.counts().refused.map(({ why, count }) => [why, count])
  return { receiver, records, send, file, holds, refused }
}

describe('[F151] a session that is full', () => {
  it('takes nothing more, says so to the sender and the window, and keeps what it has; others go on', async () => {
    const { send, file, holds, refused, receiver } = await started({ session: 10_000 })
    const sent: Span[] = []
    let answer = { status: 0, rejected: 0, why: '' }
    while (answer.rejected === 0) {
      const one = span('full', 1000)
      answer = await send([one])
      if (answer.rejected === 0) sent.push(one)
      expect(answer.status).toBe(200)
    }
    expect(sent.length).toBeGreaterThan(5)
    expect(statSync(file('full')).size).toBeLessThanOrEqual(10_000)
    expect(answer).toMatchObject({
      rejected: 1,
      why: expect.stringMatching(
        /^1 span: the record of its session is full \(10000 bytes\): begin a new session, or delete/u,
      ) as string,
    })
    // Of a request for both, the other session has all.
    const mine = span('full', 1000)
    const others = [span('other'), span('other')]
    expect(await send([mine, ...others])).toMatchObject({ status: 200, rejected: 1 })
    expect(holds('other', others)).toEqual([true, true])
    expect(holds('full', [...sent, mine])).toEqual([...sent.map(() => true), false])
    expect(refused()).toEqual([
      [expect.stringMatching(/^a span: the record of its session is full/u), 2],
    ])
    expect(receiver.counts()).toMatchObject({ spans: sent.length + 2, sessions: 2 })
  })

  it('is told by bytes, not by characters, and by what a request adds to it', async () => {
    const { send, records } = await started({ session: 10_000 })
    expect(await send([span('large', 11_000)])).toMatchObject({ status: 200, rejected: 1 })
    expect(readdirSync(records)).toEqual([])
  })

  it('has 512 MiB; where it is made smaller it takes more', async () => {
    const { send, file } = await started({}, (folder) => {
      writeFileSync(join(folder, 'full.jsonl'), '')
      truncateSync(join(folder, 'full.jsonl'), BOUNDS.session - 20)
    })
    const { rejected, why } = await send([span('full')])
    expect(rejected).toBe(1)
    expect(why).toContain('(512 MiB)')
    truncateSync(file('full'), BOUNDS.session - 2000)
    await expect.poll(async () => (await send([span('full')])).rejected, AGAIN).toBe(0)
  })

  it('leaves the trace that turns out to be its own a session beside it: both are kept', async () => {
    const { send, holds, file } = await started({ session: 10_000 })
    const early = [span(null, 6000), span(null, 6000)].map((one) => ({ ...one, traceId: TRACE }))
    expect(await send(early.slice(0, 1))).toMatchObject({ rejected: 0 })
    const first = span('talk', 6000)
    expect(await send([first])).toMatchObject({ rejected: 0 })
    const late = { ...span('talk'), traceId: TRACE }
    expect(await send([late])).toMatchObject({ rejected: 0 })
    expect(holds(`${TRACE}~trace`, early)).toEqual([true, false])
    expect(holds('talk', [first, late])).toEqual([true, true])
    expect(statSync(file('talk')).size).toBeLessThanOrEqual(10_000)
  })
})

const TRACE = 'f'.repeat(32)
/** The receiver checks a full folder once per second. */
const AGAIN = { interval: 200 }

describe('[F151] a folder that is full', () => {
  it('of too many bytes takes nothing more until records are deleted, while it goes on', async () => {
    const { send, file, holds, records, refused } = await started({ folder: 10_000 })
    const sent = [span('a', 4000), span('b', 4000)]
    for (const one of sent) expect(await send([one])).toMatchObject({ rejected: 0 })
    const { status, rejected, why } = await send([span('c', 4000)])
    expect([status, rejected]).toEqual([200, 1])
    expect(why).toContain(`the recorded sessions in ${records} are full (10000 bytes): delete some`)
    expect([...holds('a', sent.slice(0, 1)), ...holds('b', sent.slice(1))]).toEqual([true, true])
    expect(readdirSync(records).toSorted()).toEqual(['a.jsonl', 'b.jsonl'])
    expect(refused()).toEqual([[expect.stringContaining('delete some'), 1]])
    rmSync(file('a'))
    await expect.poll(async () => (await send([span('c', 4000)])).rejected, AGAIN).toBe(0)
    expect(holds('b', sent.slice(1))).toEqual([true])
  })

  it('is told by all sessions of a request together', async () => {
    const { send, records } = await started({ folder: 10_000 })
    const { rejected } = await send([span('a', 4000), span('b', 4000), span('c', 4000)])
    expect(rejected).toBe(1)
    expect(readdirSync(records)).toHaveLength(2)
  })

  it('has 8 GiB', async () => {
    const { send } = await started({}, (folder) => {
      for (let n = 0; n < 16; n += 1) {
        writeFileSync(join(folder, `${n}.jsonl`), '')
        truncateSync(join(folder, `${n}.jsonl`), BOUNDS.session)
      }
    })
    expect(await send([span('new')])).toMatchObject({
      status: 200,
      rejected: 1,
      why: expect.stringContaining('(8 GiB)') as string,
    })
  })

  it('of 5,000 sessions takes those that are there, and new ones when some are deleted', async () => {
    const { send, file, holds, refused } = await started({}, (folder) => {
      for (let n = 0; n < 4998; n += 1) writeFileSync(join(folder, `s${n}.jsonl`), '')
    })
    // Those that are there do not count as new: two more have room.
    const both = [span('s1'), span('s2'), span('new-1'), span('new-2')]
    expect(await send(both)).toMatchObject({ status: 200, rejected: 0 })
    expect(holds('new-2', both.slice(3))).toEqual([true])
    const mixed = [span('new-3'), span('s3')]
    const { rejected, why } = await send(mixed)
    expect(rejected).toBe(1)
    expect(why).toContain('there are 5000 recorded sessions in ')
    expect(holds('s3', mixed)).toEqual([false, true])
    expect(refused()).toEqual([[expect.stringContaining('5000 recorded sessions'), 1]])
    rmSync(file('s9'))
    await expect.poll(async () => (await send([span('new-3')])).rejected, AGAIN).toBe(0)
  })

  it('that is deleted as a whole is made again', async () => {
    const { send, records, holds } = await started()
    expect(await send([span('a')])).toMatchObject({ status: 200, rejected: 0 })
    rmSync(records, { recursive: true })
    const again = [span('a'), span('b')]
    expect(await send(again)).toMatchObject({ status: 200, rejected: 0 })
    expect([...holds('a', again), ...holds('b', again)]).toEqual([true, false, false, true])
  })
})

describe('[F151] a request whose large resource belongs to many', () => {
  it('sessions adds as much as a request may, and the rest is said', async () => {
    const { send, records, refused } = await started({ request: 4_000_000 })
    const resource = [attribute('notes', 'x'.repeat(1_000_000))]
    const spans = Array.from({ length: 2000 }, (_, n) => span(`s${n}`))
    const { status, rejected, why } = await send(spans, resource)
    expect([status, rejected]).toEqual([200, 1997])
    expect(why).toContain('a request may add 4000000 bytes')
    expect(readdirSync(records)).toHaveLength(3)
    expect(refused()).toEqual([[expect.stringContaining('send fewer sessions at once'), 1997]])
  })

  it('scopes is read once, whatever it holds', async () => {
    const { receiver } = await started({ request: 4_000_000 })
    const spans = Array.from({ length: 20_000 }, (_, n) => span(`s${n % 2}`))
    const notes = Array.from({ length: 20_000 }, (_, n) => attribute(`note ${n}`, 'x'.repeat(100)))
    const response = await fetch(`http://127.0.0.1:${receiver.port}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        resourceSpans: [
          {
            resource: { attributes: notes },
            scopeSpans: spans.map((one) => ({ scope: { name: one.spanId }, spans: [one] })),
          },
        ],
      }),
    })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('"rejectedSpans":"19999"')
  })
})

it('[F151] bounds are said as a person reads them', () => {
  expect(Object.values(BOUNDS).map(sizeText)).toEqual(['512 MiB', '8 GiB', '5000 bytes', '256 MiB'])
})
