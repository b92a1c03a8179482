import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { moreRealFiles, moreRealPath } from '../../../../fixtures/more-real-files.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { plainEvents } from '../../../engine/schema/event.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/import/qwen-code')
const FOLDER = 'agent-sessions-qwen'
const ID = '019f0000-0000-7000-8000-00000000000'
const REAL = moreRealFiles([
  ...[1, 2, 4, 5].map((number) => `${FOLDER}/${ID}${number}.jsonl`),
  `${FOLDER}/019f0000000070008000000000000003.jsonl`,
  `${FOLDER}/system_telemetry.jsonl`,
])

async function read(path: string): Promise<ImportedTranscript> {
  const result = await readTranscript(path)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  expect(result.value.format).toBe('qwen-code')
  return result.value
}

/** Kind, name and text of all events of a session. */
function said({ sessions }: ImportedTranscript, at = 0): ReadonlyArray<readonly unknown[]> {
  const session = sessions[at]
  if (session === undefined) return []
  return plainEvents(session).map(({ kind, name, text }) => [kind, name, text])
}

describe('chats of Qwen Code', () => {
  it('[I126] what was shown of a message was typed, what was sent beside it is injected', async () => {
    const events = said(await read(join(FIXTURES, 'chat.jsonl')))
    const of = (kind: string) => events.filter(([one]) => one === kind)
    expect(of('user')).toEqual([
      ['user', null, 'Make the header sticky'],
      ['user', null, 'Look at @site.css'],
    ])
    expect(of('injected').map(([, name]) => name)).toEqual([
      'hook',
      'context',
      'at-command',
      'not-typed',
    ])
    expect(of('command').map(([, , text]) => text)).toEqual(['/about', 'Version 0.21.13'])
    expect(of('summary')).toHaveLength(1)
    expect(of('system')).toEqual([['system', 'error', '429: slow down']])
  })

  it('[I126] a rewind leaves a branch, pieces of one record follow each other, bookkeeping leads nowhere', async () => {
    const transcript = await read(join(FIXTURES, 'rewind.jsonl'))
    expect(said(transcript).map(([, , text]) => text)).toEqual([
      'Begin',
      'Begin again',
      'Think it over.',
      'The second answer.',
    ])
    expect(said(transcript, 1)).toEqual([['agent', null, 'The first answer.']])
    expect(transcript.sessions.map(({ title }) => title)[0]).toBe('New')
  })

  it('[I126] records of a sub-agent are a thread', async () => {
    const { sessions } = await read(join(FIXTURES, 'chat.jsonl'))
    expect(sessions.map(({ thread, parent }) => [thread, parent])).toEqual([
      ['main', null],
      ['explore-7f3c', sessions[0]?.id],
    ])
  })

  it('[I126] types and subtypes that are not known are named, words are kept', async () => {
    const transcript = await read(join(FIXTURES, 'damaged.jsonl'))
    expect(transcript.problems.map(({ message }) => message)).toEqual([
      '1 part of the unknown kind “executableCode” was not read: line 4',
      'a record of an unknown type: future',
      'a record must be an object, this is a number',
      'a record without a type',
    ])
    expect(said(transcript)).toContainEqual([
      'meta',
      'dream',
      'Words of a subtype that nobody knows.',
    ])
  })

  it.each(REAL)('[I126] %s: every text, call and result is there once', async (name) => {
    interface Part {
      readonly text?: string
      readonly functionCall?: unknown
      readonly functionResponse?: unknown
    }
    const transcript = await read(moreRealPath(name))
    const events = transcript.sessions.flatMap(plainEvents)
    const records = readFileSync(moreRealPath(name), 'utf8')
      .replaceAll('}{"uuid"', '}\n{"uuid"')
      .split('\n')
      .filter((line) => line.trim() !== '')
    const parts = records.flatMap(
      (line) => (JSON.parse(line) as { message?: { parts: readonly Part[] } }).message?.parts ?? [],
    )
    const texts = parts.flatMap(({ text }) => text ?? []).toSorted()
    const spoken = ['user', 'agent', 'reasoning', 'injected', 'notification']
    const count = (...kinds: readonly string[]) =>
      events.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text)
    expect(count(...spoken).toSorted()).toEqual(texts)
    expect(count('tool_call')).toHaveLength(
      parts.filter(({ functionCall }) => functionCall !== undefined).length,
    )
    expect(count('tool_result')).toHaveLength(
      parts.filter(({ functionResponse }) => functionResponse !== undefined).length,
    )
    expect(transcript.problemTotal).toBe(0)
  })
})
