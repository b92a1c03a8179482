import fc from 'fast-check'
import { replayOf, withOwn } from '../../fixtures/timeline-rows.ts'
import { describe, expect, it } from 'vitest'
import { EventKind } from '../../core/engine/schema/event-kind.ts'
import { type ReplayColumns, EVENT_CODES } from '../../core/engine/schema/replay.ts'
import { LEAST_BLOCK_PX, blockRange, blockSize, levelSteps } from './bins.ts'
import { type TimelineSource, finish, timelineSteps } from './data.ts'
import { findRow, layoutRows, rowAt } from './layout.ts'
import { runIndexAt, signatureRuns } from './runs.ts'
import { fit, pxPerTurn, turnAt, xOf, zoom } from './viewport.ts'
import { describeTurn } from './words.ts'

const timelineData = (source: TimelineSource) => finish(timelineSteps(source))

interface Turn {
  readonly primary: number
  readonly secondary: number
  readonly event: number
  readonly momentum: number
  readonly scores: ReadonlyArray<readonly [number, number]>
}

const NAMES = ['investigation', 'coding', 'planning', 'file_ops', 'conversation']

function columnsOf(turns: readonly Turn[], more: Partial<ReplayColumns> = {}): ReplayColumns {
  const starts = [0]
  for (const turn of turns) starts.push(starts.at(-1)! + turn.scores.length * 2)
  return {
    config: { preset: 'recommended', domains: 'default.yaml', profile: null, classify: null },
    domains: NAMES,
    turns: turns.length,
    seq: turns.map((_, at) => at * 2),
    primary: turns.map((turn) => turn.primary),
    secondary: turns.map((turn) => turn.secondary),
    primaryScore: turns.map(() => 0),
    secondaryScore: turns.map(() => 0),
    scoredPrimary: turns.map((turn) => turn.scores[0]?.[0] ?? -1),
    momentum: turns.map((turn) => turn.momentum),
    event: turns.map((turn) => turn.event),
    rule: turns.map((turn) => [0, 1, 2, 4, 6, 3][turn.event] ?? 0),
    resisted: turns.map((turn) => (turn.event === 3 ? 3 : -1)),
    enriched: turns.map(() => 0),
    scoreStart: starts,
    scorePairs: turns.flatMap((turn) => turn.scores.flat()),
    threshold: 3,
    cutOffs: [],
    warnings: [],
    ...more,
  }
}

function sourceOf(columns: ReplayColumns, more: Partial<TimelineSource> = {}): TimelineSource {
  const domains = columns.domains.map((name, at) => ({ name, priority: at + 1 }))
  return { columns, compare: null, flips: [], domains, kinds: null, ...more }
}

const turnArb: fc.Arbitrary<Turn> = fc.record({
  primary: fc.integer({ min: 0, max: 4 }),
  secondary: fc.integer({ min: -1, max: 4 }),
  event: fc.integer({ min: 0, max: 5 }),
  momentum: fc.integer({ min: 0, max: 40 }),
  scores: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 9 })), {
    maxLength: 4,
    selector: ([domain]) => domain,
  }),
})
const sessionArb = fc.array(turnArb, { maxLength: 200 })

describe('timelineData', () => {
  const turn: Turn = { primary: 0, secondary: 1, event: 0, momentum: 1, scores: [[0, 2]] }

  it('reads scores whether scoreStart counts cells or pairs, with and without its last entry', () => {
    const cells = columnsOf([turn, { ...turn, scores: [[2, 1.5], [0, 1]] }]) // prettier-ignore
    const heat = [20, 0, 0, 0, 0, 10, 0, 15, 0, 0]
    expect([...timelineData(sourceOf(cells)).heat]).toEqual(heat)
    const pairs = { ...cells, scoreStart: [0, 1, 3] }
    expect([...timelineData(sourceOf(pairs)).heat]).toEqual(heat)
    const short = { ...cells, scoreStart: [0, 2] }
    expect([...timelineData(sourceOf(short)).heat]).toEqual(heat)
  })

  it('orders lanes by priority and folds the domains that never occur', () => {
    const source = sourceOf(columnsOf([{ ...turn, scores: [[4, 1], [0, 2]] }]), {
      domains: [
        { name: 'conversation', priority: 1 },
        { name: 'investigation', priority: 2 },
        { name: 'coding', priority: 3 },
      ],
    }) // prettier-ignore
    const data = timelineData(source)
    expect(data.used.map((domain) => NAMES[domain])).toEqual([
      'conversation',
      'investigation',
      'coding',
    ])
    expect(data.unused.map((domain) => NAMES[domain])).toEqual(['planning', 'file_ops'])
  })

  it('aligns the compared replay by event, with domains of its own', () => {
    const columns = columnsOf([turn, turn, turn])
    const compare = columnsOf([turn, { ...turn, primary: 1 }], {
      seq: [0, 4],
      domains: ['coding', 'only_there'],
    })
    const data = timelineData(sourceOf(columns, { compare }))
    expect(data.names).toEqual([...NAMES, 'only_there'])
    expect([...data.other!]).toEqual([1, -1, 5])
  })
})

