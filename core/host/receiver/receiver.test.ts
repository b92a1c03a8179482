import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  batchesOf,
  ENCODINGS,
  exported,
  exporters,
  logsOf,
  spansOf,
} from '../../../fixtures/otlp.ts'
import { readTranscript } from '../../../fixtures/read-transcript.ts'
import { plainEvents } from '../../engine/schema/event.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const closing: Receiver[] = []
afterAll(async () => {
  await Promise.all(closing.map((one) => one.close()))
})

const TOKEN = 'the-token'
const HEADERS = { 'x-turnscope-token': TOKEN }

async function started(more: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-otlp-test-'))
  const receiver = await startReceiver({ folder, port: 0, token: TOKEN, ...more })
  closing.push(receiver)
  const url = `http://127.0.0.1:${receiver.port}`
  return { folder, receiver, url, target: { url, headers: HEADERS } }
}

const pathIn = (folder: string, name: string) => join(folder, 'otlp', name)
const filesIn = (folder: string) => readdirSync(join(folder, 'otlp')).toSorted()

interface Line {
  readonly resourceSpans: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{
      readonly spans: ReadonlyArray<Readonly<Record<string, unknown>>>
    }>
  }>
}
/** Spans of a record, as stored. */
const spansIn = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) =>
      (JSON.parse(line) as Line).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    )

async function textsIn(path: string): Promise<readonly string[]> {
  const read = await readTranscript(path)
  if (!read.ok) throw new Error(read.error.what)
  return read.value.sessions.flatMap((session) => plainEvents(session).map(({ text }) => text))
}

describe('exporters of the SDKs', () => {
  it.each(ENCODINGS)(
    '[F147] [F149] [F152] 10,000 spans over %s are there, once',
    async (encoding) => {
      const { folder, receiver, target } = await started()
      const { traces } = exporters(encoding, target)
      const spans = spansOf('bed-watch', 10_000)
      for (const batch of batchesOf(spans)) expect(await exported(traces, batch)).toBeNull()
      expect(filesIn(folder)).toEqual(['bed-watch.jsonl'])
      const found = spansIn(pathIn(folder, 'bed-watch.jsonl'))
      expect(found.map(({ spanId }) => spanId)).toEqual(
        spans.map((one) => one.spanContext().spanId),
      )
      const texts = await textsIn(pathIn(folder, 'bed-watch.jsonl'))
      expect(texts).toEqual(
        spans.flatMap((_, n) => [`is bed ${n} dry? ünïcode 🌱`, `bed ${n} is wet`]),
      )
      expect(receiver.counts()).toMatchObject({ spans: 10_000, sessions: 1, refused: [] })
    },
  )

  it.each(ENCODINGS)(
    '[F149] [F152] logs over %s, packed by gzip, are there, once',
    async (encoding) => {
      const { folder, receiver, target } = await started()
      const { logs } = exporters(encoding, target, true)
      const records = logsOf('chat-1', 2000)
      for (const batch of batchesOf(records)) expect(await exported(logs, batch)).toBeNull()
      expect(await textsIn(pathIn(folder, 'chat-1.jsonl'))).toEqual(
        records.map((_, n) => (n % 2 === 0 ? `water bed ${n}` : `bed ${n} is done`)),
      )
      expect(receiver.counts()).toMatchObject({ logs: 2000, sessions: 1, refused: [] })
    },
  )

  it('[F149] both encodings leave the same record', async () => {
    const found = await Promise.all(
      ENCODINGS.map(async (encoding) => {
        const { folder, target } = await started()
        const { traces, logs } = exporters(encoding, target)
        expect(await exported(traces, spansOf('a', 20))).toBeNull()
        expect(await exported(logs, logsOf('b', 20))).toBeNull()
        return ['a.jsonl', 'b.jsonl'].map((name) => plainly(pathIn(folder, name)))
      }),
    )
    expect(found[0]).toEqual(found[1])
  })
})

/** Fields that only one of the encodings writes if they have their default value. */
const DEFAULTS =
  /^(?:dropped\w+Count|flags|kind|status|severity\w+|links|events|traceState|attributes|eventName)$/u

/** A record without them; numbers of enumerations and texts of them look alike. */
function plainly(path: string): unknown {
  const without = (key: string, value: unknown): unknown =>
    DEFAULTS.test(key) && ['0', '""', '[]', '{}', '{"code":0}'].includes(JSON.stringify(value))
      ? undefined
      : key === 'intValue'
        ? String(value)
        : value
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line, without) as unknown)
}
