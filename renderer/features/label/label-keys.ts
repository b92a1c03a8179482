/** Keys of the first twelve domains, in the order of the configuration. */
export const LABEL_KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '-', '='] as const
const CODES = [
  'Digit1',
  'Digit2',
  'Digit3',
  'Digit4',
  'Digit5',
  'Digit6',
  'Digit7',
  'Digit8',
  'Digit9',
  'Digit0',
  'Minus',
  'Equal',
]

export interface LabelPress {
  readonly key: string
  readonly code: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

export type LabelAction =
  | { readonly kind: 'primary'; readonly domain: number }
  | { readonly kind: 'other'; readonly domain: number }
  | { readonly kind: 'clear' }

/**
 * [T53] What a key does to the label of the selected turn; null = nothing. A digit sets the primary, with
 * Shift the same key says acceptable, forbidden, nothing. Keyboards that need Shift for digits have
 * the digit as `key`: then it is a digit.
 */
export function labelAction(press: LabelPress): LabelAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null
  if (press.key === 'Delete' || press.key === 'Backspace') return { kind: 'clear' }
  const domain = LABEL_KEYS.findIndex((key) => key === press.key)
  if (domain >= 0) return { kind: 'primary', domain }
  const shifted = press.shiftKey ? CODES.indexOf(press.code) : -1
  return shifted < 0 ? null : { kind: 'other', domain: shifted }
}
