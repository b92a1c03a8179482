import { describe, expect, test } from 'vitest'
import { type Entry, type Place, writeFor } from './places.ts'

const rested = { isArriving: false, isHeld: false, isByItself: false }
const at = (fragment: string, more: Partial<Entry> = {}): Entry => ({
  fragment,
  dialog: null,
  selected: 0,
  under: null,
  ...more,
})
const now = (fragment: string, more: Partial<Place> = {}): Place => ({
  fragment,
  dialog: null,
  selected: 1,
  ...more,
})

describe('[U70] places of the history', () => {
  test.each([
    ['a session', 's=sample:b&turn=1'],
    ['another session of the file', 's=sample:a&n=1&turn=1'],
    ['a turn', 's=sample:a&turn=2'],
    ['an event', 's=sample:a&event=7'],
    ['a tab', 's=sample:a&turn=1&tab=raw'],
    ['a panel of the dock', 's=sample:a&turn=1&dock=tune'],
    ['a folder', 's=sample:a&turn=1&lib=/x'],
    ['another preset', 's=sample:a&turn=1&preset=p'],
  ])('%s is one', (_, fragment) => {
    expect(writeFor(at('s=sample:a&turn=1'), now(fragment), rested)).toBe('push')
  })

  test('the same place is none', () =>
    expect(writeFor(at('s=sample:a&turn=1'), now('s=sample:a&turn=1'), rested)).toBe('none'))

  test('of fast steps only the one where they rest is one', () => {
    const held = { ...rested, isHeld: true }
    expect(writeFor(at('s=sample:a&turn=1'), now('s=sample:a&turn=2'), held)).toBe('replace')
    // A tab that is chosen fast is a tab all the same.
    expect(writeFor(at('s=sample:a&turn=1'), now('s=sample:a&turn=1&tab=raw'), held)).toBe('push')
  })

  test('what moves by itself is none', () => {
    const byItself = { ...rested, isByItself: true }
    expect(writeFor(at('s=sample:a&turn=1'), now('s=sample:a&turn=2'), byItself)).toBe('replace')
    const renumbered = now('s=sample:a&turn=2', { selected: 0 })
    expect(writeFor(at('s=sample:a&turn=1'), renumbered, rested)).toBe('replace')
  })

  test('letters of a query are none', () => {
    const typed = now('s=sample:a&turn=1&find=ab&only=1')
    expect(writeFor(at('s=sample:a&turn=1&find=a'), typed, rested)).toBe('replace')
  })

  test('a dialog is one, and leaves none when it is closed', () => {
    const open = now('s=sample:a&turn=1', { dialog: 'help' })
    expect(writeFor(at('s=sample:a&turn=1'), open, rested)).toBe('push')
    const entry = at('s=sample:a&turn=1', { dialog: 'help', under: 's=sample:a&turn=1' })
    expect(writeFor(entry, now('s=sample:a&turn=1'), rested)).toBe('leave')
    // The page it led to replaces it.
    expect(writeFor(entry, now('s=sample:a&turn=9'), rested)).toBe('replace')
    const other = now('s=sample:a&turn=1', { dialog: 'trust' })
    expect(writeFor(entry, other, rested)).toBe('replace')
  })

  test('where Back leads to is no new one', () => {
    const arriving = { ...rested, isArriving: true }
    expect(writeFor(at('s=sample:a&turn=900'), now('s=sample:a&turn=5'), arriving)).toBe('replace')
  })
})
