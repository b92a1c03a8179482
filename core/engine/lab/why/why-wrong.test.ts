import { expect, test } from 'vitest'
import { EVENT_CODES, RULE_CODES } from '../../schema/replay.ts'
import { whyWrong, wrongWords } from './why-wrong.ts'

/** Three turns: writing is held; coding wins over writing; coding alone has a signal. */
const columns = {
  domains: ['coding', 'writing'],
  primary: [1, 0, 0],
  secondary: [-1, -1, -1],
  scoredPrimary: [0, 0, 0],
  event: [EVENT_CODES.indexOf('resist'), 0, 0],
  rule: [RULE_CODES.indexOf('B1'), 0, 0],
  scoreStart: [0, 4, 8, 10],
  scorePairs: [0, 3, 1, 1, 0, 3, 1, 2, 0, 1],
}

test.each([
  [0, 'coding', 'coding had 3, momentum B1 held writing'],
  [1, 'writing', 'writing had 2, coding 3'],
  [2, 'writing', 'no signal of writing fired'],
])('[T70] why turn %i is not %s: %s', (turn, expected, words) =>
  expect(wrongWords(expected, whyWrong(columns, turn, expected))).toBe(words),
)
