import { describe, expect, it } from 'vitest'
import { LABEL_KEYS, labelAction } from './label-keys.ts'

const press = (key: string, code: string, more: object = {}) => ({
  key,
  code,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

describe('[T53] keys of the tab Label', () => {
  it('gives each of the first twelve domains one key', () => {
    expect(new Set(LABEL_KEYS).size).toBe(12)
    expect(labelAction(press('1', 'Digit1'))).toEqual({ kind: 'primary', domain: 0 })
    expect(labelAction(press('0', 'Digit0'))).toEqual({ kind: 'primary', domain: 9 })
    expect(labelAction(press('=', 'Equal'))).toEqual({ kind: 'primary', domain: 11 })
  })

  it('goes by the place of the key with Shift, whatever is printed on it', () => {
    const shiftKey = true
    expect(labelAction(press('!', 'Digit1', { shiftKey }))).toEqual({ kind: 'other', domain: 0 })
    expect(labelAction(press('/', 'Digit7', { shiftKey }))).toEqual({ kind: 'other', domain: 6 })
    expect(labelAction(press('_', 'Minus', { shiftKey }))).toEqual({ kind: 'other', domain: 10 })
  })

  it('takes a digit that needs Shift for the digit', () => {
    const french = press('1', 'Digit1', { shiftKey: true })
    expect(labelAction(french)).toEqual({ kind: 'primary', domain: 0 })
  })

  it('leaves other keys and combinations alone', () => {
    expect(labelAction(press('j', 'KeyJ'))).toBeNull()
    expect(labelAction(press('1', 'Digit1', { ctrlKey: true }))).toBeNull()
    expect(labelAction(press('&', 'Digit1'))).toBeNull()
  })

  it('takes the label away with Delete', () =>
    expect(labelAction(press('Delete', 'Delete'))).toEqual({ kind: 'clear' }))
})
