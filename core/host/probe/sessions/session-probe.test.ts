import { expect, test } from 'vitest'
import type { ProbePorts } from '../../../engine/probe/ports.ts'
import { recommendedProbe } from '../../../engine/probe/options.ts'
import { ok } from '../../../engine/result.ts'
import { type ProbeMessage, createSessionProbe } from './session-probe.ts'

/** An embedder and a collection that say how often they were asked. */
function world() {
  const asked: string[] = []
  const ports: ProbePorts = {
    embedder: {
      id: 'e',
      dimensions: 1,
      threshold: 0.3,
      remote: false,
      embed: (texts) => {
        asked.push(...texts)
        return Promise.resolve(ok(texts.map(() => new Float32Array([1]))))
      },
    },
    collections: [
      {
        name: 'c',
        version: '1',
        embedder: 'e',
        threshold: null,
        persona: 'p',
        keywords: [],
        search: (queries) =>
          Promise.resolve(
            ok(
              queries.map(({ text }) => [
                {
                  chunk_text: text,
                  filename: 'f',
                  chunk_idx: 0,
                  lines: null,
                  similarity: text.length / 40,
                  lexical: null,
                },
              ]),
            ),
          ),
      },
    ],
    clock: () => 0,
    signal: { aborted: false },
  }
  return { asked, work: { ports, signal: new AbortController().signal } }
}

const NAMES = ['Farnholm', 'Quillwick', 'Marrowbone', 'Vexley']
const messagesUpTo = (count: number): ProbeMessage[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `${NAMES[index % 4] ?? ''}${'xyz'[index % 3] ?? ''}`
    return { seq: index * 2, text: `please tell them of ${name} and number ${index}` }
  })

test('[D45] equal messages at the front are not asked again; what is new or other is', async () => {
  const { asked, work } = world()
  const probe = createSessionProbe(recommendedProbe)
  const messages = messagesUpTo(6)
  await probe.advance(messages, 5, work)
  expect(probe.rows.map((row) => row.seq)).toEqual([0, 2, 4, 6, 8, 10])
  const first = asked.length
  await probe.advance(messages, 5, work)
  expect(asked).toHaveLength(first)
  await probe.advance(messagesUpTo(7), 6, work)
  expect(probe.rows).toHaveLength(7)
  const other = messagesUpTo(7).map((message) =>
    message.seq === 8 ? { ...message, text: 'now it is about Zanzibar alone' } : message,
  )
  const before = [...probe.rows]
  await probe.advance(other, 6, work)
  expect(probe.rows.slice(0, 4)).toEqual(before.slice(0, 4))
  expect(probe.rows[4]?.fingerprint).not.toBe(before[4]?.fingerprint)
  expect(asked).toContain('Zanzibar')
})

test('[D45] any turn of a long session is the one that was probed, from whatever state was kept', async () => {
  const { work } = world()
  const messages = messagesUpTo(1500)
  const whole = createSessionProbe(recommendedProbe)
  await whole.advance(messages, 1499, work)
  for (const index of [0, 1, 7, 63, 500, 777, 1023, 1498, 1499]) {
    const turn = await whole.turn(messages, index, work)
    const fresh = createSessionProbe(recommendedProbe)
    await fresh.advance(messages, index, work)
    const direct = await fresh.turn(messages, index, work)
    expect(turn).toEqual(direct)
    expect(turn.result.hits.length).toBe(whole.rows[index]?.hits)
  }
})

test('[D45] cancelled, a probe keeps what it has and goes on from there', async () => {
  const { work } = world()
  const stop = new AbortController()
  const probe = createSessionProbe(recommendedProbe)
  const messages = messagesUpTo(40)
  const cancelled = probe.advance(messages, 39, {
    ports: work.ports,
    signal: stop.signal,
    report: (done) => {
      if (done === 20) stop.abort()
    },
  })
  await expect(cancelled).rejects.toThrow(/abort/iu)
  expect(probe.rows).toHaveLength(20)
  await probe.advance(messages, 39, work)
  const fresh = createSessionProbe(recommendedProbe)
  await fresh.advance(messages, 39, work)
  expect(probe.rows).toEqual(fresh.rows)
})
