import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { moreRealFiles, moreRealPath } from '../../../../fixtures/more-real-files.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import { createLog } from '../../../engine/import/shared/import-log.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { vscodeChat } from '../../../engine/import/vscode-chat/importer.ts'
import { NO_TEXTS, plainEvents } from '../../../engine/schema/event.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/import/vscode-chat')
const REAL = moreRealFiles(['vscode-copilot/dealenx-chat.json', 'vscode-copilot/dealenx-mcp.json'])

async function read(input: string | Uint8Array): Promise<ImportedTranscript> {
  const result = await readTranscript(input)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  expect(result.value.format).toBe('vscode-chat')
  return result.value
}

/** Kind, name and text of the events of a session. */
function said({ sessions }: ImportedTranscript, at = 0): ReadonlyArray<readonly unknown[]> {
  const session = sessions[at]
  if (session === undefined) return []
  return plainEvents(session).map(({ kind, name, text }) => [kind, name, text])
}

function lines(...changes: readonly unknown[]): Buffer {
  return Buffer.from(changes.map((change) => `${JSON.stringify(change)}\n`).join(''))
}

describe('Copilot chats of VS Code', () => {
  it('[I120] parts of an answer meet the calls of the model by name, and a call that no part shows stands between', async () => {
    const transcript = await read(join(FIXTURES, 'export.json'))
    const calls = plainEvents(transcript.sessions[0]!)
      .filter(({ kind }) => kind === 'tool_call' || kind === 'tool_result')
      .map(({ name, callId }) => [name, callId])
    expect(calls.slice(0, 6)).toEqual([
      ['read_file', 'toolu_01__vscode-1'],
      ['read_file', 'toolu_01__vscode-1'],
      ['manage_todo_list', 'toolu_02__vscode-2'],
      ['manage_todo_list', 'toolu_02__vscode-2'],
      ['replace_string_in_file', 'toolu_03__vscode-3'],
      ['replace_string_in_file', 'toolu_03__vscode-3'],
    ])
    expect(said(transcript)).toContainEqual([
      'tool_result',
      'read_file',
      'export const retries = 3\nexport const pause = 250',
    ])
  })

  it('[I120] what was sent around a text is injected, without the text itself', async () => {
    const transcript = await read(join(FIXTURES, 'export.json'))
    const typed = 'Raise the retries in #file:retry.ts to five'
    expect(said(transcript).filter(([, , text]) => String(text).includes(typed))).toEqual([
      ['user', null, typed],
    ])
    expect(
      said(transcript)
        .slice(0, 3)
        .map(([kind, name]) => [kind, name]),
    ).toEqual([
      ['injected', 'global-context'],
      ['injected', 'context'],
      ['injected', 'attachments'],
    ])
  })

  it('[I120] a sub-agent is a thread with the call that started it; a request that was taken back is a branch', async () => {
    const { sessions } = await read(join(FIXTURES, 'session.json'))
    const id = '0c1d2e3f-0000-4000-8000-0000000000a1'
    expect(sessions.map(({ thread, parent, startedBy }) => [thread, parent, startedBy])).toEqual([
      ['main', null, undefined],
      ['call_A', id, 'call_A'],
      ['branch-1', id, undefined],
    ])
    expect(sessions[0]?.title).toBe('Why the build is slow')
  })

  it('[I120] a part of an unknown kind is a problem that names it, and its words stay', async () => {
    const transcript = await read(join(FIXTURES, 'damaged.json'))
    expect(transcript.problems.map(({ message }) => message)).toContain(
      'a part of an answer of an unknown kind: holographicNote',
    )
    expect(said(transcript)).toContainEqual([
      'meta',
      'holographicNote',
      'A kind that nobody knows.',
    ])
  })

  it('[I121] a log of changes reads as the chat that it leads to: lists are cut and added to', async () => {
    const transcript = await read(join(FIXTURES, 'changes.jsonl'))
    expect(transcript.sessions[0]?.title).toBe('Renaming')
    expect(said(transcript)).toEqual([
      ['user', null, 'Rename the helper'],
      ['agent', null, 'I look for it.'],
      ['tool_call', 'grep_search', '{"query":"helper"}'],
      ['tool_result', 'grep_search', 'src/helper.ts:1: export function helper'],
      ['agent', null, 'It is renamed.'],
      ['user', null, 'Undo it'],
      ['agent', null, 'It is back.'],
      ['interruption', null, 'Canceled'],
    ])
  })

  it('[I121] a change that does not fit is a problem, names of prototypes are only refused, and all else is read', async () => {
    const request = {
      requestId: 'r',
      message: { text: 'Hello there' },
      response: [{ value: 'Hi.' }],
    }
    const chat = { version: 3, sessionId: 's', creationDate: 1760000000000, requests: [request] }
    const transcript = await read(
      lines(
        { kind: 0, v: chat },
        { kind: 2, k: ['requests', 7, 'response'], v: [{ value: 'Nowhere.' }] },
        { kind: 1, k: ['requests', 0, '__proto__', 'x'], v: 1 },
        { kind: 2, k: ['requests', 0, 'response'], v: [{ value: ' And more.' }] },
      ),
    )
    expect(transcript.problems.map(({ line }) => line)).toEqual([2, 3])
    expect(said(transcript)).toEqual([
      ['user', null, 'Hello there'],
      ['agent', null, 'Hi. And more.'],
    ])
  })

  it('[I121] a log whose first line is lost still gives what its changes say', async () => {
    const request = { requestId: 'r', message: { text: 'Hello there' }, response: [] }
    const transcript = await read(
      lines(
        { kind: 2, k: ['requests'], v: [request] },
        { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'Hi.' }] },
      ),
    )
    expect(said(transcript).map(([, , text]) => text)).toEqual(['Hello there', 'Hi.'])
  })

  it('[I121] a title that was taken back is none, also when somebody looked before', () => {
    const request = { requestId: 'r', message: { text: 'Hello there' }, response: [] }
    const chat = { version: 3, sessionId: 's', creationDate: 1760000000000, requests: [request] }
    const log = createLog()
    const reader = vscodeChat.read(log, NO_TEXTS)
    const ref = { offset: 0, length: 1, line: 1 }
    const take = (value: unknown): void => reader.take({ value, ref })
    take({ kind: 0, v: chat })
    take({ kind: 1, k: ['customTitle'], v: 'Greeting' })
    reader.tidy?.()
    expect([...reader.drafts()][0]?.title).toBe('Greeting')
    take({ kind: 3, k: ['customTitle'] })
    reader.tidy?.()
    expect([...reader.drafts()][0]?.title).toBeNull()
  })

  it.each(REAL)('[I120] %s: every message, call and result is there once', async (name) => {
    const chat = JSON.parse(readFileSync(moreRealPath(name), 'utf8')) as {
      readonly requests: ReadonlyArray<{
        readonly message: { readonly text: string }
        readonly response: ReadonlyArray<{ readonly kind?: string; readonly value?: string }>
      }>
    }
    const transcript = await read(moreRealPath(name))
    const events = transcript.sessions.flatMap(plainEvents)
    const parts = chat.requests.flatMap(({ response }) => response)
    const of = (kind: string): readonly string[] =>
      events.filter((event) => event.kind === kind).map(({ text }) => text)
    expect(of('user')).toEqual(chat.requests.map(({ message }) => message.text))
    const tools = parts.filter(({ kind }) => kind === 'toolInvocationSerialized').length
    expect(of('tool_call')).toHaveLength(tools)
    expect(of('tool_result')).toHaveLength(tools)
    expect(of('agent')).toEqual(
      parts.filter(({ kind }) => kind === undefined).map(({ value }) => value),
    )
    expect(transcript.problemTotal).toBe(0)
  })
})
