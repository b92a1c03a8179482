import type { TokenBudget } from '../../../core/engine/schema/bundle.ts'
import type { BuildReport, BundleMeasure } from '../../../core/engine/schema/bundle-report.ts'
import { TIERS } from './lane.ts'
import { Section } from '../../ui/bits.tsx'
import { count } from '../../ui/format.ts'
import { againstReal } from '../budget/budget-parts.ts'
import { TIER_LOOKS } from './tier-words.ts'

const REAL = 'o200k_base'
const NAMES: Readonly<Record<string, string>> = {
  words13: 'words × 1.3',
  chars4: 'characters ÷ 4',
  larger: 'larger of the two',
  o200k_base: 'tokenizer o200k_base',
}

export function estimatorName(name: string): string {
  return NAMES[name] ?? name
}

interface Props {
  readonly measures: readonly BundleMeasure[]
  readonly report: BuildReport
  readonly budgets: TokenBudget
  readonly words: readonly string[]
}

/** The same prompt by every estimator and the real tokenizer, and what the difference means. */
export function Counted({ measures, report, budgets, words }: Props) {
  const real = measures.find(({ estimator }) => estimator === REAL)
  const own = measures.find(({ estimator }) => estimator === report.estimator)
  return (
    <Section title="Ways of counting" aside="tokens of this prompt">
      <table className="table sizes counts">
        <thead>
          <tr>
            <th scope="col">counted with</th>
            {TIERS.map((tier) => (
              <th key={tier} scope="col">
                {TIER_LOOKS[tier].name}
              </th>
            ))}
            <th scope="col">prompt</th>
          </tr>
        </thead>
        <tbody>
          {measures.map((measure) => (
            <tr key={measure.estimator}>
              <th scope="row">
                {estimatorName(measure.estimator)}
                {measure.estimator === report.estimator && (
                  <span className="quiet">decides here</span>
                )}
                {measure.estimator === REAL && <span className="quiet">the real size</span>}
              </th>
              {TIERS.map((tier) => (
                <Cell key={tier} measure={measure} tier={tier} budgets={budgets} />
              ))}
              <td className={`num${measure.overContext ? ' over' : ''}`}>
                {measure.overContext && <span title="over context minus answer">▲ </span>}
                <strong>{count(measure.total)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {real && own && own !== real && (
        <p className="margin">
          {estimatorName(own.estimator).replace(/^l/u, 'L')} says {count(own.total)} for what the
          tokenizer counts as {count(real.total)}:{' '}
          <strong>{againstReal(own.total, real.total)} the real size</strong>.
        </p>
      )}
      {words.length > 0 && <Words words={words} />}
    </Section>
  )
}

const CAP = {
  tier0: 'tier0_reserved',
  tier1: 'tier1_cap',
  history: 'history_cap',
  telemetry: 'telemetry_cap',
} as const

interface CellProps {
  readonly measure: BundleMeasure
  readonly tier: (typeof TIERS)[number]
  readonly budgets: TokenBudget
}

function Cell({ measure, tier, budgets }: CellProps) {
  const used = measure.tiers.find((one) => one.tier === tier)?.used ?? 0
  const over = measure.over.includes(tier)
  return (
    <td
      className={`num${over ? ' over' : ''}`}
      title={over ? `over its ${count(budgets[CAP[tier]])}` : undefined}
    >
      {over && '▲ '}
      {count(used)}
    </td>
  )
}

/** Sentences about what is cut and what really overflows. */
export function Words({ words }: { readonly words: readonly string[] }) {
  return (
    <ul className="overflow-words mb-8 stack text-s gap-3">
      {words.map((sentence) => (
        <li key={sentence} className="flex gap-7">
          <span className="no-shrink warn" aria-hidden>
            {sentence.includes('really') ? '▽' : '▼'}
          </span>
          {sentence.charAt(0).toUpperCase() + sentence.slice(1)}.
        </li>
      ))}
    </ul>
  )
}
