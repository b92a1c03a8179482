import { expect, test } from 'vitest'
import {
  draft,
  finishSessions,
  keepText,
  sessionDraft,
  type TextStore,
} from '../import/shared/drafts.ts'
import { NO_TEXTS, plainEvents, textOf } from './event.ts'

const TEXTS = ['What do you see?', '', ' \n', 'A pond \ud83d, 🐸']

/** A session whose texts were moved into a store, as the host does it after each batch. */
function stored() {
  const kept: string[] = []
  const texts: TextStore = {
    put: (text) => kept.push(text) - 1,
    get: (place) => kept[place] ?? '?',
  }
  const session = sessionDraft('s')
  for (const [at, text] of TEXTS.entries()) {
    const origin = { at, model: 'm', source: { offset: at, length: 1, line: at + 1 } }
    const event = draft('tool_call', text, origin, {
      name: 'Bash',
      callId: `c${at}`,
      isError: true,
    })
    session.events.push(event)
    keepText(event, texts)
  }
  const [made] = finishSessions([session], texts)
  if (made === undefined) throw new Error('the session has events')
  return made
}

test.each([
  ['spread', <T extends object>(event: T) => ({ ...event })],
  ['cloned', <T>(event: T) => structuredClone(event)],
  ['written as JSON', <T>(event: T) => JSON.parse(JSON.stringify(event)) as T],
])('an event that is %s loses nothing, wherever its text is', (_, copy) => {
  const session = stored()
  const events = session.events.map(copy)
  expect(events).toEqual(session.events)
  expect(events.map((event) => textOf(event, session.texts))).toEqual(TEXTS)
  expect(events.map(({ chars }) => chars)).toEqual(TEXTS.map((text) => text.length))
  expect(events.map(({ blank }) => blank)).toEqual([false, true, true, false])
  const plain = plainEvents({ events, texts: session.texts })
  expect(plain.map(copy).map((event) => textOf(event, NO_TEXTS))).toEqual(TEXTS)
})

test('an event that takes the text of another one does not fetch it', () => {
  const { events, texts } = stored()
  const [first] = events
  if (first === undefined) throw new Error('the session has events')
  const again = draft('summary', first, first, { name: 'compaction' })
  expect(again).toMatchObject({ text: first.text, chars: first.chars, blank: first.blank })
  expect(textOf(again, texts)).toBe(TEXTS[0])
  expect(() => textOf(again, NO_TEXTS)).toThrow(RangeError)
})
