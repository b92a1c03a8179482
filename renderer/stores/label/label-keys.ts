import type { KeyPress } from '../../app/keys.ts'

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] as const
/** Keys of the first twelve domains, in the order of the configuration. */
export const LABEL_KEYS = [...DIGITS, '-', '='] as const
const CODES = [...DIGITS.map((digit) => `Digit${digit}`), 'Minus', 'Equal']

export type LabelPress = KeyPress & Pick<KeyboardEvent, 'code' | 'shiftKey'>

export type LabelAction =
  | { readonly kind: 'primary'; readonly domain: number }
  | { readonly kind: 'other'; readonly domain: number }
  | { readonly kind: 'clear' }

/**
 * [T53] Maps a key to a label action for the selected turn; null for other keys. A digit sets the primary. Shift plus a
 * digit cycles acceptable, forbidden, unset. On keyboards that need Shift for digits, `key` is the digit, and it counts
 * as a plain digit.
 */
export function labelAction(press: LabelPress): LabelAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null
  if (press.key === 'Delete' || press.key === 'Backspace') return { kind: 'clear' }
  const domain = LABEL_KEYS.findIndex((key) => key === press.key)
  if (domain >= 0) return { kind: 'primary', domain }
  const shifted = press.shiftKey ? CODES.indexOf(press.code) : -1
  return shifted < 0 ? null : { kind: 'other', domain: shifted }
}