describe('blocks', () => {
  it('cover every turn exactly once, in order, at least 1.5 px wide', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 200, max: 2000 }),
        fc.double({ min: 1, max: 1e4, noNaN: true }),
        (turns, width, factor) => {
          const view = zoom(fit(turns), factor, turns / 3, turns)
          const size = blockSize(view, width)
          expect(size * pxPerTurn(view, width)).toBeGreaterThanOrEqual(LEAST_BLOCK_PX)
          expect(Number.isInteger(Math.log2(size))).toBe(true)
          const [first, end] = blockRange(view, size, turns)
          expect(first * size).toBeLessThanOrEqual(view.from)
          expect(end * size).toBeGreaterThanOrEqual(Math.min(turns, view.to))
          const [low, high] = blockRange(fit(turns), size, turns)
          expect([low, high]).toEqual([0, Math.ceil(turns / size)])
        },
      ),
    ))

  it('agree with a count by hand at every level', () =>
    fc.assert(
      fc.property(sessionArb, fc.integer({ min: 0, max: 6 }), (turns, power) => {
        const flips = turns.flatMap((_, turn) =>
          turn % 3 === 0
            ? [
                {
                  turn,
                  other: turn,
                  fields: ['primary' as const],
                  cause: 'direct' as const,
                  since: turn,
                },
              ]
            : [],
        )
        const data = timelineData(sourceOf(columnsOf(turns), { flips }))
        const size = 2 ** power
        const level = finish(levelSteps(data))(size)
        let seen = 0
        for (let block = 0; block < level.count; block++) {
          const part = turns.slice(block * size, (block + 1) * size)
          seen += part.length
          for (const domain of NAMES.keys()) {
            const scores = part.map((turn) => turn.scores.find(([at]) => at === domain)?.[1] ?? 0)
            const cell = block * NAMES.length + domain
            expect(level.heat[cell]).toBe(Math.max(...scores) * 10)
            expect(level.matched[cell]).toBe(scores.filter((score) => score > 0).length)
          }
          for (const code of EVENT_CODES.keys())
            expect(level.events[block * EVENT_CODES.length + code]).toBe(
              part.filter((turn) => turn.event === code).length,
            )
          expect(level.momentumMin[block]).toBe(Math.min(...part.map((turn) => turn.momentum)))
          expect(level.momentumMax[block]).toBe(Math.max(...part.map((turn) => turn.momentum)))
          expect(level.flip[block]).toBe(
            part.filter((_, at) => (block * size + at) % 3 === 0).length,
          )
          const share = (a: number, b: number) =>
            part.filter((turn) => turn.primary === a && turn.secondary === b).length
          const most = Math.max(...part.map((turn) => share(turn.primary, turn.secondary)))
          expect(share(level.primary[block]!, level.secondary[block]!)).toBe(most)
        }
        expect(seen).toBe(turns.length)
      }),
    ))
})

