import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readTranscript } from '../../../fixtures/read-transcript.ts'
import { textOf } from '../../engine/schema/event.ts'

const FIXTURES = fileURLToPath(new URL('../../../fixtures/import/', import.meta.url))

/** Format, and kind, name and text of every event, by session. */
async function read(name: string) {
  const opened = await readTranscript(`${FIXTURES}${name}`)
  if (!opened.ok) throw new Error(opened.error.what)
  const { format, sessions } = opened.value
  return {
    format,
    sessions: sessions.map((session) =>
      session.events.map((event) => ({
        ...{ kind: event.kind, name: event.name, text: textOf(event, session.texts) },
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

test('[I82] an audit: the judged text is the agent’s, its classification stands behind it', async () => {
  for (const file of ['coach.jsonl', 'bridge.jsonl']) {
    const { sessions } = await read(`classification-audit/${file}`)
    const events = sessions.flat()
    const judged = events.findIndex(({ kind }) => kind === 'agent')
    expect(judged).toBeGreaterThanOrEqual(0)
    expect(events[judged + 1]).toMatchObject({ kind: 'meta', name: 'verdict' })
  }
})
