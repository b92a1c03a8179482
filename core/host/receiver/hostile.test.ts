import { mkdtempSync, readdirSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { casesOf } from '../../../fixtures/cases.ts'
import { MAX_PACKED, MAX_RECORD, MAX_UNPACKED, createRate } from './limits.ts'
import { decodeExport } from './protobuf.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const TOKEN = 'the-token'
const folder = mkdtempSync(join(tmpdir(), 'turnscope-otlp-hostile-'))
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver({ folder, port: 0, token: TOKEN, slow: 1000 })
})
afterAll(() => receiver.close())

interface Said {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const GOOD = { 'content-type': 'application/json', 'x-turnscope-token': TOKEN }
const PROTOBUF = { ...GOOD, 'content-type': 'application/x-protobuf' }

/** Sends an arbitrary request. */
function send(
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = GOOD,
  { path = '/v1/traces', method = 'POST' } = {},
): Promise<Said> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: receiver.port, path, method, headers })
    asked.on('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const { statusCode: status = 0, headers: said } = response
        resolve({ status, headers: said, body: Buffer.concat(parts) })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const jsonOf = ({ body }: Said): unknown => JSON.parse(body.toString('utf8'))
const span = (more: object = {}) => ({
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  name: 'chat',
  startTimeUnixNano: '1790000000000000000',
  ...more,
})
const exportOf = (...spans: readonly unknown[]) =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
const refusedFor = (why: RegExp) =>
  receiver.counts().refused.find((one) => why.test(one.why))?.count ?? 0

describe('[F148] who may send', () => {
  it.each([
    ['a foreign Host', { ...GOOD, host: 'turnscope.example' }, 421, /another host/u],
    [
      'a page of the web',
      { ...GOOD, origin: 'https://turnscope.example' },
      403,
      /page of the web/u,
    ],
    ['a page of this machine', { ...GOOD, origin: 'http://127.0.0.1:80' }, 403, /page of the web/u],
    ['no token', { 'content-type': 'application/json' }, 401, /token/u],
    ['a wrong token', { ...GOOD, 'x-turnscope-token': 'the-tokem' }, 401, /token/u],
  ])('%s is refused, and the window says so', async (_, headers, status, why) => {
    const before = refusedFor(why)
    const said = await send(exportOf(span()), headers)
    expect(said.status).toBe(status)
    expect(jsonOf(said)).toMatchObject({ message: expect.any(String) as string })
    expect(refusedFor(why)).toBe(before + 1)
    expect(readdirSync(join(folder, 'otlp'))).toEqual([])
  })

  it.each(['/v1//traces', '/v1/traces/', '//v1/traces', '/v1/traces//?a=b'])(
    'a base address with a slash too many is the same path: %s',
    async (path) => {
      expect((await send('{}', GOOD, { path })).status).toBe(200)
    },
  )

  it('the token may come as a bearer too', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` }
    expect((await send('{}', headers)).status).toBe(200)
  })

  it('without a token only where it was asked for', async () => {
    const open = await startReceiver({
      folder: mkdtempSync(join(tmpdir(), 'turnscope-otlp-open-')),
      port: 0,
      token: null,
    })
    const url = `http://127.0.0.1:${open.port}/v1/traces`
    const post = (headers: Readonly<Record<string, string>>) =>
      fetch(url, { method: 'POST', headers, body: '{}' })
    expect((await post({ 'content-type': 'application/json' })).status).toBe(200)
    const page = { 'content-type': 'application/json', origin: 'https://turnscope.example' }
    expect((await post(page)).status).toBe(403)
    await open.close()
  })
})

