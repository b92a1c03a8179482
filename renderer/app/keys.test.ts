import { describe, expect, it } from 'vitest'
import { COMMANDS, PANE_KEYS } from './features.ts'
import { LABEL_KEYS, labelAction } from '../stores/label/label-keys.ts'
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

  it('[U222] gives no single letter to an action that costs money or deletes data', () => {
    const rows = [
      ...COMMANDS.map(({ id, keys, does }) => ({ id, keys, does })),
      ...PANE_KEYS.flatMap(({ rows: own }) =>
        own.map(({ what, keys, does }) => ({ id: what, keys, does })),
      ),
    ]
    const grave = rows.filter(({ does }) => does === 'money' || does === 'deletes')
    expect(grave.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['coach-ask', 'coach-ask-all', 'probe-session', 'discard-draft']),
    )
    expect(grave.filter(({ keys }) => keys.some((key) => key.length === 1))).toEqual([])
  })

  it('[U222] declares what every action does that asks a model, deletes or discards', () => {
    const GRAVE = /\b(?:ask|probe the|delete|discard|remove|take the last turn back|forget)\b/iu
    const silent = COMMANDS.filter(({ what, does }) => GRAVE.test(what) && does === undefined)
    expect(silent.map(({ id }) => id)).toEqual([])
  })

  it('[U221] lists in the help the keys that label, each with what it does', () => {
    const labels = PANE_KEYS.flatMap(({ rows }) => rows.flatMap(({ keys }) => keys))
    expect(labels).toEqual([...LABEL_KEYS, 'Delete', 'Backspace'])
    // Each key performs the action that the help lists.
    for (const key of labels)
      expect(labelAction({ ...press(key), code: '', shiftKey: false })).not.toBeNull()
  })

  it('[U223] undoes a label outside of fields only', () => {
    expect(commandOf(press('z', { ctrlKey: true }), false)).toBe('undo-label')
    expect(commandOf(press('z', { ctrlKey: true }), true)).toBeUndefined()
  })
})
