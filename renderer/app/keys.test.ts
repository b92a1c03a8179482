import { describe, expect, it } from 'vitest'
import { COMMANDS } from './features.ts'
import { commandOfKey, keyLabels, type KeyPress } from './keys.ts'

const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

const commandOf = (pressed: KeyPress, inField: boolean) =>
  commandOfKey(COMMANDS, pressed, inField)?.id

describe('the keys of the commands', () => {
  it('gives no key to two commands and no command two rows', () => {
    const keys = COMMANDS.flatMap((command) => command.keys)
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
    const ids = COMMANDS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('tells Shift from plain letters', () => {
    expect(commandOf(press('j'), false)).toBe('next-turn')
    expect(commandOf(press('J'), false)).toBe('next-user')
  })

  it('takes Ctrl and Cmd for mod', () => {
    expect(commandOf(press('k', { ctrlKey: true }), false)).toBe('palette')
    expect(commandOf(press('k', { metaKey: true }), false)).toBe('palette')
  })

  it('leaves single letters to text fields, and Alt to the system', () => {
    expect(commandOf(press('j'), true)).toBeUndefined()
    expect(commandOf(press('k', { ctrlKey: true }), true)).toBe('palette')
    expect(commandOf(press('j', { altKey: true }), false)).toBeUndefined()
  })

  it('[U71] goes back and forward with Alt and the arrows, but not inside of a field', () => {
    expect(commandOf(press('ArrowLeft', { altKey: true }), false)).toBe('back')
    expect(commandOf(press('ArrowRight', { altKey: true }), false)).toBe('forward')
    expect(commandOf(press('ArrowLeft', { altKey: true }), true)).toBeUndefined()
  })

  it('[U78] goes from region to region with F6, also out of a field', () => {
    expect(commandOf(press('F6'), true)).toBe('next-region')
    expect(commandOf(press('F6', { shiftKey: true }), false)).toBe('previous-region')
    expect(keyLabels(['shift+F6'], false)).toEqual(['Shift F6'])
  })

  it('names keys as the keyboard does', () => {
    expect(keyLabels(['g', 'mod+k', 'mod+P'], true)).toEqual(['g', '⌘K', '⌘⇧P'])
    expect(keyLabels(['mod+k'], false)).toEqual(['Ctrl K'])
    expect(keyLabels(['alt+ArrowLeft'], false)).toEqual(['Alt ←'])
    expect(keyLabels(['alt+ArrowRight'], true)).toEqual(['⌥→'])
  })
})
