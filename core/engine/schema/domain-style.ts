/**
 * Appearance of a domain everywhere: a colour per theme and a two-letter code, because colour must never be the only
 * sign. Pure data and arithmetic, shared by panels and charts.
 */
export type ThemeName = 'dark' | 'light' | 'contrast'

/** `#rrggbb` per theme. */
export type ThemeColors = Readonly<Record<ThemeName, string>>

export interface DomainStyle {
  readonly name: string
  /** Two characters, unique within one configuration. */
  readonly code: string
  readonly color: ThemeColors
  /** Colour of text on `color`: at least 4.5:1. */
  readonly on: ThemeColors
}

export interface DomainStyles {
  /** Style of a domain. A name outside the configuration gets a grey style with its own code. */
  readonly get: (name: string) => DomainStyle
  /** In configuration order. */
  readonly list: readonly DomainStyle[]
}

type Slot = readonly [dark: string, light: string, contrast: string]

/**
 * Annealed in OKLCH under fixed hues: every pair is at least 9 apart (CIEDE2000) for normal, deutan
 * and protan vision, every colour at least 3:1 against its panel (4.5:1 in high contrast).
 */
const FIXED: ReadonlyArray<readonly [name: string, code: string, slot: Slot]> = [
  ['investigation', 'IN', ['#488bef', '#1561b8', '#3895f6']],
  ['analysis', 'AN', ['#7ce6cd', '#17a48d', '#70f2d4']],
  ['bugfix', 'BF', ['#e0474d', '#c02533', '#e8524f']],
  ['coding', 'CO', ['#c2a6fa', '#8966e4', '#d6abfd']],
  ['planning', 'PL', ['#f5c039', '#ba7c04', '#f3cb79']],
  ['system_admin', 'SA', ['#f474a8', '#b84587', '#f67dbf']],
  ['config_edit', 'CE', ['#cbe598', '#839a52', '#e2fb00']],
  ['prompt_engineering', 'PE', ['#b68e80', '#896658', '#bb9a84']],
  ['git_ops', 'GO', ['#465be5', '#3a22b2', '#6273af']],
  ['file_ops', 'FO', ['#98bcc6', '#7c93b6', '#c7dffa']],
  ['conversation', 'CV', ['#6d6b76', '#535f60', '#83898a']],
]
const SPARE: Slot = ['#2a8d55', '#00620b', '#269759']
const CONVERSATION = FIXED.length - 1

/** The 12 slots; unknown domains take free ones from the spare on, then they repeat. */
export const PALETTE: readonly ThemeColors[] = [...FIXED.map(([, , slot]) => slot), SPARE].map(
  ([dark, light, contrast]) => ({ dark, light, contrast }),
)
const GREY: ThemeColors = { dark: '#6d6b76', light: '#535f60', contrast: '#83898a' }
const INK = '#000000'
const PAPER = '#ffffff'

/** WCAG relative luminance of `#rrggbb`, 0 to 1. */
export function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

/** WCAG contrast of two `#rrggbb` colours, 1 to 21. */
export function contrastRatio(first: string, second: string): number {
  const a = luminance(first)
  const b = luminance(second)
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function textOn(color: string): string {
  return contrastRatio(color, INK) >= contrastRatio(color, PAPER) ? INK : PAPER
}

function onColors(color: ThemeColors): ThemeColors {
  return {
    dark: textOn(color.dark),
    light: textOn(color.light),
    contrast: textOn(color.contrast),
  }
}

/** Candidates for a code, best first: initials of the words, then first letter and each later one, then digits. */
function* codeCandidates(name: string): Generator<string> {
  const words = name.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = Array.from(words.join(''))
  const first = letters[0] ?? 'X'
  const second = words[1]
  if (second !== undefined) yield first + (Array.from(second)[0] ?? '')
  for (const letter of letters.slice(1)) yield first + letter
  for (let digit = 2; digit < 10; digit++) yield first + String(digit)
  for (let number = 10; ; number++) yield number.toString(36).toUpperCase().padStart(2, '0')
}

function generateCode(name: string, taken: Set<string>): string {
  for (const code of codeCandidates(name))
    if (!taken.has(code)) {
      taken.add(code)
      return code
    }
  return '??'
}

function* freeSlots(names: ReadonlySet<string>): Generator<ThemeColors> {
  const free = [
    PALETTE.length - 1,
    ...FIXED.flatMap(([name], slot) => (names.has(name) || slot === CONVERSATION ? [] : [slot])),
  ]
  for (let turn = 0; ; turn++) {
    const source = turn < free.length ? free[turn] : (turn - free.length) % CONVERSATION
    yield PALETTE[source ?? 0] ?? GREY
  }
}

/**
 * Styles of a configuration's domains. The document's eleven keep their colours and codes in any order. The others take
 * free colours and generated codes in configuration order.
 */
export function domainStyle(names: readonly string[]): DomainStyles {
  const taken = new Set(FIXED.map(([, code]) => code))
  const slots = freeSlots(new Set(names))
  const styles = new Map<string, DomainStyle>()
  for (const name of names) {
    if (styles.has(name)) continue
    const fixed = FIXED.findIndex(([known]) => known === name)
    const color = (fixed < 0 ? slots.next().value : PALETTE[fixed]) as ThemeColors
    const code = FIXED[fixed]?.[1] ?? generateCode(name, taken)
    styles.set(name, { name, code, color, on: onColors(color) })
  }
  const list = [...styles.values()]
  const outside = (name: string): DomainStyle => {
    const style = { name, code: generateCode(name, taken), color: GREY, on: onColors(GREY) }
    styles.set(name, style)
    return style
  }
  return { get: (name) => styles.get(name) ?? outside(name), list }
}
