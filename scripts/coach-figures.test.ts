import { expect, test } from 'vitest'
import { shippedCoach } from '../fixtures/coach-rules.ts'
import {
  type LastMessage,
  figuresOf,
  intervalOf,
  readBefore,
  readLastMessages,
} from './coach-figures.ts'
import { judgeLastMessages } from './coach-last-messages.ts'

const row = (change: Partial<LastMessage>): LastMessage => ({
  id: 'x',
  fold: 0,
  type: 'completion',
  acceptable: [],
  text: '',
  user_before: null,
  tool: 't',
  source_repo: 'r',
  ...change,
})

test('figures count accepted types, and a harm among those that it can happen to', () => {
  const judged = [
    { row: row({}), verdict: 'status' as const },
    { row: row({ acceptable: ['question'] }), verdict: 'question' as const },
    { row: row({ type: 'status' }), verdict: 'completion' as const },
    { row: row({ type: 'status', acceptable: ['completion'] }), verdict: 'completion' as const },
  ]
  expect(figuresOf(judged)).toEqual({
    type: { hits: 0, of: 4 },
    acceptable: { hits: 2, of: 4 },
    passOrBack: { hits: 1, of: 4 },
    alwaysPass: { hits: 2, of: 4 },
    passedUnfinished: { hits: 1, of: 1 },
    sentBackFinished: { hits: 1, of: 2 },
  })
})

test('an interval is that of repositories drawn anew, the same each time', () => {
  const judged = ['a', 'b', 'c', 'd'].flatMap((repository, at) =>
    Array.from({ length: 5 }, () => ({
      row: row({ source_repo: repository }),
      verdict: at < 3 ? ('completion' as const) : ('status' as const),
    })),
  )
  const interval = intervalOf(judged, (some) => figuresOf(some).type)
  expect(interval[0]).toBeLessThan(0.75)
  expect(interval[1]).toBe(1)
  expect(intervalOf(judged, (some) => figuresOf(some).type)).toEqual(interval)
})

const rows = await readLastMessages()
const missing = rows === null ? ' (307 skipped: their texts are not here)' : ''

test.skipIf(rows === null)(`the coach on real last messages, by fold${missing}`, async () => {
  const all = rows ?? []
  const judged = judgeLastMessages(shippedCoach(), all)
  const { byId } = await readBefore()
  expect(all.every(({ id }) => byId.has(id))).toBe(true)
  for (const fold of [0, 1, 2, 3, 4]) {
    const now = figuresOf(judged.filter((one) => one.row.fold === fold))
    expect(now.acceptable.hits / now.acceptable.of, `fold ${fold}`).toBeGreaterThan(0.85)
    expect(now.passOrBack.hits, `fold ${fold}`).toBeGreaterThanOrEqual(now.alwaysPass.hits)
  }
  const { passOrBack, sentBackFinished } = figuresOf(judged)
  expect(passOrBack.hits / passOrBack.of).toBeGreaterThan(0.92)
  expect(sentBackFinished.hits / sentBackFinished.of).toBeLessThan(0.05)
})
