import { describe, expect, it } from 'vitest'
import { outputAt } from './turn-output.ts'

describe('[F240] the output that belongs to an event', () => {
  const outputs = [3, 8, 15]

  it('is the event itself, else the one between turn and event, else the answer to the turn', () => {
    expect(outputAt(outputs, [2, 7, 14], 8)).toEqual({ seq: 8, place: 'this' })
    expect(outputAt(outputs, [2, 7, 14], 7)).toEqual({ seq: 8, place: 'after' })
    expect(outputAt(outputs, [2, 7, 14], 10)).toEqual({ seq: 8, place: 'before' })
  })

  it('is the last of several outputs of a turn, also when tool results lie between them', () => {
    expect(outputAt([3, 5, 8], [2, 9], 2)).toEqual({ seq: 8, place: 'after' })
    expect(outputAt([3, 5, 8], [2, 9], 4)).toEqual({ seq: 3, place: 'before' })
    // A tool result that is a turn has the output after it.
    expect(outputAt([3, 5, 8], [2, 4, 9], 4)).toEqual({ seq: 8, place: 'after' })
  })

  it('is the last one before if the turn has none, and the first one before the first', () => {
    expect(outputAt(outputs, [2, 7, 11, 14], 11)).toEqual({ seq: 8, place: 'before' })
    expect(outputAt(outputs, [0, 1, 2], 0)).toEqual({ seq: 3, place: 'after' })
    expect(outputAt([], [0], 4)).toBeNull()
  })
})
