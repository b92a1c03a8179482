import { domainStyle, type ThemeName } from '../ui/domain-style.ts'

const VARIABLES = [
  'bg',
  'panel',
  'panel2',
  'line',
  'line2',
  'ink',
  'ink2',
  'ink3',
  'accent',
  'good',
  'warn',
  'bad',
] as const
type Variable = (typeof VARIABLES)[number]

/** Colours and font of the canvas: the theme's variables and the domains' own. */
export type Paint = Readonly<Record<Variable, string>> & {
  readonly theme: ThemeName
  readonly font: string
  /** By domain number; grey for -1. */
  readonly domain: (index: number) => string
  /** Two letters of a domain number. */
  readonly code: (index: number) => string
  /** A lane's own colour: the variable `--NAME` of the theme. */
  readonly own: (name: string) => string
  /** Strength of tints: light paper needs less. */
  readonly tint: number
}

const TINT: Readonly<Record<ThemeName, number>> = { dark: 0.24, light: 0.17, contrast: 0.34 }

/** Reads the theme from an element. Costs a style recalculation: once per theme, not per frame. */
export function readPaint(element: Element, theme: ThemeName, names: readonly string[]): Paint {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim() || style.color
  const styles = domainStyle(names)
  const colors = names.map((name) => styles.get(name).color[theme])
  const variables = Object.fromEntries(VARIABLES.map((name) => [name, read(name)])) as Record<
    Variable,
    string // every key of VARIABLES was just filled
  >
  const font = style.fontFamily
  const domain = (index: number) => colors[index] ?? variables.ink3
  const code = (index: number) => styles.get(names[index] ?? '').code
  const known = new Map<string, string>()
  const own = (name: string) => {
    const color = known.get(name) ?? read(name)
    known.set(name, color)
    return color
  }
  return { ...variables, theme, font, domain, code, own, tint: TINT[theme] }
}
