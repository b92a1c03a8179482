import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { moreRealFiles, moreRealPath } from '../../../../fixtures/more-real-files.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { plainEvents } from '../../../engine/schema/event.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/import/copilot-cli')
const FOLDER = 'agent-sessions-copilot'
const REAL = moreRealFiles([
  `${FOLDER}/small.jsonl`,
  `${FOLDER}/schema_drift.jsonl`,
  `${FOLDER}/subdir_v1/aaaabbbb-1111-2222-3333-ccccddddeeee/events.jsonl`,
])

async function read(path: string): Promise<ImportedTranscript> {
  const result = await readTranscript(path)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  expect(result.value.format).toBe('copilot-cli')
  return result.value
}

describe('sessions of Copilot CLI', () => {
  it('[I122] a call that is asked for and begun, and reasoning that is written twice, are there once, in either order', async () => {
    const { sessions } = await read(join(FIXTURES, 'session.jsonl'))
    const events = plainEvents(sessions[0]!)
    const calls = events.filter(({ kind }) => kind === 'tool_call').map(({ callId }) => callId)
    expect(calls).toEqual(['call_1', 'call_2', 'call_3'])
    expect(events.filter(({ kind }) => kind === 'reasoning')).toHaveLength(1)
  })

  it('[I122] only what a person typed is the person’s; what the person ran is a command', async () => {
    const { sessions } = await read(join(FIXTURES, 'session.jsonl'))
    const events = plainEvents(sessions[0]!)
    const of = (kind: string): readonly unknown[] =>
      events.filter((event) => event.kind === kind).map(({ name, text }) => [name, text])
    expect(of('user')).toEqual([[null, 'Fix the rounding of prices']])
    expect(of('command')).toEqual([
      ['bash', '{"command":"git status"}'],
      ['bash', 'nothing to commit'],
    ])
    expect(of('injected').map((pair) => (pair as readonly unknown[])[0])).toEqual([
      'context',
      'attachments',
      'autopilot',
      'skill',
    ])
    expect(of('summary')).toEqual([['compaction', 'The rounding is fixed, the tests pass.']])
  })

  it('[I122] sub-agents are threads of the calls that started them, a rewind leaves a branch', async () => {
    const { sessions } = await read(join(FIXTURES, 'agents.jsonl'))
    expect(sessions.map(({ thread, startedBy }) => [thread, startedBy])).toEqual([
      ['main', undefined],
      ['task_1', 'task_1'],
      ['task_2', 'task_2'],
      ['branch-1', undefined],
    ])
    const kinds = sessions.map((session) => plainEvents(session).map(({ kind }) => kind))
    expect(kinds[2]).toEqual(['subagent_prompt', 'agent', 'system'])
    expect(kinds[3]).toEqual(['user', 'agent'])
    expect(sessions[0]?.title).toBe('Tests of prices')
  })

  it('[I122] records of an unknown type keep their words under its name, others are counted by it', async () => {
    const { sessions, skipped, problems } = await read(join(FIXTURES, 'damaged.jsonl'))
    const kept = plainEvents(sessions[0]!).find(({ kind }) => kind === 'meta')
    expect(kept).toMatchObject({
      name: 'assistant.dream',
      text: 'Words of a type that nobody knows.',
    })
    expect(skipped['canvas.opened']).toBe(1)
    expect(problems.map(({ line }) => line)).toEqual([3, 4])
  })

  it.each(REAL)('[I122] %s: every message, call and result is there once', async (name) => {
    interface Line {
      readonly type: string
      readonly data: {
        readonly content?: string
        readonly toolRequests?: ReadonlyArray<{ readonly toolCallId: string }>
      }
    }
    const lines = readFileSync(moreRealPath(name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
    const transcript = await read(moreRealPath(name))
    const events = transcript.sessions.flatMap(plainEvents)
    const texts = (type: string): readonly unknown[] =>
      lines
        .filter((line) => line.type === type && (line.data.content ?? '') !== '')
        .map(({ data }) => data.content)
        .toSorted()
    const of = (kind: string): readonly string[] =>
      events
        .filter((event) => event.kind === kind)
        .map(({ text }) => text)
        .toSorted()
    expect(of('user')).toEqual(texts('user.message'))
    expect(of('agent')).toEqual(texts('assistant.message'))
    const asked = lines.flatMap(({ data }) => data.toolRequests ?? [])
    expect(of('tool_call')).toHaveLength(asked.length)
    const done = lines.filter(({ type }) => type === 'tool.execution_complete')
    expect(of('tool_result')).toHaveLength(done.length)
    expect(transcript.problemTotal).toBe(0)
  })
})