describe('[F150] answers', () => {
  it.each([
    ['another path', { path: '/v1/metrics' }, GOOD, 404],
    ['another method', { method: 'GET' }, GOOD, 405],
    ['a form', {}, { ...GOOD, 'content-type': 'text/plain' }, 415],
    ['no type', {}, { 'x-turnscope-token': TOKEN }, 415],
    ['another packing', {}, { ...GOOD, 'content-encoding': 'br' }, 415],
  ])('%s is refused with a Status', async (_, place, headers, status) => {
    const said = await send('method' in place ? '' : '{}', headers, place)
    expect(said.status).toBe(status)
    expect(jsonOf(said)).toMatchObject({ code: expect.any(Number) as number })
  })

  it.each([
    ['no JSON', '{"resourceSpans":[', GOOD],
    ['JSON of something else', '{"resourceLogs":[]}', GOOD],
    ['a list', '[]', GOOD],
    ['protobuf that is cut', Buffer.from([0x0a, 0x40, 0x12]), PROTOBUF],
    ['gzip that is none', 'not gzip', { ...GOOD, 'content-encoding': 'gzip' }],
    [
      'gzip that is cut',
      gzipSync(exportOf(span({ name: 'x'.repeat(1000) }))).subarray(0, 60),
      { ...GOOD, 'content-encoding': 'gzip' },
    ],
  ])('%s is 400 with a Status', async (_, body, headers) => {
    const said = await send(body, headers)
    expect(said.status).toBe(400)
    if (headers !== PROTOBUF) expect(jsonOf(said)).toMatchObject({ code: 3 })
    else expect(fieldsOf(said.body)).toMatchObject({ 1: 3n })
  })

  it('what was good is taken, what was not is counted, in the encoding that was sent', async () => {
    const body = exportOf(span({ spanId: 'aaaaaaaaaaaaaaa1' }), span({ traceId: '' }), 'none', null)
    const said = await send(body)
    expect(said.status).toBe(200)
    expect(said.headers['content-type']).toBe('application/json')
    expect(jsonOf(said)).toMatchObject({
      partialSuccess: {
        rejectedSpans: '3',
        errorMessage: expect.stringContaining('1 span: it has no traceId') as string,
      },
    })
    const empty = await send(new Uint8Array(), PROTOBUF)
    expect([empty.status, empty.headers['content-type'], empty.body.length]).toEqual([
      200,
      'application/x-protobuf',
      0,
    ])
    // One span without ids: ResourceSpans { ScopeSpans { Span { name } } }.
    const partial = await send(wrapped([1, 2, 2, 5], Buffer.from('chat')), PROTOBUF)
    expect(partial.status).toBe(200)
    const inner = fieldsOf(partial.body)[1]
    expect(fieldsOf(inner as Uint8Array)).toMatchObject({ 1: 1n })
  })
})

/** Bytes within messages, by the numbers of the fields from the outermost on. */
function wrapped(path: readonly number[], bytes: Uint8Array): Uint8Array {
  return path.reduceRight<Uint8Array>(
    (inner, number) =>
      new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(inner).finish(),
    bytes,
  )
}

/** Fields of a message by their number: whole numbers, or bytes. */
function fieldsOf(bytes: Uint8Array): Readonly<Record<number, unknown>> {
  const reader = new BinaryReader(bytes)
  const found: Record<number, unknown> = {}
  while (reader.pos < bytes.length) {
    const [number, wire] = reader.tag()
    found[number] = wire === WireType.Varint ? reader.int64() : reader.bytes()
  }
  return found
}

