import type { CompiledDomain, DomainSet } from '../matcher/domains.ts'
import { keptIn } from '../maps.ts'
import { countSignals } from './weights.ts'
import type { Part, TieBreak } from '../schema/trace.ts'
import type { Rules } from './rules.ts'

/** A domain with matches. `score` = matched signals times the factors of anti-signals (L6). */
export interface DomainScore {
  readonly domain: string
  /** Place in the configuration: the last tie-break. */
  readonly order: number
  readonly priority: number
  /** Signals that matched, but for those that take the domain out (K15). */
  readonly matched: number
  /** [K14] Sum of the weights of the matched signals. Equals their number if no signal sets a weight. */
  readonly points: number
  readonly factor: number
  readonly score: number
  /** Indexes into the domain's signals. */
  readonly signals: readonly number[]
  /** [K15] Why the domain takes no part at all; null: it does. */
  readonly barred: 'excluded' | 'min_score' | null
}

/** The classification before momentum. */
export interface Scored {
  readonly primary: Part
  readonly secondary: Part | null
  readonly signature: string
  /** All domains with matches, ranked, also those that take no part. */
  readonly scores: readonly DomainScore[]
  /** Those that may become primary. */
  readonly ranked: readonly DomainScore[]
  /** Domains that may become secondary, including those with too few signals to be primary (L5). */
  readonly seconds: readonly DomainScore[]
}

export type Exclusion = 'default_yields' | 'min_signals' | NonNullable<DomainScore['barred']>

/** [C1] [C2] Score descending, then priority ascending, then configuration order. */
export function compareScores(
  a: Pick<DomainScore, 'score' | 'priority' | 'order'>,
  b: Pick<DomainScore, 'score' | 'priority' | 'order'>,
): number {
  return b.score - a.score || a.priority - b.priority || a.order - b.order
}

/**
 * [C1] Scores from the numbers of the signals that fired (ascending, domain by domain). `factors`
 * has a domain's product of anti-signal factors (L6). Domains without a match are left out.
 */
export function scoreDomains(
  set: DomainSet,
  fired: readonly number[],
  factors: ReadonlyMap<string, number>,
): readonly DomainScore[] {
  const scores: DomainScore[] = []
  let next = 0
  for (const domain of set.domains) {
    const end = domain.firstSignal + domain.signals.length
    const signals: number[] = []
    for (let signal = fired[next]; signal !== undefined && signal < end; signal = fired[next]) {
      signals.push(signal - domain.firstSignal)
      next += 1
    }
    const score = scoreDomain(domain, signals, factors.get(domain.name) ?? 1)
    if (score !== null) scores.push(score)
  }
  return scores.sort(compareScores)
}

/** [C1] The score of one domain from the indexes of its signals that fired; null: it does not match. */
export function scoreDomain(
  domain: CompiledDomain,
  signals: readonly number[],
  factor: number,
): DomainScore | null {
  if (signals.length === 0) return null
  const { matched, points, excluded } = countSignals(domain, signals)
  if (matched === 0) return null
  const { name, index: order, priority } = domain
  const score = points * factor
  const barred = excluded ? 'excluded' : score < (domain.minScore ?? 0) ? 'min_score' : null
  return { domain: name, order, priority, matched, points, factor, score, signals, barred }
}

/** Why a domain with matches cannot be primary: too few signals (L5), or default beside another (B5). */
export function exclusionOf(
  score: DomainScore,
  scores: readonly DomainScore[],
  rules: Rules,
): Exclusion | null {
  if (score.barred !== null) return score.barred
  const enough = (candidate: DomainScore): boolean =>
    candidate.barred === null && candidate.matched >= (rules.minSignals.get(candidate.domain) ?? 1)
  if (!enough(score)) return 'min_signals'
  const { defaultDomain, defaultDomainYields } = rules.options
  if (!defaultDomainYields || score.domain !== defaultDomain) return null
  const others = scores.some((other) => other.domain !== defaultDomain && enough(other))
  return others ? 'default_yields' : null
}

