import { describe, expect, it } from 'vitest'
import { type ReplayColumns, EVENT_CODES } from '../../core/engine/schema/replay.ts'
import { itemAt, listItems, placeOfSeq } from '../features/turns/list-items.ts'
import { verdictOf, onlyThere } from './verdicts.ts'
import { exchanges, flipRun, resolveTheme, stretchAt, turnOf, worstStretch } from './selectors.ts'

type Code = (typeof EVENT_CODES)[number]
const domains = ['coding', 'investigation', 'file_ops']

/** A replay from rows of [primary, secondary, event, resisted]; turn t classifies event 2t. */
function columns(rows: ReadonlyArray<readonly [number, number, Code, number]>): ReplayColumns {
  return {
    config: { preset: 'recommended', domains: 'default', profile: null, classify: null },
    domains,
    turns: rows.length,
    seq: rows.map((_, turn) => turn * 2),
    primary: rows.map((row) => row[0]),
    secondary: rows.map((row) => row[1]),
    primaryScore: rows.map(() => 1),
    secondaryScore: rows.map(() => 0),
    scoredPrimary: rows.map((row) => row[0]),
    momentum: rows.map((_, turn) => turn),
    event: rows.map((row) => EVENT_CODES.indexOf(row[2])),
    rule: rows.map(() => 0),
    resisted: rows.map((row) => row[3]),
    enriched: rows.map(() => 0),
    scoreStart: [0, ...rows.map(() => 0)],
    scorePairs: [],
    threshold: 3,
    cutOffs: [],
    warnings: [],
  }
}

const held = columns([
  [0, -1, 'accept', -1],
  [1, -1, 'break', -1],
  [1, 0, 'accept', -1],
  [0, 1, 'same', -1],
  [1, 0, 'resist', 2],
  [1, 0, 'hold', -1],
  [1, 0, 'resist', 2],
  [1, 0, 'same', -1],
  [1, 0, 'resist', 0],
  [2, -1, 'break', -1],
])

describe('[L1] runs of held turns', () => {
  it('finds where a compound begins and ends, whichever domain is primary', () => {
    expect(stretchAt(held, 5)).toMatchObject({ from: 2, to: 8 })
    expect(stretchAt(held, 3)).toEqual(stretchAt(held, 8))
  })

  it('counts held turns, the longest run, and what was resisted, most often first', () =>
    expect(stretchAt(held, 6)).toMatchObject({
      held: 4,
      longest: 3,
      resisted: [
        { domain: 'file_ops', times: 2 },
        { domain: 'coding', times: 1 },
      ],
    }))

  it('names the worst stretch of a session, and none where nothing was held', () => {
    expect(worstStretch(held)).toMatchObject({ from: 2, longest: 3 })
    expect(worstStretch(columns([[0, -1, 'accept', -1]]))).toBeNull()
  })
})

const events = {
  kind: [11, 0, 1, 0, 4],
  at: [0, 5, 6, 7, 8],
  chars: [1, 1, 1, 1, 1],
  exchange: [-1, 0, 0, 1, 1],
}

describe('the list', () => {
  it('cuts exchanges where the number changes; what came before the first is number 0', () =>
    expect(exchanges(events)).toEqual([
      { number: 0, from: 0, to: 1, at: 0 },
      { number: 1, from: 1, to: 3, at: 5 },
      { number: 2, from: 3, to: 5, at: 7 },
    ]))

  it('shows every event under a header, or turns only, without empty headers', () => {
    const replayed = {
      columns: { ...held, turns: 2, seq: [1, 2] },
      compare: null,
      flips: [
        { turn: 1, other: 1, fields: ['primary' as const], cause: 'direct' as const, since: 1 },
      ],
      elapsedMs: 1,
      key: 'k',
      run: 'run',
      compareKey: null,
      other: null,
      oneSided: null,
      events: 8,
    }
    const shape = (show: 'all' | 'turns' | 'flips', matches: readonly number[] | null = null) => {
      const items = listItems(events, replayed, show, matches)
      return Array.from(items.cells, (_, at) => {
        const item = itemAt(items, at)
        return item?.kind === 'event' ? item.seq : `x${item?.exchange.number ?? ''}`
      })
    }
    expect(shape('all')).toEqual(['x0', 0, 'x1', 1, 2, 'x2', 3, 4])
    expect(shape('turns')).toEqual(['x1', 1, 2])
    expect(shape('flips')).toEqual(['x1', 2])
    expect(shape('all', [0, 4])).toEqual(['x0', 0, 'x2', 4])
    expect(shape('turns', [2, 3])).toEqual(['x1', 2])
  })

  it('gives the same list for the same input, so that nothing renders twice', () =>
    expect(listItems(events, null, 'all', null)).toBe(listItems(events, null, 'all', null)))

  it('finds the line of an event, none for one that is filtered out', () => {
    const items = listItems(events, null, 'all', null)
    expect([0, 1, 2, 3, 4].map((seq) => placeOfSeq(items, seq))).toEqual([1, 3, 4, 6, 7])
    expect(placeOfSeq(listItems(events, null, 'all', [1, 4]), 3)).toBeUndefined()
    expect(placeOfSeq(listItems(events, null, 'all', [1, 4]), 4)).toBe(3)
  })
})

it('finds turns by event', () => {
  expect(turnOf(held, 4)).toBe(2)
  expect(turnOf(held, 5)).toBeUndefined()
})

it('counts flips in a row from a turn on', () => {
  const flip = (turn: number) => ({
    turn,
    other: turn,
    fields: ['primary' as const],
    cause: 'direct' as const,
    since: turn,
  })
  const replayed = {
    columns: held,
    compare: held,
    flips: [flip(2), flip(3), flip(7)],
    elapsedMs: 1,
    key: 'k',
    run: 'run',
    compareKey: null,
    other: null,
    oneSided: null,
    events: 8,
  }
  expect([1, 2, 3, 7].map((turn) => flipRun(replayed, turn))).toEqual([0, 2, 1, 1])
})

it('follows the system only when asked to', () => {
  expect(resolveTheme('system', true)).toBe('dark')
  expect(resolveTheme('system', false)).toBe('light')
  expect(resolveTheme('contrast', false)).toBe('contrast')
})

it('[L38] what the compared preset says is read at the event, not at the turn number', () => {
  // The other side classifies every event of 0 to 9, this one every second: turn 2 here is turn 4 there.
  const compare: ReplayColumns = {
    ...held,
    config: { ...held.config, preset: 'field' },
    seq: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    primary: [0, 0, 0, 0, 2, 0, 0, 0, 1, 0],
    secondary: held.seq.map(() => -1),
  }
  const replayed = {
    columns: held,
    compare,
    flips: [
      { turn: 2, other: 4, fields: ['primary' as const], cause: 'direct' as const, since: 2 },
    ],
    elapsedMs: 1,
    key: 'k',
    run: 'run',
    compareKey: 'l',
    other: null,
    oneSided: { base: 5, other: 5 },
    events: 20,
  }
  expect(verdictOf(replayed, 4)?.flip).toMatchObject({ turn: 4, primary: 'file_ops' })
  expect(verdictOf(replayed, 4)?.missingIn).toBeNull()
  expect(verdictOf(replayed, 18)?.missingIn).toBe('field')
  expect(onlyThere(replayed, 5)).toMatchObject({ preset: 'field', turn: 5, primary: 'coding' })
  expect(onlyThere(replayed, 4)).toBeNull()
  expect(onlyThere(replayed, 11)).toBeNull()
})
