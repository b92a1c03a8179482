import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTranscript } from '../../../fixtures/read-transcript.ts'
import { plainEvents } from '../../engine/schema/event.ts'
import { type Batch, SIGNALS, readExport } from './request.ts'
import { openOtlpStore } from './store.ts'

const temporary = () => mkdtempSync(join(tmpdir(), 'turnscope-otlp-store-'))
const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } })

const TRACE = '5b8efff798038103d269b633813fc60c'
const span = (nth: number, more: readonly object[] = [], traceId = TRACE) => ({
  traceId,
  spanId: nth.toString(16).padStart(16, '0'),
  name: 'chat',
  startTimeUnixNano: `${1_790_000_000 + nth}000000000`,
  attributes: [
    attribute('gen_ai.operation.name', 'chat'),
    attribute('gen_ai.input.messages', JSON.stringify([{ role: 'user', content: `say ${nth}` }])),
    ...more,
  ],
})
const SESSION = attribute('session.id', 'talk')

function batchesOf(spans: readonly object[], resource: readonly object[] = []): readonly Batch[] {
  const signal = SIGNALS[0]
  if (signal === undefined) throw new Error('no signal')
  const body = {
    resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope: {}, spans }] }],
  }
  const read = readExport(Buffer.from(JSON.stringify(body)), 'json', signal)
  if (!read.ok) throw new Error(read.error.what)
  return read.value.batches
}

const namesIn = (folder: string) => readdirSync(join(folder, 'otlp')).toSorted()
async function textsIn(folder: string, name: string): Promise<readonly string[]> {
  const read = await readTranscript(join(folder, 'otlp', name))
  if (!read.ok) throw new Error(read.error.what)
  return read.value.sessions.flatMap((session) => plainEvents(session).map(({ text }) => text))
}

