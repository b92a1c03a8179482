import { replayOf, rowsOf } from '../../../fixtures/timeline-rows.ts'
import { describe, expect, it } from 'vitest'
import type { ResponseColumns } from '../../../core/engine/schema/answer-columns.ts'
import { FallbackAction, SelfSignalType } from '../../../core/engine/schema/self-signal.ts'
import { queriesLane } from '../prompt/lane-row.tsx'
import { confidenceY, selfSignalsLane } from './lane-row.tsx'
import { ALERTS, selfBlock, selfLane, selfWords } from './lane.ts'

const type = (name: SelfSignalType) => SelfSignalType.options.indexOf(name)
const fallback = (name: FallbackAction) => FallbackAction.options.indexOf(name)

interface One {
  readonly seq: number
  readonly type?: number
  readonly confidence?: number
  readonly diagnostics?: number
  readonly stuck?: number
  readonly silent?: number
  readonly quiet?: number
  readonly fallback?: number
}

function sourceOf(all: readonly One[]) {
  const column = (pick: (one: One) => number | undefined, otherwise = 0) =>
    all.map((one) => pick(one) ?? otherwise)
  return {
    seq: column((one) => one.seq),
    type: column((one) => one.type, -1),
    confidence: column((one) => one.confidence),
    diagnostics: column((one) => one.diagnostics),
    stuck: column((one) => one.stuck),
    silent: column((one) => one.silent),
    quiet: column((one) => one.quiet),
    fallback: column((one) => one.fallback, -1),
  } satisfies ResponseColumns
}

/** Turns are at events 2, 5 and 9. */
const TURNS = [2, 5, 9]

describe('placing self-signals on turns', () => {
  it('puts a response at the turn that precedes it, one before all turns at the first', () => {
    const lanes = selfLane(
      TURNS,
      sourceOf([
        { seq: 1, type: type('need_turn'), confidence: 0.3 },
        { seq: 6, type: type('stuck'), confidence: 0.9 },
        { seq: 100, type: type('partial_answer'), confidence: 0.5 },
      ]),
    )
    expect([...lanes.signal]).toEqual([type('need_turn'), type('stuck'), type('partial_answer')])
    expect(lanes.confidence[1]).toBeCloseTo(0.9)
    expect([...lanes.answers]).toEqual([1, 1, 1])
  })

  it('keeps the last self-signal of a turn and every diagnostic and alert', () => {
    const lanes = selfLane(
      TURNS,
      sourceOf([
        { seq: 3, type: type('need_turn'), diagnostics: 2, stuck: 1 },
        { seq: 4, type: type('context_sufficient') },
        { seq: 5 },
      ]),
    )
    expect(lanes.signal[0]).toBe(type('context_sufficient'))
    expect(lanes.flawed[0]).toBe(1)
    expect(ALERTS[lanes.alert[0] ?? 0]).toBe('stuck')
    expect(lanes.signal[1]).toBe(-1)
    expect(lanes.emitted).toBe(2)
  })

  it('[L16] an agent that has emitted none is quiet: no alert, whatever the fallback', () => {
    const silent = { silent: 1, fallback: fallback('force_response') }
    const quiet = selfLane(TURNS, sourceOf([{ seq: 3, quiet: 1, ...silent }]))
    expect([...quiet.alert]).toEqual([0, 0, 0])
    const known = selfLane(TURNS, sourceOf([{ seq: 3, ...silent }]))
    expect(ALERTS[known.alert[0] ?? 0]).toBe('fallback')
    const goesOn = selfLane(TURNS, sourceOf([{ seq: 3, fallback: fallback('continue') }]))
    expect(goesOn.alert[0]).toBe(0)
  })

  it('holds no turn: nothing to place', () => {
    const lanes = selfLane([], sourceOf([{ seq: 1, type: 0 }]))
    expect(lanes.signal).toHaveLength(0)
    expect(lanes.responses).toBe(1)
  })
})

describe('blocks of turns', () => {
  const lanes = selfLane(
    [0, 1, 2, 3, 4],
    sourceOf([
      { seq: 0, type: type('need_turn'), confidence: 0.2 },
      { seq: 1, type: type('stuck'), confidence: 0.4 },
      { seq: 2, type: type('stuck'), confidence: 0.3, stuck: 1 },
      { seq: 4, diagnostics: 1 },
    ]),
  )

  it('takes the most frequent type, the highest confidence and the worst alert', () => {
    const block = selfBlock(lanes, 0, 4)
    expect(block.signal).toBe(type('stuck'))
    expect(block.confidence).toBeCloseTo(0.4)
    expect(ALERTS[block.alert]).toBe('stuck')
    expect(block.flawed).toBe(false)
  })

  it('ends with the session', () => {
    const block = selfBlock(lanes, 4, 8)
    expect(block).toMatchObject({ signal: -1, flawed: true, alert: 0 })
  })
})

describe('words of a turn', () => {
  const lane = selfLane(
    TURNS,
    sourceOf([{ seq: 3, type: type('need_turn'), confidence: 0.6, stuck: 1, diagnostics: 1 }]),
  )

  it('say type, confidence, alert and diagnostics', () => {
    expect(selfWords(lane, 0)).toBe('need turn 0.60, going in circles, with diagnostics')
  })

  it('are none where there is nothing', () => {
    expect(selfWords(lane, 1)).toBe('')
    expect(ALERTS[lane.alert[1] ?? 0]).toBe('none')
  })
})

describe('rows of the lanes', () => {
  const base = replayOf([0])
  const queries = { seq: [0], type: [0], confidence: [1], tokens: [-1], budget: 8000 }
  const selfOf = (one: One) => selfSignalsLane.readyFrom(base, sourceOf([one]))

  it('stand below momentum, and only where there is something to show', () => {
    const kinds = (lanes: Parameters<typeof rowsOf>[1]) => rowsOf(base, lanes).map(({ id }) => id)
    expect(kinds([selfSignalsLane.readyFrom(base, sourceOf([]))])).not.toContain('self')
    const both = [selfOf({ seq: 0, type: 0 }), queriesLane.readyFrom(base, queries)]
    expect(kinds(both).slice(-4)).toEqual(['momentum', 'self', 'query', 'overview'])
  })

  it('a quiet agent has a lower line', () => {
    const height = (one: One) =>
      rowsOf(base, [selfOf(one)]).find(({ id }) => id === 'self')?.height ?? 0
    const quiet = height({ seq: 0, quiet: 1 })
    expect(quiet).toBeGreaterThan(0)
    expect(quiet).toBeLessThan(height({ seq: 0, type: 0 }))
  })

  it('a higher confidence stands higher, inside the row', () => {
    const row = { y: 100, height: 28 }
    expect(confidenceY(row, 1)).toBeLessThan(confidenceY(row, 0))
    expect(confidenceY(row, 7)).toBeGreaterThanOrEqual(row.y)
    expect(confidenceY(row, 0)).toBeLessThan(row.y + row.height)
  })
})
