import type { Command } from './feature.ts'

/** The fields of a keyboard event that choose a command. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** The command of a key press, or null. Inside a text field only `mod+` keys count. */
export function commandOfKey(
  commands: readonly Command[],
  press: KeyPress,
  inField: boolean,
): Command | null {
  const mod = press.ctrlKey || press.metaKey
  if (press.altKey || (inField && !mod)) return null
  const name = (mod ? 'mod+' : '') + press.key
  return commands.find(({ keys }) => keys.includes(name)) ?? null
}

/** The keys of a command as shown to people: `⌘K` on a Mac, `Ctrl K` elsewhere. */
export function keyLabels(keys: readonly string[], mac: boolean): readonly string[] {
  return keys.map((key) =>
    key.startsWith('mod+')
      ? `${mac ? '⌘' : 'Ctrl '}${key.slice(4) === 'P' ? '⇧P' : key.slice(4).toUpperCase()}`
      : key,
  )
}
