import { describe, expect, test } from 'vitest'
import type { ContextColumns } from '../../../core/wire/context.ts'
import { barAt, barsOfTurn, contextLane, contextWords, layerLook, visibleBars } from './lane.ts'

const COLUMNS: ContextColumns = {
  isRecorded: true,
  tokenizer: 'o200k_base',
  seq: [2, 5, 7, 12],
  window: [200, 200, 200, 0],
  layers: ['system prompt and tools (not in the file)', 'rules', 'others'],
  tokens: [80, 15, 5, 80, 60, 10, 90, 50, 40, 20, 5, 5],
  cuts: [{ call: 3, reason: 'compacted', before: 180 }],
}
const TURNS = [1, 4, 11]

describe('columns of calls', () => {
  test('[X15] calls of a turn share its column in their order, and add up their layers', () => {
    const lane = contextLane(TURNS, COLUMNS)!
    expect(
      lane.bars.map(({ turn, position, slot, total }) => [turn, position, slot, total]),
    ).toEqual([
      [0, 0.5, 1, 100],
      [1, 1.25, 0.5, 150],
      [1, 1.75, 0.5, 180],
      [2, 2.5, 1, 30],
    ])
    expect(barsOfTurn(lane, 1).map(({ nth }) => nth)).toEqual([1, 2])
    expect(barAt(lane, 1.3, 0)?.nth).toBe(1)
    expect(barAt(lane, 9, 0.1)).toBeNull()
  })

  test('[X15] the window is on the scale, unless it would flatten the columns', () => {
    expect(contextLane(TURNS, COLUMNS)?.top).toBe(200)
    expect(contextLane(TURNS, { ...COLUMNS, window: [9000, 9000, 9000, 9000] })?.top).toBe(180)
  })

  test('[X15] nothing without calls or without turns', () => {
    expect(contextLane([], COLUMNS)).toBeNull()
    expect(contextLane(TURNS, { ...COLUMNS, seq: [], window: [], tokens: [], cuts: [] })).toBeNull()
  })

  test('[X15] columns narrower than a pixel share it, and a cut stays visible', () => {
    const lane = contextLane(TURNS, COLUMNS)!
    const shown = visibleBars(lane, { from: 0, to: 3 }, (position) => Math.floor(position / 2), 2)
    expect(shown.map(({ nth }) => nth)).toEqual([2, 3])
    const all = visibleBars(lane, { from: 0, to: 3 }, () => 0, 1)
    expect(all.map(({ nth }) => nth)).toEqual([3])
  })

  test('[X15] a turn is said with its last call, how many there are, and its cuts', () => {
    const lane = contextLane(TURNS, COLUMNS)!
    expect(contextWords(lane, 1)).toBe('180 tokens (90 % of the window), 2 calls')
    expect(contextWords(lane, 2)).toBe('30 tokens, compacted from 180')
    const estimated = contextLane(TURNS, { ...COLUMNS, isRecorded: false })!
    expect(contextWords(estimated, 0)).toMatch(/^about 100 tokens/u)
    expect(contextWords(contextLane([1, 4, 11, 13], COLUMNS)!, 3)).toBe('')
  })

  test('[X15] the remainder and the others have quiet colours, the rest those of the palette', () => {
    expect(COLUMNS.layers.map((name, layer) => layerLook(name, layer))).toEqual([
      'line2',
      0,
      'ink3',
    ])
  })
})