describe('[F152] records of what programs send', () => {
  it.each([
    ['session.id', 'talk'],
    ['gen_ai.conversation.id', 'talk'],
    ['langfuse.session.id', 'talk'],
    ['traceloop.association.properties.session_id', 'talk'],
    ['ai.telemetry.metadata.sessionId', 'talk'],
  ])('a session by %s, of the span or its resource', async (key, value) => {
    for (const [own, around] of [
      [[attribute(key, value)], []],
      [[], [attribute(key, value)]],
    ] as const) {
      const folder = temporary()
      const store = await openOtlpStore(folder)
      const kept = await store.keep(batchesOf([span(1, own)], around))
      expect(kept.sessions).toEqual(['talk'])
      expect(namesIn(folder)).toEqual(['talk.jsonl'])
      expect(await textsIn(folder, 'talk.jsonl')).toEqual(['say 1'])
      const { size, mode } = statSync(join(folder, 'otlp', 'talk.jsonl'))
      expect(kept.bytes).toBe(size)
      if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600)
    }
  })

  it('spans of a trace come to the session that any of them names, also when it is named last', async () => {
    const folder = temporary()
    const store = await openOtlpStore(folder)
    await store.keep(batchesOf([span(1)]))
    expect(namesIn(folder)).toEqual([`${TRACE}~trace.jsonl`])
    await store.keep(batchesOf([span(2, [SESSION])]))
    expect(namesIn(folder)).toEqual(['talk.jsonl'])
    await store.keep(batchesOf([span(3)]))
    // Of another trace of the same session.
    const other = 'f'.repeat(32)
    await store.keep(batchesOf([span(4, [], other)]))
    await store.keep(batchesOf([span(5, [SESSION], other)]))
    expect(namesIn(folder)).toEqual(['talk.jsonl'])
    expect(await textsIn(folder, 'talk.jsonl')).toEqual([1, 2, 3, 4, 5].map((n) => `say ${n}`))
  })

  it('the same after a new start', async () => {
    const folder = temporary()
    await (await openOtlpStore(folder)).keep(batchesOf([span(1)]))
    await (await openOtlpStore(folder)).keep(batchesOf([span(2, [SESSION])]))
    expect(namesIn(folder)).toEqual(['talk.jsonl'])
    expect(await textsIn(folder, 'talk.jsonl')).toEqual(['say 1', 'say 2'])
  })

  it('a torn last line costs one line', async () => {
    const folder = temporary()
    const path = join(folder, 'otlp', 'talk.jsonl')
    await (await openOtlpStore(folder)).keep(batchesOf([span(1, [SESSION])]))
    appendFileSync(path, '{"resourceSpans":[{"scopeSp')
    await (await openOtlpStore(folder)).keep(batchesOf([span(2, [SESSION])]))
    expect(await textsIn(folder, 'talk.jsonl')).toEqual(['say 1', 'say 2'])
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4)
  })

  it('a trace never takes the place of what another host wrote of its session', async () => {
    const folder = temporary()
    const one = await openOtlpStore(folder)
    const other = await openOtlpStore(folder)
    await one.keep(batchesOf([span(1)]))
    await other.keep(batchesOf([span(2, [SESSION], 'f'.repeat(32))]))
    await one.keep(batchesOf([span(3, [SESSION])]))
    expect(namesIn(folder)).toEqual(['talk.jsonl'])
    expect((await textsIn(folder, 'talk.jsonl')).toSorted()).toEqual(['say 1', 'say 2', 'say 3'])
  })

  it('names of any kind stay in the folder', async () => {
    const folder = temporary()
    const store = await openOtlpStore(folder)
    const names = ['../../out', '/etc/passwd', '', '.', 'ä'.repeat(300), 'a\u0000b', 'a/b', 'a_b']
    for (const [n, name] of names.entries())
      await store.keep(
        batchesOf([span(n + 1, [attribute('session.id', name)], n.toString(16).padStart(32, 'e'))]),
      )
    expect(namesIn(folder)).toHaveLength(names.length)
    expect(readdirSync(folder)).toEqual(['otlp'])
  })

  it('[F207] a trace never joins the session that has its id as name, in any order', async () => {
    for (const isFirst of [true, false]) {
      const folder = temporary()
      const store = await openOtlpStore(folder)
      const mine = batchesOf([span(1, [attribute('session.id', TRACE)], 'f'.repeat(32))])
      const other = batchesOf([span(2)])
      for (const batches of isFirst ? [mine, other] : [other, mine]) await store.keep(batches)
      expect(namesIn(folder)).toEqual([`${TRACE}.jsonl`, `${TRACE}~trace.jsonl`])
      expect(await textsIn(folder, `${TRACE}.jsonl`)).toEqual(['say 1'])
      expect(await textsIn(folder, `${TRACE}~trace.jsonl`)).toEqual(['say 2'])
    }
  })

  it('[F207] a session that has the id of its own trace as name is one record, also after a new start', async () => {
    const folder = temporary()
    const own = attribute('session.id', TRACE)
    await (await openOtlpStore(folder)).keep(batchesOf([span(1)]))
    await (await openOtlpStore(folder)).keep(batchesOf([span(2, [own])]))
    await (await openOtlpStore(folder)).keep(batchesOf([span(3, [own])]))
    expect(namesIn(folder)).toEqual([`${TRACE}.jsonl`])
    expect(await textsIn(folder, `${TRACE}.jsonl`)).toEqual(['say 1', 'say 2', 'say 3'])
  })

  it('[F207] a record of an older version is continued by its owner alone', async () => {
    const folder = temporary()
    const older = async (name: string, batches: readonly Batch[]) => {
      const made = temporary()
      const { sessions } = await (await openOtlpStore(made)).keep(batches)
      const to = join(folder, 'otlp', `${name}.jsonl`)
      writeFileSync(to, readFileSync(join(made, 'otlp', `${sessions[0] ?? ''}.jsonl`)))
    }
    mkdirSync(join(folder, 'otlp'))
    const slash = (nth: number) =>
      batchesOf([span(nth, [attribute('session.id', 'a/b')], nth.toString(16).padStart(32, 'd'))])
    await older('a_b-c14cddc0', slash(1))
    await older(TRACE, batchesOf([span(2)]))
    const store = await openOtlpStore(folder)
    await store.keep(slash(3))
    await store.keep(batchesOf([span(4)]))
    const named = attribute('session.id', TRACE)
    await store.keep(batchesOf([span(5, [named], 'f'.repeat(32))]))
    await store.keep(
      batchesOf([span(6, [attribute('session.id', 'a_b-c14cddc0')], 'e'.repeat(32))]),
    )
    expect(await textsIn(folder, 'a_b-c14cddc0.jsonl')).toEqual(['say 1', 'say 3'])
    expect(await textsIn(folder, `${TRACE}.jsonl`)).toEqual(['say 2', 'say 4'])
    expect(namesIn(folder)).toHaveLength(4)
  })

  it('a record that was deleted meanwhile begins anew', async () => {
    const folder = temporary()
    const store = await openOtlpStore(folder)
    await store.keep(batchesOf([span(1, [SESSION])]))
    rmSync(join(folder, 'otlp', 'talk.jsonl'))
    await store.keep(batchesOf([span(2, [SESSION])]))
    expect(await textsIn(folder, 'talk.jsonl')).toEqual(['say 2'])
  })
})

it('[F153] what is sent again is in the session once', async () => {
  const folder = temporary()
  const store = await openOtlpStore(folder)
  const batches = batchesOf([span(1, [SESSION]), span(2, [SESSION])])
  await store.keep(batches)
  await store.keep(batches)
  await store.keep(batchesOf([span(3, [SESSION])]))
  expect(await textsIn(folder, 'talk.jsonl')).toEqual(['say 1', 'say 2', 'say 3'])
})
