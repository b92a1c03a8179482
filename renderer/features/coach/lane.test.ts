import { replayOf, rowsOf } from '../../../fixtures/timeline-rows.ts'
import { describe, expect, it } from 'vitest'
import { OutputType } from '../../../core/engine/schema/coach.ts'
import { verdictY, verdictsLane } from './lane-row.tsx'
import { coachBlock, coachLane, coachWords } from './lane.ts'

interface One {
  readonly seq: number
  readonly type: OutputType
  readonly disagrees?: number
  readonly failed?: number
  readonly label?: OutputType
  readonly wentOn?: number
}

const code = (type: OutputType) => OutputType.options.indexOf(type)

function columnsOf(all: readonly One[]) {
  return {
    seq: all.map(({ seq }) => seq),
    type: all.map(({ type }) => code(type)),
    passes: all.map(({ type }) => Number(type !== 'status')),
    confidence: all.map(() => 0.9),
    source: all.map(() => 1),
    rules: all.map(({ type }) => code(type)),
    disagrees: all.map(({ disagrees }) => disagrees ?? 0),
    failed: all.map(({ failed }) => failed ?? 0),
    label: all.map(({ label }) => (label === undefined ? -1 : code(label))),
    wentOn: all.map(({ wentOn }) => wentOn ?? 0),
    gated: all.map(() => 0),
    flags: all.map(() => 0),
  }
}

describe('the lane of verdicts', () => {
  it('places an output at the turn that it follows, those before the first turn at the first', () => {
    const lane = coachLane(
      [2, 5, 9],
      columnsOf([
        { seq: 1, type: 'completion' },
        { seq: 6, type: 'status' },
        { seq: 8, type: 'question' },
        { seq: 20, type: 'error' },
      ]),
    )
    expect([...lane.type].map((type) => OutputType.options[type])).toEqual([
      'completion',
      'question',
      'error',
    ])
    expect([...lane.count]).toEqual([1, 2, 1])
    expect([...lane.sentBack]).toEqual([0, 1, 0])
    expect(lane).toMatchObject({ outputs: 4, back: 1 })
  })

  it('loses neither a rejection nor a disagreement nor a failure of an earlier output of the turn', () => {
    const lane = coachLane(
      [0],
      columnsOf([
        { seq: 1, type: 'status', disagrees: 1, failed: 1 },
        { seq: 2, type: 'completion', label: 'status' },
      ]),
    )
    expect(coachBlock(lane, 0, 1)).toEqual({
      type: code('completion'),
      count: 2,
      back: 1,
      disagrees: true,
      failed: true,
      wentOn: false,
    })
    expect(coachWords(lane, 0)).toBe(
      'completion 0.90, passes; last of 2 outputs, 1 sent back; labelled status; rules or runs disagree; the model failed',
    )
  })

  it('[V23] is pale only where the agent went on by itself after every output', () => {
    const lane = coachLane(
      [0, 2, 4],
      columnsOf([
        { seq: 1, type: 'status', wentOn: 1 },
        { seq: 3, type: 'status', wentOn: 1 },
        { seq: 4, type: 'status', wentOn: 0 },
      ]),
    )
    expect(coachBlock(lane, 0, 2).wentOn).toBe(true)
    expect(coachBlock(lane, 0, 3).wentOn).toBe(false)
    expect(coachWords(lane, 0)).toContain('the agent went on by itself')
    expect(coachWords(lane, 2)).not.toContain('went on')
  })

  it('sums a block up by the most frequent type that passes', () => {
    const lane = coachLane(
      [0, 2, 4, 6],
      columnsOf([
        { seq: 1, type: 'status' },
        { seq: 3, type: 'error' },
        { seq: 5, type: 'question' },
        { seq: 7, type: 'question' },
      ]),
    )
    expect(coachBlock(lane, 0, 4)).toMatchObject({ type: code('question'), count: 4, back: 1 })
    expect(coachBlock(lane, 0, 1)).toMatchObject({ type: -1, count: 1, back: 1 })
  })

  it('says nothing of a turn without an output, and of a session without turns', () => {
    const lane = coachLane([0, 5], columnsOf([{ seq: 6, type: 'question' }]))
    expect(coachWords(lane, 0)).toBe('')
    expect(coachLane([], columnsOf([{ seq: 6, type: 'question' }])).type).toHaveLength(0)
  })

  it('draws what passes above what goes back, inside its row', () => {
    const row = { y: 100, height: 27 }
    expect(verdictY(row, false)).toBeLessThan(verdictY(row, true))
    expect(verdictY(row, true) + 3).toBeLessThan(row.y + row.height - 6)
  })

  it('has a row only when there are outputs', () => {
    const base = replayOf([0])
    const kinds = (all: readonly One[]) =>
      rowsOf(base, [verdictsLane.readyFrom(base, columnsOf(all))]).map(({ id }) => id)
    expect(kinds([{ seq: 1, type: 'status' }])).toContain('coach')
    expect(kinds([])).not.toContain('coach')
  })
})
