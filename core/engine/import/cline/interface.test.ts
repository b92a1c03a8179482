import { describe, expect, it } from 'vitest'
import { createLog } from '../shared/import-log.ts'
import { NO_TEXTS } from '../../schema/event.ts'
import { cline } from './importer.ts'

const ref = { offset: 0, length: 1, line: 1 }

/** Sessions as `thread of parent`, and kind and text of their events; looked at after each record. */
function read(records: readonly unknown[]): {
  readonly sessions: ReadonlyArray<readonly [string, readonly string[]]>
  readonly skipped: unknown
} {
  const log = createLog()
  const reader = cline.read(log, NO_TEXTS)
  for (const value of records) {
    reader.take({ value, ref })
    reader.tidy?.()
  }
  const sessions = [...reader.drafts()].map(
    ({ thread, parent, events }): readonly [string, readonly string[]] => [
      `${thread} of ${parent ?? '-'}`,
      events.map(({ kind, text }) => `${kind}: ${String(text)}`),
    ],
  )
  return { sessions, skipped: log.report().skipped }
}

let ts = 1_760_000_000_000
const say = (what: string, text: string, more: object = {}): object => {
  ts += 1000
  return { ts, type: 'say', say: what, text, ...more }
}
const partial = { partial: true }

describe('[I116] a record that was saved while it was written', () => {
  it('is the text where nothing goes on with it', () => {
    const records = [say('task', 'mow'), say('text', 'I beg', partial), say('reasoning', 'why')]
    expect(read(records).sessions).toEqual([
      ['main of -', ['user: mow', 'agent: I beg', 'reasoning: why']],
    ])
    expect(read(records.slice(0, 2)).sessions[0]?.[1]).toEqual(['user: mow', 'agent: I beg'])
  })

  it('is nothing where the same moment, a longer text or the same tool on the same file goes on', () => {
    const tool = (content: string): string =>
      JSON.stringify({ tool: 'newFile', path: 'a', content })
    const records = [
      say('task', 'mow'),
      { ...say('text', 'I beg', partial), ts: 1 },
      { ...say('text', 'We begin.'), ts: 1 },
      say('reasoning', 'wh', partial),
      say('checkpoint_created', ''),
      say('reasoning', 'why', partial),
      say('reasoning', 'why not'),
      { ts, type: 'ask', ask: 'tool', text: tool('x'), partial: true },
      say('tool', tool('x y')),
      say('tool', JSON.stringify({ tool: 'newFile', path: 'b', content: 'z' })),
    ]
    const { sessions, skipped } = read(records)
    expect(sessions[0]?.[1]).toEqual([
      'user: mow',
      'agent: We begin.',
      'reasoning: why not',
      `tool_call: ${tool('x y')}`,
      'tool_call: {"tool":"newFile","path":"b","content":"z"}',
    ])
    expect(skipped).toEqual({
      'say/text (partial)': 1,
      'say/reasoning (partial)': 2,
      'say/checkpoint_created': 1,
      'ask/tool (partial)': 1,
    })
  })
})

describe('[I116] the two halves of a task', () => {
  const api = [
    { role: 'user', content: [{ type: 'text', text: '<task>\nmow\n</task>' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    { role: 'user', content: [{ type: 'text', text: '<feedback>\nmow\n</feedback>' }] },
  ]
  const ui = [say('task', 'mow'), say('text', 'Done.'), say('user_feedback', 'more')]
  const both = [
    ['main of -', ['user: mow', 'agent: Done.', 'user: mow']],
    ['ui of session-1', ['agent: Done.', 'user: more']],
  ]

  it('are the messages and a thread beside them, whichever is read first; the task counts once', () => {
    expect(read([...api, ...ui]).sessions).toEqual(both)
    expect(read([...ui, ...api]).sessions).toEqual(both)
    expect(read([...ui, ...api]).skipped).toEqual({ 'task (in the messages)': 1 })
  })

  it('the interface alone is the session', () => {
    expect(read(ui).sessions).toEqual([['main of -', ['user: mow', 'agent: Done.', 'user: more']]])
  })
})
