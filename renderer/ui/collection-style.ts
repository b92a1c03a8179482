import type { ThemeColors } from './domain-style.ts'

/**
 * Style of a collection everywhere: a color per theme and a letter code, so that color is not the only sign. The colors
 * differ from those of the domains, because both appear on one timeline.
 */
export interface CollectionStyle {
  readonly name: string
  /** One or two characters, unique among the collections. */
  readonly code: string
  readonly color: ThemeColors
}

/**
 * Annealed like the domains' colours: every pair is far apart for normal, deutan and protan vision, as
 * is every colour from every domain's; at least 3:1 against its panel (4.5:1 in high contrast).
 */
const PALETTE: readonly ThemeColors[] = [
  { dark: '#52f5f6', light: '#1f00fc', contrast: '#14d5a7' },
  { dark: '#bd400e', light: '#c06e82', contrast: '#fdffa4' },
  { dark: '#f6ff45', light: '#a91981', contrast: '#58840c' },
  { dark: '#a76bae', light: '#7c7bbc', contrast: '#4e8494' },
  { dark: '#92b967', light: '#873048', contrast: '#03dc0f' },
  { dark: '#9e8083', light: '#ab040d', contrast: '#ffffff' },
]
const GREY: ThemeColors = { dark: '#8492a0', light: '#5d6a77', contrast: '#d3dae1' }

function codeOf(name: string, taken: ReadonlySet<string>): string {
  const words = name.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? ['?']
  const letters = Array.from(words.join(''))
  const first = letters[0] ?? '?'
  const tries = [first, ...letters.slice(1).map((letter) => first + letter)]
  const numbered = (at: number): string => {
    const code = `${first}${at}`
    return taken.has(code) ? numbered(at + 1) : code
  }
  return tries.find((code) => !taken.has(code)) ?? numbered(2)
}

/** [D50] Styles in the order of the names; those beyond the palette are grey and told by their code. */
export function collectionStyles(names: readonly string[]): ReadonlyMap<string, CollectionStyle> {
  const styles = new Map<string, CollectionStyle>()
  const taken = new Set<string>()
  for (const name of names) {
    if (styles.has(name)) continue
    const code = codeOf(name, taken)
    taken.add(code)
    styles.set(name, { name, code, color: PALETTE[styles.size] ?? GREY })
  }
  return styles
}