const SURROGATE = /[\ud800-\udfff]/

/** Text order of Python's `sorted`: by code point, not by UTF-16 unit. */
function compareNames(a: string, b: string): number {
  // Units order as code points do where neither name has a surrogate.
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : a > b ? 1 : 0
  const left = Array.from(a, (char) => char.codePointAt(0) ?? 0)
  const right = Array.from(b, (char) => char.codePointAt(0) ?? 0)
  const at = left.findIndex((code, index) => code !== right[index])
  if (at < 0) return left.length - right.length
  return (left[at] ?? 0) - (right[at] ?? -1)
}

/** Signatures are few, and are met on every turn: so many of each kind are remembered. */
const KEPT_SIGNATURES = 512
const formatted = new Map<string, Map<string, string>>()
const parsed = new Map<string, readonly string[]>()

/** Caches values by key. Clears the cache when it reaches `KEPT_SIGNATURES` entries. */
function remembered<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  const known = kept.get(key)
  if (known !== undefined) return known
  if (kept.size >= KEPT_SIGNATURES) kept.clear()
  return keptIn(kept, key, make)
}

/** [M5] [B11] Names in alphabetical order, joined by "+". */
export function formatSignature(primary: string, secondary: string | null): string {
  if (secondary === null) return primary
  const beside = remembered(formatted, primary, () => new Map<string, string>())
  return remembered(beside, secondary, () => joinNames([primary, secondary]))
}

function joinNames(names: readonly string[]): string {
  return names.toSorted(compareNames).join('+')
}

/** [M5] The domains of a signature. */
export function parseSignature(signature: string): readonly string[] {
  return remembered(parsed, signature, () => [...new Set(signature.split('+'))])
}

function partOf(score: DomainScore): Part {
  return { domain: score.domain, confidence: score.score, signals: score.signals }
}

/** This turn's evidence for a domain; 0 when it did not match (B3). */
export function evidenceFor(scores: readonly DomainScore[], domain: string): Part {
  const found = scores.find((score) => score.domain === domain)
  return found === undefined ? { domain, confidence: 0, signals: [] } : partOf(found)
}

/**
 * [C3] [C4] First and second of the ranking; the default domain with 0 when nothing takes part.
 * The second is the best of all others (L5 speaks of the primary only) and needs
 * `secondaryMinSignals`; no lead is required.
 */
export function extractCompound(scores: readonly DomainScore[], rules: Rules): Scored {
  const exclusions = scores.map((score) => exclusionOf(score, scores, rules))
  const ranked = scores.filter((_, at) => exclusions[at] === null)
  const seconds = scores.filter(
    ({ barred }, at) => barred === null && exclusions[at] !== 'default_yields',
  )
  const [first] = ranked
  const primary = first === undefined ? evidenceFor([], rules.options.defaultDomain) : partOf(first)
  const secondary = secondBeside(primary.domain, seconds, rules)
  const signature =
    rules.allTogether && ranked.length > 0
      ? joinNames(ranked.map(({ domain }) => domain))
      : formatSignature(primary.domain, secondary?.domain ?? null)
  return { primary, secondary, signature, scores, ranked, seconds }
}

/** [C4] The best domain other than the primary, if it has enough signals. */
export function secondBeside(
  primary: string,
  seconds: readonly DomainScore[],
  { options }: Rules,
): Part | null {
  const best = seconds.find((score) => score.domain !== primary)
  return best !== undefined && best.score >= options.secondaryMinSignals ? partOf(best) : null
}

/** [C2] Returns how a tie for the first place was decided; null if there was no tie. */
export function tieBreakOf(scored: Scored): TieBreak | null {
  const [first, second] = scored.ranked
  if (first === undefined || second?.score !== first.score) return null
  const between = scored.ranked.filter((other) => other.score === first.score)
  return {
    between: between.map((tied) => tied.domain),
    winner: first.domain,
    by: first.priority === second.priority ? 'order' : 'priority',
  }
}
