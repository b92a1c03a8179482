import { expect, test } from 'vitest'
import { plainEvent } from '../../../fixtures/events.ts'
import { loadPreset } from '../../../fixtures/load.ts'
import { type Flip, EVENT_CODES } from '../schema/replay.ts'
import { createMatcher, type ReplayFacts } from './match.ts'
import { parseQuery } from './parse.ts'

/** Events 0, 1 and 3 are turns: coding, writing + coding, research. Event 2 is the agent's answer. */
const columns = {
  config: { preset: 'p', domains: 'd', profile: null, classify: null },
  domains: ['coding', 'Writing', 'research'],
  turns: 3,
  seq: [0, 1, 3],
  primary: [0, 1, 2],
  secondary: [-1, 0, -1],
  event: ['accept', 'hold', 'break'].map((code) => EVENT_CODES.findIndex((one) => one === code)),
  // Scores by turn, as pairs of domain and score: coding 2; Writing 1 and coding 1; none.
  scoreStart: [0, 2, 6, 6],
  scorePairs: [0, 2, 1, 1, 0, 1],
  primaryScore: [],
  secondaryScore: [],
  scoredPrimary: [],
  momentum: [],
  rule: [],
  resisted: [],
  enriched: [],
  threshold: 3,
  cutOffs: [],
  warnings: [],
}
const flips = [
  { turn: 0, fields: ['primary', 'signature'], cause: 'direct' },
  { turn: 2, fields: ['secondary'], cause: 'momentum' },
] as unknown as readonly Flip[] // the fields that finding reads
const STUCK = '<signal type="stuck"><blocker>no key</blocker><attempted>["a"]</attempted></signal>'
const EVENTS = [0, 1, 2, 3].map((seq) =>
  plainEvent({ seq, kind: seq === 2 ? 'agent' : 'user', text: seq === 2 ? `No. ${STUCK}` : 'x' }),
)
const { selfSignal } = loadPreset('recommended')

function finds(query: string, given: Partial<ReplayFacts> | null = {}): readonly number[] | string {
  const parsed = parseQuery(query)
  if (!parsed.ok) return `${parsed.error.what}. ${parsed.error.do}`
  const turnOf = new Map(columns.seq.map((seq, turn) => [seq, turn]))
  const facts = given && {
    columns,
    turnOf,
    flips,
    known: {},
    selfSignal,
    stageFlips: new Map(),
    ...given,
  }
  const matcher = createMatcher(parsed.value, { facts, events: [] })
  if (!matcher.ok) return `${matcher.error.what}. ${matcher.error.do}`
  const { quick } = matcher.value
  return EVENTS.filter((event) => quick(event, () => event.text)).map(({ seq }) => seq)
}

test.each([
  ['domain:coding', [0, 1]],
  ['domain:WRITING,research', [1, 3]],
  ['-domain:coding', [2, 3]],
  ['event:hold', [1]],
  ['event:accept,break', [0, 3]],
  ['flip:any', [0, 3]],
  ['flip:primary', [0]],
  ['flip:momentum', [3]],
  ['flip:direct', [0]],
  ['signal:coding', [0, 1]],
  ['signal:writing', [1]],
  ['signal:research', []],
  ['signal:any', [2]],
  ['signal:stuck', [2]],
  ['signal:stuck,coding', [0, 1, 2]],
  ['signal:partial_answer', []],
])('[F7] %s finds events %j', (query, seqs) => {
  expect(finds(query)).toEqual(seqs)
})

test('[F5] [F7] a value that nothing here has names the nearest, and all there are', () => {
  expect(finds('domain:codng')).toContain('Did you mean domain:coding?')
  expect(finds('signal:stuk')).toContain('Did you mean signal:stuck?')
})

test('[F7] without a replay, and without a comparison, a filter says what it asks for', () => {
  expect(finds('domain:coding', null)).toContain('asks a replay, and there is none')
  expect(finds('label:wrong', null)).toContain('asks a replay, and there is none')
  expect(finds('flip:any', { flips: null })).toContain('asks a comparison, and there is none')
  for (const field of ['label', 'verdict', 'held', 'persona', 'query', 'compare']) {
    expect(finds(`${field}:any`), field).toContain('which is not here')
  }
})

test('[F77] flip: asks other stages by name; plain it is a flip of the domains; what is not compared is said', () => {
  const stageFlips: ReplayFacts['stageFlips'] = new Map([
    ['query', new Set([1])],
    ['self-signal', new Set([2])],
    ['persona', new Set<number>()],
  ])
  const found = (query: string) => finds(query, { stageFlips })
  expect(found('flip:')).toEqual([0, 3])
  expect(found('-flip: kind:user')).toEqual([1])
  expect(found('flip:domain')).toEqual(found('flip:any'))
  expect(found('flip:query')).toEqual([1])
  expect(found('flip:self')).toEqual([2])
  expect(found('flip:self-signal,primary')).toEqual([0, 2])
  expect(found('flip:persona')).toEqual([])
  expect(finds('flip:persona')).toContain('flip:persona: this asks the probe')
  expect(found('flip:verdict')).toContain('the same rules of the coach')
  expect(found('flip:prompt')).toContain('what ran has no prompts')
  expect(found('flip:quory')).toContain('Did you mean flip:query?')
  const parsed = parseQuery('flip:self,query -flip:prompt')
  expect(parsed.ok && [...parsed.value.stages]).toEqual(['query', 'self-signal', 'prompt'])
})
