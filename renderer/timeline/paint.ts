import { TierName } from '../../core/engine/schema/bundle-report.ts'
import { OutputType } from '../../core/engine/schema/coach.ts'
import { QueryType } from '../../core/engine/schema/query.ts'
import { SelfSignalType } from '../../core/engine/schema/self-signal.ts'
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
  /** Where find found something. */
  readonly found: string
  /** By domain number; grey for -1. */
  readonly domain: (index: number) => string
  /** Two letters of a domain number. */
  readonly code: (index: number) => string
  readonly self: (type: SelfSignalType) => string
  readonly query: (type: QueryType) => string
  readonly tier: (tier: TierName) => string
  readonly verdict: (type: OutputType) => string
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
  const selves = new Map(SelfSignalType.options.map((type) => [type, read(`self-${type}`)]))
  const queries = new Map(QueryType.options.map((type) => [type, read(`query-${type}`)]))
  const tiers = new Map(TierName.options.map((tier) => [tier, read(`tier-${tier}`)]))
  const self = (type: SelfSignalType) => selves.get(type) ?? variables.ink2
  const query = (type: QueryType) => queries.get(type) ?? variables.ink2
  const verdicts = new Map(OutputType.options.map((type) => [type, read(`verdict-${type}`)]))
  const verdict = (type: OutputType) => verdicts.get(type) ?? variables.ink2
  const tier = (name: TierName) => tiers.get(name) ?? variables.ink2
  return {
    ...variables,
    theme,
    font,
    found: read('mark'),
    domain,
    code,
    self,
    query,
    tier,
    verdict,
    tint: TINT[theme],
  }
}
