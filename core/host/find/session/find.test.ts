import { expect, test } from 'vitest'
import { createMatcher, type Matcher } from '../../../engine/find/match.ts'
import { parseQuery } from '../../../engine/find/parse.ts'
import type { SessionTexts } from '../../../engine/schema/event.ts'
import { createTimeLimit } from '../../platform/guard/guard.ts'
import { plainEvent, withTexts } from '../../../../fixtures/events.ts'
import { findEvents } from './find.ts'

const quiet = { limit: createTimeLimit(), breath: () => undefined }

function matcherOf(query: string): Matcher {
  const parsed = parseQuery(query)
  if (!parsed.ok) throw new Error(parsed.error.what)
  const matcher = createMatcher(parsed.value, { facts: null, events: [] })
  if (!matcher.ok) throw new Error(matcher.error.what)
  return matcher.value
}

function events(texts: readonly string[]): SessionTexts {
  return withTexts(texts.map((text, seq) => plainEvent({ seq, text })))
}

/** Takes for ever to see that it is no match. */
const EVIL = `${'a'.repeat(60)}!`

test('[F10] a text that uses up the time is counted, and the search goes on behind it', async () => {
  const texts = ['aaa', EVIL, 'b', 'aaaa', EVIL, 'aa']
  const found = await findEvents(events(texts), matcherOf('/^(a+)+$/'), quiet)
  expect(found).toEqual({ seqs: [0, 3, 5], more: false, cutOff: 2 })
})

test('[F10] the other terms are asked first: texts that they rule out cost nothing', async () => {
  const texts = ['aaa', EVIL, 'aaa aaa']
  const found = await findEvents(events(texts), matcherOf('-"!" /^(a+)+$/'), quiet)
  expect(found).toEqual({ seqs: [0], more: false, cutOff: 0 })
})

test('[F10] a pattern that hangs everywhere ends, and says on how many texts', async () => {
  // The test simulates an expired limit, so no real time has to pass.
  const spent = () => ({ ok: false, elapsedMs: 300 }) as const
  const found = await findEvents(
    events(Array.from({ length: 5000 }, () => EVIL)),
    matcherOf('/^(a+)+$/'),
    {
      ...quiet,
      limit: spent,
    },
  )
  expect(found).toEqual({ seqs: [], more: false, cutOff: 5000 })
})

test('[F1] more events than an answer holds are said to be more', async () => {
  const texts = Array.from({ length: 12 }, (_, index) => `text ${index}`)
  for (const query of ['text', '/t.xt/']) {
    const found = await findEvents(events(texts), matcherOf(query), { ...quiet, most: 10 })
    expect(found).toMatchObject({ more: true, seqs: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] })
    const whole = await findEvents(events(texts), matcherOf(query), { ...quiet, most: 12 })
    expect(whole).toMatchObject({ more: false })
    expect(whole.seqs).toHaveLength(12)
  }
})

test('[F10] plain and regular expressions find the same over many batches', async () => {
  const texts = Array.from(
    { length: 3000 },
    (_, index) => `${'x'.repeat(500)} ${index % 7 === 0 ? 'needle' : ''}`,
  )
  const plain = await findEvents(events(texts), matcherOf('needle'), quiet)
  const regex = await findEvents(events(texts), matcherOf('/nee[d]le/'), quiet)
  expect(regex.seqs).toEqual(plain.seqs)
  expect(plain.seqs).toHaveLength(429)
})