describe('[F151] bounds', () => {
  it('a body that is too large is 413, packed or not, and a bomb is not unpacked', async () => {
    const large = await send(Buffer.alloc(MAX_PACKED + 1, ' '))
    expect([large.status, jsonOf(large)]).toMatchObject([413, { code: 8 }])
    const before = process.memoryUsage.rss()
    const bomb = gzipSync(Buffer.alloc(MAX_UNPACKED * 4))
    expect(bomb.length).toBeLessThan(MAX_PACKED)
    const said = await send(bomb, { ...GOOD, 'content-encoding': 'gzip' })
    expect(said.status).toBe(413)
    expect(jsonOf(said)).toMatchObject({ message: expect.stringContaining('unpacked') as string })
    expect(process.memoryUsage.rss() - before).toBeLessThan(MAX_UNPACKED * 8)
  })

  it('a large body that comes in parts, without a length, is 413', async () => {
    const said = await new Promise<string>((resolve) => {
      const socket = connect(receiver.port, '127.0.0.1')
      let text = ''
      socket.on('data', (part) => (text += part.toString()))
      // The receiver closes while parts are still on their way.
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(text))
      const head = Object.entries({ ...GOOD, host: `127.0.0.1:${receiver.port}` })
      const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      socket.write(`POST /v1/traces HTTP/1.1\r\n${lines}transfer-encoding: chunked\r\n\r\n`)
      const chunk = Buffer.alloc(1024 * 1024, ' ')
      for (let n = 0; n < 21; n += 1) {
        socket.write('100000\r\n')
        socket.write(chunk)
        socket.write('\r\n')
      }
    })
    expect(said).toContain('413')
  })

  it('values that are nested deeply, and a huge span, cost themselves', async () => {
    const deep = `${'{"arrayValue":{"values":['.repeat(5000)}{}${']}}'.repeat(5000)}`
    const nested = JSON.stringify(span({ attributes: [{ key: 'deep', value: 'HERE' }] })).replace(
      '"HERE"',
      deep,
    )
    const good = JSON.stringify(span({ spanId: 'aaaaaaaaaaaaaaa2' }))
    const said = await send(`{"resourceSpans":[{"scopeSpans":[{"spans":[${nested},${good}]}]}]}`)
    expect(jsonOf(said)).toMatchObject({ partialSuccess: { rejectedSpans: '1' } })
    const huge = span({
      attributes: [{ key: 'a', value: { stringValue: 'x'.repeat(MAX_RECORD) } }],
    })
    const answer = await send(exportOf(huge, span({ spanId: 'aaaaaaaaaaaaaaa3' })))
    expect(jsonOf(answer)).toMatchObject({
      partialSuccess: {
        rejectedSpans: '1',
        errorMessage: expect.stringContaining('larger than') as string,
      },
    })
  })

  it('the same in protobuf', async () => {
    // AnyValue { ArrayValue { AnyValue { … } } } in an attribute of a span.
    const deep = wrapped([...Array.from({ length: 2000 }, () => [5, 1]).flat()], Buffer.alloc(0))
    const attribute = new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .string('deep')
      .tag(2, WireType.LengthDelimited)
      .bytes(deep)
      .finish()
    const body = wrapped([1, 2, 2, 9], attribute)
    const said = await send(body, PROTOBUF)
    expect(said.status).toBe(200)
    expect(fieldsOf(fieldsOf(said.body)[1] as Uint8Array)).toMatchObject({ 1: 1n })
    // Two bytes each are a message.
    const many = Buffer.alloc(2_000_002 * 2, Buffer.from([0x0a, 0x00]))
    expect((await send(many, PROTOBUF)).status).toBe(413)
  })

  const start = exportOf(span({ spanId: 'aaaaaaaaaaaaaaa4', note: 'HERE' })).split('"HERE"')
  const withNote = (note: string) => start.join(note)

  it.each<readonly [string, string, number, RegExp]>([
    ['20,000 levels', withNote('['.repeat(20_000) + ']'.repeat(20_000)), 413, /20000 levels/u],
    ['a number of 1,001 digits', withNote('9'.repeat(1001)), 413, /1000 characters/u],
    ['a list of 100,001 elements', withNote(`[${'0,'.repeat(100_000)}0]`), 413, /100000 elements/u],
    [
      '2,001 different keys',
      withNote(`{${Array.from({ length: 2001 }, (_, n) => `"${n}":0`).join()}}`),
      ...([413, /2000 different keys/u] as const),
    ],
    ['a word that is no value', withNote('NotANumber'), 400, /no JSON/u],
  ])('[F206] JSON with %s is refused, with the reason', async (_, body, status, why) => {
    const said = await send(body)
    expect(said.status).toBe(status)
    expect(jsonOf(said)).toMatchObject({ message: expect.stringMatching(why) as string })
  })

  it.each([
    ['a byte order mark', `\uFEFF${withNote('0')}`],
    ['NaN, which Python writes', withNote('NaN')],
    ['-Infinity, which Python writes', withNote('-Infinity')],
    ['a duplicated key', withNote('0,"note":1,"note":2')],
    ['lone surrogates', withNote('"\\ud800"')],
    ['__proto__', withNote('{"__proto__":{"traceId":"none"},"constructor":{"prototype":{}}}')],
    ['a string of 15 MB', withNote(`"${'x'.repeat(15_000_000)}"`)],
    ['a number of 1,000 digits', withNote('9'.repeat(1000))],
  ])('[F149] JSON with %s is taken', async (_, body) => {
    const said = await send(body)
    expect([said.status, jsonOf(said)]).toEqual([200, {}])
  })

  it('[F206] fields of protobuf count as values, unknown ones too', () => {
    // Field 15 as a varint, which no message here has; then `name` of a span, again and again.
    const unknown = Buffer.alloc(2_000_001 * 2, Buffer.from([0x78, 0x00]))
    const names = wrapped([1, 2, 2], Buffer.alloc(2_000_001 * 2, Buffer.from([0x2a, 0x00])))
    for (const bytes of [unknown, names])
      expect(decodeExport(bytes, 'ExportTraceServiceRequest')).toMatchObject({
        error: { what: 'it holds more than 2000000 values', isTooMuch: true },
      })
    const resources = Buffer.alloc(100_001 * 2, Buffer.from([0x0a, 0x00]))
    expect(decodeExport(resources, 'ExportTraceServiceRequest')).toMatchObject({
      error: { what: expect.stringContaining('100000 elements') as string, isTooMuch: true },
    })
  })

  it('[F151] bombs on many connections do not keep others from sending', async () => {
    const patient = await startReceiver({
      folder: mkdtempSync(join(tmpdir(), 'turnscope-otlp-bombs-')),
      port: 0,
      token: null,
    })
    const post = async (
      body: Uint8Array<ArrayBuffer> | string,
      headers: Readonly<Record<string, string>>,
    ) => {
      const url = `http://127.0.0.1:${patient.port}/v1/traces`
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
      await response.text()
      return response.status
    }
    const bomb = gzipSync(`{"resourceSpans":[${'{},'.repeat(5_000_000)}{}]}`)
    const bombs = Array.from({ length: 60 }, () => post(bomb, { 'content-encoding': 'gzip' }))
    const good = Array.from({ length: 5 }, () => post(exportOf(span()), {}))
    const [refused, taken] = await Promise.all([Promise.all(bombs), Promise.all(good)])
    await patient.close()
    expect(new Set(refused)).toEqual(new Set([413]))
    expect(new Set(taken)).toEqual(new Set([200]))
  })

  it('a body that comes too slowly is given up', async () => {
    const before = refusedFor(/too slow/u)
    const text = await new Promise<string>((resolve) => {
      const socket = connect(receiver.port, '127.0.0.1')
      let said = ''
      socket.on('data', (part) => (said += part.toString()))
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(said))
      const head = { ...GOOD, host: `127.0.0.1:${receiver.port}`, 'content-length': '100' }
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`POST /v1/traces HTTP/1.1\r\n${lines.join('')}\r\n{`)
    })
    expect(text === '' || text.includes('408')).toBe(true)
    await expect.poll(() => refusedFor(/too slow/u)).toBe(before + 1)
  })

  it('requests in a burst are let through, then as many as a second gives back', () => {
    const mayCome = createRate()
    const many = (now: number, count: number) =>
      Array.from({ length: count }, () => mayCome(now)).filter(Boolean).length
    expect(many(0, 5000)).toBe(2000)
    expect(many(100, 5000)).toBe(100)
    expect(many(60_000, 5000)).toBe(2000)
  })
})

it('[F149] any bytes are an export or a refusal, never a fault', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc.constantFrom([0x0a], [0x12], [0x2a, 0x04], [0xff, 0xff, 0xff, 0xff, 0x0f]),
    ),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(pieces, (parts) => {
      const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)))
      const read = decodeExport(bytes, 'ExportTraceServiceRequest')
      expect(read.ok || read.error.what !== '').toBe(true)
    }),
    casesOf('otlp: any bytes'),
  )
})
