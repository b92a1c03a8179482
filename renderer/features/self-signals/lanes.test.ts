import { describe, expect, it } from 'vitest'
import { QueryType } from '../../../core/engine/schema/query.ts'
import { FallbackAction, SelfSignalType } from '../../../core/engine/schema/self-signal.ts'
import { confidenceY } from './draw-lanes.ts'
import { layoutRows } from '../../timeline/lanes.ts'
import { type OracleSource, ALERTS, oracleBlock, oracleLanes, oracleWords } from './lanes.ts'

const type = (name: SelfSignalType) => SelfSignalType.options.indexOf(name)
const query = (name: QueryType) => QueryType.options.indexOf(name)
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

function sourceOf(all: readonly One[], queries: ReadonlyArray<readonly [number, number]> = []) {
  const column = (pick: (one: One) => number | undefined, otherwise = 0) =>
    all.map((one) => pick(one) ?? otherwise)
  return {
    responses: {
      seq: column((one) => one.seq),
      type: column((one) => one.type, -1),
      confidence: column((one) => one.confidence),
      diagnostics: column((one) => one.diagnostics),
      stuck: column((one) => one.stuck),
      silent: column((one) => one.silent),
      quiet: column((one) => one.quiet),
      fallback: column((one) => one.fallback, -1),
    },
    queries: {
      seq: queries.map(([seq]) => seq),
      type: queries.map(([, kind]) => kind),
      confidence: queries.map(() => 0.8),
      tokens: queries.map(() => 1960),
      budget: 8000,
    },
  } satisfies OracleSource
}

/** Turns stand at events 2, 5 and 9. */
const TURNS = [2, 5, 9]

describe('placing self-signals on turns', () => {
  it('puts a response at the turn that precedes it, one before all turns at the first', () => {
    const lanes = oracleLanes(
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
    const lanes = oracleLanes(
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
    const quiet = oracleLanes(TURNS, sourceOf([{ seq: 3, quiet: 1, ...silent }]))
    expect([...quiet.alert]).toEqual([0, 0, 0])
    const known = oracleLanes(TURNS, sourceOf([{ seq: 3, ...silent }]))
    expect(ALERTS[known.alert[0] ?? 0]).toBe('fallback')
    const goesOn = oracleLanes(TURNS, sourceOf([{ seq: 3, fallback: fallback('continue') }]))
    expect(goesOn.alert[0]).toBe(0)
  })

  it('holds no turn: nothing to place', () => {
    const lanes = oracleLanes([], sourceOf([{ seq: 1, type: 0 }], [[0, 0]]))
    expect(lanes.signal).toHaveLength(0)
    expect(lanes.responses).toBe(1)
  })
})

describe('blocks of turns', () => {
  const lanes = oracleLanes(
    [0, 1, 2, 3, 4],
    sourceOf(
      [
        { seq: 0, type: type('need_turn'), confidence: 0.2 },
        { seq: 1, type: type('stuck'), confidence: 0.4 },
        { seq: 2, type: type('stuck'), confidence: 0.3, stuck: 1 },
        { seq: 4, diagnostics: 1 },
      ],
      [
        [0, query('code')],
        [3, query('action')],
      ],
    ),
  )

  it('takes the most frequent type, the highest confidence and the worst alert', () => {
    const block = oracleBlock(lanes, 0, 4)
    expect(block.signal).toBe(type('stuck'))
    expect(block.confidence).toBeCloseTo(0.4)
    expect(ALERTS[block.alert]).toBe('stuck')
    expect(block.flawed).toBe(false)
    expect([block.query, block.queries]).toEqual([query('code'), 2])
  })

  it('ends with the session', () => {
    const block = oracleBlock(lanes, 4, 8)
    expect(block).toMatchObject({ signal: -1, flawed: true, alert: 0, query: -1, queries: 0 })
  })
})

describe('words of a turn', () => {
  const lanes = oracleLanes(
    TURNS,
    sourceOf(
      [{ seq: 3, type: type('need_turn'), confidence: 0.6, stuck: 1, diagnostics: 1 }],
      [[2, query('code')]],
    ),
  )

  it('says type, confidence, alert, diagnostics, query and tokens', () =>
    expect(oracleWords(lanes, 0)).toMatchObject({
      self: 'need turn 0.60, going in circles, with diagnostics',
      query: 'code 0.80, prompt 1,960 of 8,000 tokens',
    }))

  it('says nothing where there is nothing', () =>
    expect(oracleWords(lanes, 1)).toMatchObject({ self: null, query: null, alert: 'none' }))
})

describe('rows of the lanes', () => {
  const request = {
    height: 400,
    lanes: [0, 1],
    weight: () => 1,
    unused: false,
    compare: false,
  }
  const kinds = (more: object) => layoutRows({ ...request, ...more }).rows.map(({ kind }) => kind)

  it('stand below momentum, and only when asked for', () => {
    expect(kinds({})).not.toContain('self')
    expect(kinds({ self: 'full', query: true }).slice(-4)).toEqual([
      'momentum',
      'self',
      'query',
      'overview',
    ])
  })

  it('a quiet agent has a lower line', () => {
    const height = (self: 'full' | 'quiet') =>
      layoutRows({ ...request, self }).rows.find(({ kind }) => kind === 'self')?.height ?? 0
    expect(height('quiet')).toBeLessThan(height('full'))
  })

  it('a higher confidence stands higher, inside the row', () => {
    const row = { y: 100, height: 28 }
    expect(confidenceY(row, 1)).toBeLessThan(confidenceY(row, 0))
    expect(confidenceY(row, 7)).toBeGreaterThanOrEqual(row.y)
    expect(confidenceY(row, 0)).toBeLessThan(row.y + row.height)
  })
})
