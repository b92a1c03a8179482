import type { Command } from './feature.ts'

/** The fields of a keyboard event that choose a command. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'> & {
  /** Letters say by themselves whether Shift was held; F6 does not. */
  readonly shiftKey?: boolean
}

const SHOWN: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' }

/** The command of a key press, or null. Inside a text field only `mod+` keys and F6 count. */
export function commandOfKey(
  commands: readonly Command[],
  press: KeyPress,
  inField: boolean,
): Command | null {
  const mod = press.ctrlKey || press.metaKey
  // Alt with a letter writes signs on some keyboards, and in fields it is the system's.
  const isRegion = press.key === 'F6'
  if (inField && !isRegion && (!mod || press.altKey)) return null
  const shift = isRegion && press.shiftKey === true ? 'shift+' : ''
  // A field undoes its own text.
  if (inField && mod && press.key.toLowerCase() === 'z') return null
  const name = (mod ? 'mod+' : '') + (press.altKey ? 'alt+' : '') + shift + press.key
  return commands.find(({ keys }) => keys.includes(name)) ?? null
}

/** The keys of a command as shown to people: `⌘K` on a Mac, `Ctrl K` elsewhere. */
export function keyLabels(keys: readonly string[], mac: boolean): readonly string[] {
  return keys.map((key) => {
    if (key.startsWith('alt+')) return `${mac ? '⌥' : 'Alt '}${SHOWN[key.slice(4)] ?? key.slice(4)}`
    if (key.startsWith('shift+')) return `${mac ? '⇧' : 'Shift '}${key.slice(6)}`
    if (!key.startsWith('mod+')) return key
    return `${mac ? '⌘' : 'Ctrl '}${key.slice(4) === 'P' ? '⇧P' : key.slice(4).toUpperCase()}`
  })
}
