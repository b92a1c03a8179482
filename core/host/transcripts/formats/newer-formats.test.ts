import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../../fixtures/host.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import { NO_TEXTS, textOf } from '../../../engine/schema/event.ts'

const FIXTURES = fileURLToPath(new URL('../../../../fixtures/import/', import.meta.url))

/** Format, and kind, name and text of every event, by session. */
async function read(name: string) {
  const opened = await readTranscript(`${FIXTURES}${name}`)
  if (!opened.ok) throw new Error(opened.error.what)
  const { format, sessions } = opened.value
  return {
    format,
    sessions: sessions.map((session) =>
      session.events.map((event) => ({
        kind: event.kind,
        name: event.name,
        text: textOf(event, session.texts),
      })),
    ),
  }
}

test('[I80] lists of messages are sessions, unknown speakers are persons, what was assumed is said', async () => {
  const { sessions } = await read('conversation-list/role-text.json')
  expect(sessions).toHaveLength(1)
  const [events = []] = sessions
  expect(events[0]).toMatchObject({ kind: 'meta', name: 'assumed' })
  const said = events.filter(({ kind }) => kind !== 'meta')
  expect(said.map(({ kind }) => kind)).toEqual(['user', 'agent', 'user'])
  expect(said[0]?.text).toBe('Debug the parser')
  const nested = await read('conversation-list/nested.json')
  expect(nested.sessions.length).toBeGreaterThan(1)
})

test('[I81] a Telegram export: pieces of a text are one, service messages are notifications', async () => {
  const { format, sessions } = await read('telegram/chat.json')
  expect(format).toBe('telegram')
  const [events = []] = sessions
  expect(events[0]?.kind).toBe('notification')
  expect(events.map(({ text }) => text)).toContain('Fix the timeout in retry.py please')
})

test('[I81] chats that were left are sessions too', async () => {
  const chat = (id: number, text: string) => ({
    name: `chat ${id}`,
    type: 'private_group',
    id,
    messages: [{ id: 1, type: 'message', date: '2024-01-01T10:00:00', from: 'Ann', text }],
  })
  const account = {
    chats: { list: [chat(1, 'still in')] },
    left_chats: { list: [chat(2, 'left')] },
  }
  const path = join(makeFolder({ 'result.json': JSON.stringify(account) }), 'result.json')
  const opened = await readTranscript(path)
  if (!opened.ok) throw new Error(opened.error.what)
  expect(opened.value.sessions.map(({ id }) => id)).toEqual(['1', '2'])
})

test('[I82] an audit of the bridge: members of its enumeration, and confidences as text', async () => {
  const line = (output_type: string, confidence: unknown) =>
    JSON.stringify({
      ts: 1767225600.5,
      text_preview: 'I fixed it',
      classification: { output_type, confidence, reason: 'r', was_rejected_completion: true },
    })
  const lines = [line('OutputType.COMPLETION', 0.7), line('STATUS_UPDATE', '0.95')]
  const path = join(makeFolder({ 'a.jsonl': lines.join('\n') }), 'a.jsonl')
  const opened = await readTranscript(path)
  if (!opened.ok) throw new Error(opened.error.what)
  const [session] = opened.value.sessions
  const verdicts = session?.events.filter(({ name }) => name === 'verdict') ?? []
  const texts = verdicts.map((event): unknown =>
    JSON.parse(textOf(event, session?.texts ?? NO_TEXTS)),
  )
  expect(texts).toMatchObject([
    { type: 'completion', confidence: 0.7, was_rejected_completion: true },
    { type: 'status', confidence: 0.95 },
  ])
})

test('[I82] an audit: the judged text is the agent’s, its classification stands behind it', async () => {
  for (const file of ['coach.jsonl', 'bridge.jsonl']) {
    const { sessions } = await read(`classification-audit/${file}`)
    const events = sessions.flat()
    const judged = events.findIndex(({ kind }) => kind === 'agent')
    expect(judged).toBeGreaterThanOrEqual(0)
    expect(events[judged + 1]).toMatchObject({ kind: 'meta', name: 'verdict' })
  }
})
