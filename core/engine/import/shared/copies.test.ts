import { describe, expect, it } from 'vitest'
import { createCopies } from './copies.ts'

const NOON = 1_700_000_000_000

/** Whether the second text counts as the copy of the first, `later` ms and `events` events after it. */
function isCopy(first: string, second: string, later = 0, events = 0): boolean {
  const copies = createCopies<number>()
  copies.wait('item', first, 1, { at: NOON, events: 3 })
  return copies.take('event', second, { at: NOON + later, events: 3 + events }) === 1
}

describe('copies of which a publisher blanked out other parts', () => {
  it.each([
    ['Write to [EMAIL_1] today', 'Write to <REDACTED> today'],
    ['Write to ada@example.org today', 'Write to *** today'],
    ['Look into /home/[USER]/shop', 'Look into /home/xxxx/shop'],
    ['[trimmed]', '<REDACTED>'],
  ])('[I110] %s and %s are one', (first, second) => {
    expect(isCopy(first, second)).toBe(true)
    expect(isCopy(second, first, 900)).toBe(true)
  })

  it.each([
    ['Write to Ada today', 'Write to Bob today'],
    ['Sent to [EMAIL_1].', 'Nothing is left to do for [PERSON_1] now'],
    ['[REDACTED]', 'Write to Ada today'],
  ])('[I110] %s and %s are two', (first, second) => {
    expect(isCopy(first, second)).toBe(false)
  })

  it('[I110] not when another event stands between them, nor at another time', () => {
    const first = 'Write to [EMAIL_1] today'
    const second = 'Write to [EMAIL_2] today'
    expect(isCopy(first, second, 0, 1)).toBe(false)
    expect(isCopy(first, second, 2001)).toBe(false)
    const copies = createCopies<number>()
    copies.wait('item', first, 1, { at: NOON, events: 3 })
    expect(copies.take('event', second, { at: null, events: 3 })).toBeUndefined()
  })

  it('[I110] two that wait in a row meet their own copies', () => {
    const copies = createCopies<number>()
    copies.wait('event', 'Find [A] first', 1, { at: NOON, events: 1 })
    copies.wait('event', 'Then mend the roof of [B]', 2, { at: NOON, events: 2 })
    expect(copies.take('item', 'Find <x> first', { at: NOON, events: 2 })).toBe(1)
    expect(copies.take('item', 'Then mend the roof of <x>', { at: NOON, events: 2 })).toBe(2)
  })
})
