import { describe, expect, it } from 'vitest'
import { epoch } from './guards.ts'

const NEW_YEAR = Date.UTC(2026, 0, 1)

describe('times of records', () => {
  it.each<[unknown, number]>([
    ['1767225600', NEW_YEAR],
    ['1767225600.25', NEW_YEAR + 250],
    ['1767225600000', NEW_YEAR],
    ['1767225600000000', NEW_YEAR],
    ['1767225600000000000', NEW_YEAR],
    [1_767_225_600_000_000, NEW_YEAR],
    ['2026-01-01', NEW_YEAR],
    ['Thu, 01 Jan 2026 00:00:00 +0000', NEW_YEAR],
    ['Thu, 1 Jan 2026 02:00:05 +0200 (EET)', NEW_YEAR + 5000],
    ['01 Jan 2026 00:00 GMT', NEW_YEAR],
    ['January 1, 2026 12:01am', NEW_YEAR + 60_000],
    ['Jan 1, 2026, 1:00:00 PM UTC', NEW_YEAR + 13 * 3_600_000],
    ['2026-01-01@00h00m07s', NEW_YEAR + 7000],
    ['2026-1-1 @0h 0m 7s 12ms', NEW_YEAR + 7012],
    ['2026-01-01T00:00:00Z', NEW_YEAR],
  ])('[I210] reads %s', (text, at) => {
    expect(epoch(text)).toBe(at)
  })

  it.each([
    '',
    '12',
    '17',
    '2026-02-30',
    '2026-13-01',
    '31 Feb 2026',
    'January 1, 2026 13:00pm',
    'Monday',
    '25:00',
    'may 2026',
  ])('[I210] "%s" is no time', (text) => {
    expect(epoch(text)).toBeNull()
  })
})
