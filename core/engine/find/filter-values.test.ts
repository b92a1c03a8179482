import { describe, expect, test } from 'vitest'
import { plainEvent, withTexts } from '../../../fixtures/events.ts'
import type { TurnLabel } from '../schema/label.ts'
import { EVENT_CODES } from '../schema/replay.ts'
import * as known from './filter-values.ts'
import { createMatcher, type ReplayFacts } from './match.ts'
import { parseQuery } from './parse.ts'

/** Events 0 to 4 are turns: coding, coding, writing (held), writing + coding, research. */
const columns = {
  config: { preset: 'p', domains: 'd', profile: null, classify: null },
  domains: ['coding', 'writing', 'research'],
  turns: 5,
  seq: [0, 1, 2, 3, 4],
  primary: [0, 0, 1, 1, 2],
  secondary: [-1, -1, -1, 0, -1],
  event: [
    EVENT_CODES.indexOf('accept'),
    0,
    EVENT_CODES.indexOf('hold'),
    EVENT_CODES.indexOf('resist'),
    0,
  ],
  primaryScore: [],
  secondaryScore: [],
  scoredPrimary: [],
  momentum: [],
  rule: [],
  resisted: [],
  enriched: [],
  scoreStart: [],
  scorePairs: [],
  threshold: 3,
  cutOffs: [],
  warnings: [],
}
const turnOf = new Map(columns.seq.map((seq) => [seq, seq]))
const label = (primary: string, more: Partial<TurnLabel> = {}): TurnLabel => ({
  event: 0,
  sha256: '0'.repeat(16),
  primary,
  ...more,
})

function finds(query: string, facts: ReplayFacts['known']): readonly number[] | string {
  const parsed = parseQuery(query)
  if (!parsed.ok) return parsed.error.what
  const matcher = createMatcher(parsed.value, {
    events: [],
    facts: {
      columns,
      turnOf,
      flips: null,
      stageFlips: new Map(),
      known: facts,
      selfSignal: { stuckAfter: 3 } as ReplayFacts['selfSignal'], // no query here reads it
    },
  })
  if (!matcher.ok) return `${matcher.error.what}. ${matcher.error.do}`
  const { quick } = matcher.value
  return columns.seq.filter((seq) => quick(plainEvent({ seq }), () => ''))
}

describe('[F70] label:', () => {
  const labels = new Map([
    [0, label('coding')],
    [1, label('writing', { acceptable: ['coding'] })],
    [2, label('coding')],
    [3, label('writing', { forbidden: ['coding'] })],
  ])
  const facts = { label: known.labelWords(labels, columns, turnOf) }

  test.each([
    ['label:any', [0, 1, 2, 3]],
    ['label:wrong', [2, 3]],
    ['label:right', [0, 1]],
    ['label:accepted', [1]],
    ['label:forbidden', [3]],
    ['label:coding', [0, 2]],
    ['label:wrong,accepted', [1, 2, 3]],
    ['-label:any', [4]],
    ['label:wrong domain:writing', [2, 3]],
  ])('%s', (query, seqs) => expect(finds(query, facts)).toEqual(seqs))

  test('a value that it does not have names the nearest', () =>
    expect(finds('label:wron', facts)).toBe(
      'label has no value "wron". Did you mean label:wrong? Choose of: any, wrong, right, accepted, forbidden, coding, writing, research',
    ))
})

test('[F72] held: is what momentum kept, by domain', () => {
  const facts = { held: known.heldWords(columns) }
  expect(finds('held:any', facts)).toEqual([2, 3])
  expect(finds('held:writing', facts)).toEqual([2, 3])
  expect(finds('held:coding', facts)).toEqual([])
})

test('[F73] compare: is what the second configuration has in force', () => {
  const facts = {
    compare: known.compareWords({
      ...columns,
      seq: [0, 2, 4],
      primary: [1, 2, 0],
      secondary: [-1, 0, -1],
    }),
  }
  expect(finds('compare:coding', facts)).toEqual([2, 4])
  expect(finds('compare:any', facts)).toEqual([0, 2, 4])
})

test('[F74] query: is what a message of a person asks for', () => {
  const session = withTexts([
    plainEvent({
      seq: 0,
      kind: 'user',
      text: 'Debug this python function, the code throws an exception',
    }),
    plainEvent({ seq: 1, kind: 'agent', text: 'Write a python function' }),
    plainEvent({ seq: 2, kind: 'user', text: 'ok' }),
  ])
  const options = {
    wholeWords: true,
    leadingImperative: true,
    noBoostWithoutMatch: true,
    blankIsEmpty: true,
  }
  const facts = { query: known.queryWords(session, options) }
  expect(finds('query:code', facts)).toEqual([0])
  expect(finds('query:conversational', facts)).toEqual([2])
  expect(finds('query:any', facts)).toEqual([0, 2])
})

test('[F75] [F76] verdict: and persona: are what coach and probe say', () => {
  const facts = {
    verdict: known.coachWords([
      { seq: 1, type: 'question' },
      { seq: 3, type: 'status' },
    ]),
    persona: known.personaWords([
      { seq: 0, persona: null },
      { seq: 2, persona: 'Archivist' },
    ]),
  }
  expect(finds('verdict:question,blocker', facts)).toEqual([1])
  expect(finds('persona:archivist', facts)).toEqual([2])
  expect(finds('persona:none', facts)).toEqual([0])
  expect(finds('persona:any', facts)).toEqual([2])
})

test.each(knownFields())('[F70] %s: without its source says where it comes from', (field) => {
  expect(finds(`${field}:any`, {})).toMatch(
    new RegExp(`^${field}: asks .+, which is not here\\. .+`, 'u'),
  )
})

function knownFields() {
  return ['label', 'verdict', 'held', 'persona', 'query', 'compare']
}
