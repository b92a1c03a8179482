import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../fixtures/any-character.ts'
import { casesOf } from '../../fixtures/cases.ts'
import { readTranscript } from '../../fixtures/read-transcript.ts'
import { NO_TEXTS, plainEvents } from './schema/event.ts'
import { EventKind } from './schema/event-kind.ts'
import { plainEvent } from '../../fixtures/events.ts'
import type { Transcript } from './schema/session.ts'
import { writeSessionFile } from '../../fixtures/session-file.ts'

const maybe = fc.option(fc.string({ unit: anyCharacter, maxLength: 12 }), { nil: null })
const time = fc.option(fc.integer({ min: -8e15, max: 8e15 }), { nil: null })
const event = fc.record({
  kind: fc.constantFrom(...EventKind.options),
  text: fc.string({ unit: anyCharacter, maxLength: 40 }),
  at: time,
  name: maybe,
  callId: maybe,
  isError: fc.boolean(),
  model: maybe,
})
const session = fc.record({
  id: fc.string({ unit: anyCharacter }),
  title: fc.string({ unit: anyCharacter }),
  thread: fc.string({ unit: anyCharacter }),
  parent: maybe,
  startedAt: time,
  cwd: maybe,
  events: fc.array(event, { minLength: 1, maxLength: 6 }),
})

function transcriptOf(
  sessions: ReadonlyArray<typeof session extends fc.Arbitrary<infer T> ? T : never>,
): Pick<Transcript, 'sessions'> {
  const source = { offset: 0, length: 0, line: 1 }
  return {
    sessions: sessions.map((item) => ({
      ...item,
      events: item.events.map((given, seq) => plainEvent({ ...given, seq, source })),
      texts: NO_TEXTS,
    })),
  }
}

async function read(text: string): Promise<Transcript> {
  const result = await readTranscript(Buffer.from(text))
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

describe('native files', () => {
  it('[I10] any transcript written reads back the same, lone surrogates and control characters included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(session, { minLength: 1, maxLength: 3 }), async (given) => {
        const before = transcriptOf(given)
        const after = await read(writeSessionFile(before))
        const source = { offset: 0, length: 0, line: 1 }
        const placeless = after.sessions.map((s) => ({
          ...s,
          events: plainEvents(s).map((e) => ({ ...e, source })),
        }))
        expect(placeless).toEqual(before.sessions)
      }),
      casesOf('session file: round trip'),
    )
  })

  it('[I10] fields that this version does not know are kept and written back', async () => {
    const text =
      line({
        type: 'session',
        schemaVersion: 1,
        id: 'a',
        title: 't',
        thread: 'main',
        parent: null,
        startedAt: null,
        cwd: null,
        pipeline: { v: 2 },
      }) + line({ kind: 'user', text: 'hi', injected: [{ step: 'probe', tokens: 12 }] })
    expect(writeSessionFile(await read(text))).toBe(text)
  })

  it('[I10] times may be ISO text; lines of another type are named; a torn header costs no event', async () => {
    const transcript = await read(
      `{"type":"session","schemaV\n${line({ kind: 'user', text: 'a', at: '2026-01-02T03:04:05Z' })}${line({ type: 'session', schemaVersion: 1, id: 'b' })}${line({ type: 'mark', x: 1 })}${line({ type: 'event', kind: 'agent', text: 'b', seq: 7 })}`,
    )
    expect(
      transcript.sessions.map((s) => [s.id, s.events.map((e) => [e.seq, e.text, e.at])]),
    ).toEqual([
      ['session-1', [[0, 'a', Date.UTC(2026, 0, 2, 3, 4, 5)]]],
      ['b', [[0, 'b', null]]],
    ])
    expect(transcript.skipped).toEqual({})
    // [I108] A type of a newer version is said, not only counted.
    expect(transcript.problems.map(({ line: at, code }) => [at, code]).toSorted()).toEqual([
      [1, 'bad_json'],
      [4, 'unknown_kind'],
    ])
  })
})
