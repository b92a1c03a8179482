import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { replay } from '../../../../fixtures/replays.ts'
import { createPipeline } from '../../pipeline.ts'
import { NO_TEXTS, type SessionEvent } from '../../schema/event.ts'
import { diffReplays } from './diff.ts'
import { observedOf, observedReplay } from './observed.ts'
import { recordedStages, stageFlips } from './recorded.ts'
import { diffSession } from './session-diff.ts'

const domains = [
  { name: 'investigation', signals: ['inv1'] },
  { name: 'coding', signals: ['cod1'] },
  { name: 'conversation', signals: ['hello'] },
]

function event(seq: number, more: Partial<SessionEvent>): SessionEvent {
  const text = typeof more.text === 'string' ? more.text : ''
  return {
    seq,
    kind: 'user',
    text,
    chars: text.length,
    blank: text === '',
    at: null,
    name: null,
    callId: null,
    isError: false,
    model: null,
    source: { offset: 0, length: 1, line: 1 },
    ...more,
  }
}

const EVENTS = [
  event(0, { text: 'inv1', extras: { _bst_domain: 'investigation' } }),
  event(1, { kind: 'agent', text: 'done', extras: { self_signal: { type: 'stuck' } } }),
  event(2, { kind: 'meta', name: 'verdict', text: '{"type":"status","confidence":0.9}' }),
  event(3, { text: 'cod1', extras: { _bst_domain: 'investigation', query_type: 'research' } }),
  event(4, { text: 'cod1' }),
  event(5, {
    text: 'hello',
    extras: { _bst_compound: { primary: 'coding', secondary: 'romance' } },
  }),
]

function replayed() {
  const preset = loadPreset('recommended')
  const turns = EVENTS.filter(({ kind }) => kind === 'user').map(({ seq, text }) => ({
    seq,
    kind: 'user' as const,
    text: String(text),
  }))
  const config = { preset: preset.name, domains: 'd', profile: null, classify: null }
  return replay(must(createPipeline(compileFixture(domains), preset, null)), turns, config)
}

describe('[I91] [L50] what ran as a side', () => {
  const base = replayed()
  const observed = observedOf(EVENTS, [...base.columns.seq], NO_TEXTS)
  const there = observedReplay(base, observed)

  it('has the turns that have a record, paired by event', () => {
    expect(there.columns.seq).toEqual([0, 3, 5])
    const flips = diffReplays(base, there)
    expect(flips.map(({ turn, other, cause }) => ({ turn, other, cause }))).toEqual([
      { turn: 1, other: 1, cause: 'direct' },
      { turn: 3, other: 2, cause: 'direct' },
    ])
  })

  it('says the first event where the sides part, the cells, and whose label is worse', () => {
    const none = { replay: base, stages: new Map() }
    const label = { type: 'turn', event: 3, sha256: '', primary: 'coding', by: 'test' } as const
    const diff = diffSession(none, { replay: there, stages: new Map() }, new Map([[3, label]]))
    expect(diff).toMatchObject({
      turns: 4,
      total: 2,
      primaries: 2,
      broken: 1,
      fixed: 0,
      first: { seq: 3, turn: 1, what: 'domains' },
      oneSided: { base: 1, other: 0 },
    })
    expect(diff.cells).toEqual([
      { from: 'coding', to: 'investigation', count: 1 },
      { from: 'conversation', to: 'coding', count: 1 },
    ])
    expect(diff.flips[1]).toMatchObject({
      seq: 5,
      after: { primary: 'coding', secondary: 'romance' },
    })
  })
})

describe('[L53] [L51] what a file recorded of other stages', () => {
  const facts = recordedStages(EVENTS, NO_TEXTS)

  it('is found by the event that it is about', () => {
    expect(facts.get('self-signal')).toEqual(new Map([[1, 'stuck']]))
    expect(facts.get('verdict')).toEqual(new Map([[1, 'status']]))
    expect(facts.get('query')).toEqual(new Map([[3, 'research']]))
    expect(facts.get('persona')).toBeUndefined()
  })

  it('flips are counted among the events that both sides know', () => {
    const here = new Map([
      [
        'query',
        new Map([
          [0, 'code'],
          [3, 'code'],
        ]),
      ],
      ['self-signal', new Map([[1, 'stuck']])],
    ] as const)
    const { flips, totals } = stageFlips(here, facts)
    expect(flips).toEqual([{ stage: 'query', seq: 3, was: 'code', is: 'research' }])
    expect(totals).toEqual([
      { stage: 'query', compared: 1, flips: 1 },
      { stage: 'self-signal', compared: 1, flips: 0 },
    ])
  })

  it('a stage that parts earlier than the domains is the first place', () => {
    const base = replayed()
    const side = (type: string) => ({
      replay: base,
      stages: new Map([['self-signal', new Map([[1, type]])]] as const),
    })
    expect(diffSession(side('stuck'), side('need_turn'), new Map()).first).toEqual({
      seq: 1,
      turn: null,
      what: 'self-signal',
    })
  })
})
