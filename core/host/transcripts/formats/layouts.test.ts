import { describe, expect, it } from 'vitest'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { plainEvents } from '../../../engine/schema/event.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'

// Layouts of the formats that neither the fixtures nor the real files have.

async function read(text: string): Promise<ImportedTranscript> {
  const result = await readTranscript(Buffer.from(text))
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

/** Kind and text of all events. */
function said(transcript: ImportedTranscript): ReadonlyArray<readonly [string, string]> {
  return transcript.sessions.flatMap((session) =>
    plainEvents(session).map(({ kind, text }) => [kind, text] as const),
  )
}

const link = { sessionId: 's', isSidechain: false, timestamp: '2026-03-01T10:00:00.000Z' }
const entries = [
  { ...link, type: 'user', uuid: 'a', parentUuid: null, message: { role: 'user', content: 'hi' } },
  {
    ...link,
    type: 'assistant',
    uuid: 'b',
    parentUuid: 'a',
    message: { role: 'assistant', content: [{ type: 'text', text: 'yo' }] },
  },
]
const at = '2025-11-01T00:00:01.000Z'
const piFirst = [
  { type: 'session', id: 'p', timestamp: at, cwd: '/w', provider: 'x', modelId: 'm' },
  { type: 'message', timestamp: at, message: { role: 'user', content: 'hi' } },
  { type: 'message', timestamp: at, message: { role: 'assistant', content: 'yo' } },
]
const sdkEvents = {
  items: [
    {
      kind: 'MessageEvent',
      id: '1',
      timestamp: '2025-11-01T10:00:01',
      source: 'user',
      llm_message: { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    },
  ],
  next_page_id: null,
}
const judged = {
  is_correct: true,
  question: 'why?',
  question_ID: 'q1',
  history: [{ role: 'assistant', name: 'Expert', content: 'because' }],
}
const lines = (records: readonly unknown[]): string =>
  records.map((record) => JSON.stringify(record)).join('\n')

const layouts: ReadonlyArray<
  readonly [string, string, string, ReadonlyArray<readonly [string, string]>]
> = [
  [
    '[I1] [I3] Claude Code records in one printed list',
    'claude-code',
    JSON.stringify(entries, null, 2),
    [
      ['user', 'hi'],
      ['agent', 'yo'],
    ],
  ],
  [
    '[I16] pi of the first version, without tree',
    'pi',
    lines(piFirst),
    [
      ['user', 'hi'],
      ['agent', 'yo'],
    ],
  ],
  [
    '[I22] a page of events of the OpenHands server',
    'openhands',
    JSON.stringify(sdkEvents),
    [['user', 'hi']],
  ],
  [
    '[I26] a run without a labelled mistake',
    'who-and-when',
    JSON.stringify(judged, null, 1),
    [
      ['user', 'why?'],
      ['agent', 'because'],
      ['meta', 'true'],
    ],
  ],
  [
    '[I19] a run that failed without a text',
    'claude-stream',
    lines([
      { type: 'user', session_id: 's', message: { role: 'user', content: 'hi' } },
      { type: 'result', subtype: 'error_max_turns', is_error: true, num_turns: 3, session_id: 's' },
    ]),
    [
      ['user', 'hi'],
      ['system', 'error_max_turns'],
      ['meta', 'error_max_turns, num_turns 3'],
    ],
  ],
]

describe('layouts', () => {
  it.each(layouts)('%s', async (_title, format, text, expected) => {
    const transcript = await read(text)
    expect(transcript.format).toBe(format)
    expect(transcript.problems).toEqual([])
    expect(said(transcript)).toEqual(expected)
  })

  it('[I4] a session is named by the first line with a word in it', async () => {
    const { sessions } = await read(
      lines([{ messages: [{ role: 'assistant', content: '{\n---\n "plan": 1' }] }]),
    )
    expect(sessions[0]?.title).toBe('"plan": 1')
  })

  it('[I5] a file of a known format in which nothing is said says so', async () => {
    const result = await readTranscript(
      Buffer.from('{"type":"summary","summary":"a title","leafUuid":"x"}\n'),
    )
    expect(result.ok ? '' : result.error.what).toMatch(/nothing is said/)
  })
})

describe('printed documents that are damaged', () => {
  const messages = [0, 1, 2, 3].map((n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: `message ${n}`,
  }))
  const printed = JSON.stringify({ messages }, null, 2)

  it.each([
    ['a word that is no JSON', printed.replace('"message 2"', 'nonsense')],
    ['an escape that is none', printed.replace('message 2', 'mess\\age 2')],
  ])('[I3] [I5] %s near the beginning costs its item only', async (_what, text) => {
    const transcript = await read(text)
    expect(transcript.format).toBe('openai-messages')
    expect(said(transcript)).toEqual([
      ['user', 'message 0'],
      ['agent', 'message 1'],
      ['agent', 'message 3'],
    ])
    expect(transcript.problemTotal).toBe(1)
  })

  it('[I3] several printed documents in one file are read one after the other', async () => {
    const { sessions, problems } = await read(`${printed}\n${printed}\n`)
    expect(sessions.map(({ events }) => events.length)).toEqual([4, 4])
    expect(problems).toEqual([])
  })

  it('[I5] what stands behind a printed document costs nothing of it', async () => {
    const { sessions } = await read(`${printed}\nDone in 3 s\n`)
    expect(sessions.map(({ events }) => events.length)).toEqual([4])
  })
})
