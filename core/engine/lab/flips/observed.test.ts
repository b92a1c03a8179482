import { describe, expect, it } from 'vitest'
import { plainEvent } from '../../../../fixtures/events.ts'
import { NO_TEXTS, type PlainEvent } from '../../schema/event.ts'
import { observedOf } from './observed.ts'

const listed = (...events: ReadonlyArray<Partial<PlainEvent>>) =>
  events.map((event, seq) => plainEvent({ ...event, seq }))

const compound = (primary: string, secondary?: string) => ({
  _bst_compound: {
    primary: { domain: primary, confidence: 2 },
    ...(secondary === undefined ? {} : { secondary: { domain: secondary } }),
  },
})

describe('[I90] what a file recorded', () => {
  it('[I90] is read from fields of the event, of objects in it, and from log lines of a harness', () => {
    const log = '[BST] coding (2 signals) + planning (1 signal) | sig=coding+planning'
    const events = listed(
      { kind: 'meta', text: log },
      { kind: 'user', extras: compound('research', 'coding') },
      { kind: 'user', extras: { state: { _bst_domain: 'bugfix' } } },
      { kind: 'user' },
      { kind: 'meta', text: log },
      { kind: 'user', text: log },
      { kind: 'user' },
      { kind: 'meta', text: `${log}\n${'x'.repeat(20_000)}` },
      { kind: 'user', extras: { _bst_compound: { primary_domain: 'analysis', secondary: '' } } },
      { kind: 'user', extras: { extras_persistent: { _bst_compound: { primary: 7 } } } },
    )
    const turns = events.filter(({ kind }) => kind === 'user').map(({ seq }) => seq)
    const found = observedOf(events, turns, NO_TEXTS)
    expect(
      [...found].map(([seq, { primary, secondary, from }]) => [seq, primary, secondary, from]),
    ).toEqual([
      [1, 'research', 'coding', '_bst_compound'],
      [2, 'bugfix', null, '_bst_domain'],
      [3, 'coding', 'planning', 'log line'],
      [8, 'analysis', null, '_bst_compound'],
    ])
  })

  it('[I90] of several records of a turn the fullest counts, of equal ones the first', () => {
    const events = listed(
      { kind: 'user', extras: { _bst_domain: 'a' } },
      { kind: 'agent', extras: compound('b') },
      { kind: 'agent', extras: compound('c') },
    )
    expect(observedOf(events, [0], NO_TEXTS).get(0)).toMatchObject({ primary: 'b', seq: 1 })
  })
})
