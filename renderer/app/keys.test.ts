import { describe, expect, it } from 'vitest'
import { keyLabels, SHORTCUTS, shortcutOf } from './keys.ts'

const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

describe('the table of shortcuts', () => {
  it('gives no key to two commands and no command two rows', () => {
    const keys = SHORTCUTS.flatMap((shortcut) => shortcut.keys)
    expect(new Set(keys).size).toBe(keys.length)
    const commands = SHORTCUTS.map(({ command }) => command)
    expect(new Set(commands).size).toBe(commands.length)
  })

  it('tells Shift from plain letters', () => {
    expect(shortcutOf(press('j'), false)?.command).toBe('next-turn')
    expect(shortcutOf(press('J'), false)?.command).toBe('next-user')
  })

  it('takes Ctrl and Cmd for mod', () => {
    expect(shortcutOf(press('k', { ctrlKey: true }), false)?.command).toBe('palette')
    expect(shortcutOf(press('k', { metaKey: true }), false)?.command).toBe('palette')
  })

  it('leaves single letters to text fields, and Alt to the system', () => {
    expect(shortcutOf(press('j'), true)).toBeNull()
    expect(shortcutOf(press('k', { ctrlKey: true }), true)?.command).toBe('palette')
    expect(shortcutOf(press('j', { altKey: true }), false)).toBeNull()
  })

  it('names keys as the keyboard does', () => {
    expect(keyLabels(['g', 'mod+k', 'mod+P'], true)).toEqual(['g', '⌘K', '⌘⇧P'])
    expect(keyLabels(['mod+k'], false)).toEqual(['Ctrl K'])
  })
})