describe('signature runs', () => {
  it('cover every turn exactly once and are found by bisection', () =>
    fc.assert(
      fc.property(sessionArb, (turns) => {
        const runs = signatureRuns(timelineData(sourceOf(columnsOf(turns))))
        let next = 0
        for (const [at, run] of runs.entries()) {
          expect(run.from).toBe(next)
          expect(run.to).toBeGreaterThan(run.from)
          next = run.to
          for (let turn = run.from; turn < run.to; turn++) expect(runIndexAt(runs, turn)).toBe(at)
          const part = turns.slice(run.from, run.to)
          expect(run.resisted).toBe(part.filter((turn) => turn.event === 3).length)
          expect(run.held).toBe(part.filter((turn) => turn.event === 2).length)
          const inside = run.stretches.reduce((sum, one) => sum + one.to - one.from, 0)
          expect(inside).toBe(run.resisted + run.held)
        }
        expect(next).toBe(turns.length)
        expect(runIndexAt(runs, turns.length)).toBe(-1)
      }),
    ))

  it('[B11] the order of a compound does not cut a run; its more frequent primary names it', () => {
    const pair = (primary: number, secondary: number, event = 0): Turn => ({
      primary,
      secondary,
      event,
      momentum: 1,
      scores: [],
    })
    const turns = [pair(0, 1), pair(1, 0, 3), pair(1, 0, 3), pair(1, 0), pair(1, -1)]
    const runs = signatureRuns(timelineData(sourceOf(columnsOf(turns))))
    expect(runs).toEqual([
      {
        from: 0,
        to: 4,
        primary: 1,
        secondary: 0,
        held: 0,
        resisted: 2,
        stretches: [{ from: 1, to: 3, held: 0, resisted: 2 }],
      },
      { from: 4, to: 5, primary: 1, secondary: -1, held: 0, resisted: 0, stretches: [] },
    ])
  })
})

const resisted: Turn = { primary: 0, secondary: 1, event: 3, momentum: 5, scores: [[3, 1]] }
const same: Turn = { primary: 0, secondary: 1, event: 0, momentum: 4, scores: [[0, 2], [1, 1]] } // prettier-ignore

describe('hit', () =>
  it('names the mark on the marks row and the flip on the compare row', () => {
    const columns = columnsOf([same, resisted])
    const flip = {
      turn: 1,
      other: 1,
      fields: ['primary' as const],
      cause: 'direct' as const,
      since: 1,
    }
    const data = timelineData(sourceOf(columns, { compare: columns, flips: [flip] }))
    const layout = layoutRows({
      height: 320,
      domains: data.used,
      weight: () => 1,
      lanes: withOwn(replayOf([0], { unused: [0], compare: true })),
    })
    const view = fit(2)
    const at = (turn: number, kind: 'marks' | 'compare' | 'domain') => {
      const under = turnAt(xOf(turn + 0.5, view, 600), view, 600, data.turns)
      if (under === null) return null
      const mark = EVENT_CODES[data.event[under]!]
      return { turn: under, row: rowAt(layout, findRow(layout, kind)!.y + 4)!, mark }
    }
    expect(at(1, 'marks')).toMatchObject({ turn: 1, row: { id: 'marks' }, mark: 'resist' })
    expect(at(0, 'marks')).toMatchObject({ turn: 0, mark: 'same' })
    expect(at(1, 'compare')).toMatchObject({ turn: 1, row: { id: 'compare' } })
    expect([...data.flip]).toEqual([0, 1])
    expect(at(0, 'domain')?.row.domain).toBe(data.used[0])
    expect(at(5, 'domain')).toBeNull()
  }))

describe('words', () =>
  it('tell a resisted turn that flips in one sentence', () => {
    const columns = columnsOf([same, resisted])
    const compare = columnsOf([same, { ...resisted, primary: 3, secondary: -1, event: 5 }], {
      config: { ...columns.config, preset: 'literal' },
    })
    const flip = {
      turn: 1,
      other: 1,
      fields: ['primary' as const],
      cause: 'momentum' as const,
      since: 0,
    }
    const kinds = [EventKind.options.indexOf('user'), EventKind.options.indexOf('tool_result')]
    const source = sourceOf(columns, { compare, flips: [flip], kinds })
    const data = timelineData(source)
    const words = describeTurn({ source, data, runs: signatureRuns(data) }, 1)
    expect(words.spoken).toBe(
      'Turn 2 of 2, tool result, investigation + coding, Resisted file_ops: momentum was strong, ' +
        'momentum 5, flip: literal says file_ops, by momentum since turn 1',
    )
    expect(words.rule).toBe('B1')
    expect(words.strong).toBe(true)
    expect(words.runText).toBe('turns 1–2, 1 resisted')
    expect(words.scores).toEqual([{ domain: 3, score: 1 }])
  }))
