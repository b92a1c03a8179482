import { describe, expect, it } from 'vitest'
import { queryAt, responseAt } from './answer-selectors.ts'

describe('what belongs to the selection', () => {
  it('is the message that was being answered', () => {
    expect(queryAt([1, 5], 0)).toBeNull()
    expect(queryAt([1, 5], 1)).toBe(1)
    expect(queryAt([1, 5], 4)).toBe(1)
    expect(queryAt([1, 5], 99)).toBe(5)
  })

  it('finds the row of a response by its event', () => {
    const zeros = [0, 0]
    const responses = {
      seq: [4, 9],
      type: zeros,
      confidence: zeros,
      diagnostics: zeros,
      stuck: zeros,
      silent: zeros,
      quiet: zeros,
      fallback: zeros,
    }
    expect([responseAt(responses, 9), responseAt(responses, 5)]).toEqual([1, undefined])
  })
})
