import { ownOf } from '../../../core/engine/schema/own.ts'
import type { BuildReport, BundleMeasure } from '../../../core/engine/schema/bundle-report.ts'
import type { TokenBudget } from '../../../core/engine/schema/bundle.ts'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { capital, count } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { ESTIMATOR_WORDS, REAL, againstReal } from '../../views/budget/budget-parts.ts'
import { TIERS } from './lane.ts'
import { TIER_LOOKS } from './tier-words.ts'

export function estimatorName(name: string): string {
  return name === 'larger' ? 'larger of the two' : (ownOf(ESTIMATOR_WORDS, name) ?? name)
}

interface Props {
  readonly measures: readonly BundleMeasure[]
  readonly report: BuildReport
  readonly budgets: TokenBudget
  readonly words: readonly string[]
}

/** The same prompt counted by every estimator and the real tokenizer, with the meaning of the difference. */
export function Counted({ measures, report, budgets, words }: Props) {
  const real = measures.find(({ estimator }) => estimator === REAL)
  const own = measures.find(({ estimator }) => estimator === report.estimator)
  return (
    <Section title="Ways of counting" aside="tokens of this prompt">
      <DataTable
        className="table sizes counts"
        rows={measures}
        keyOf={({ estimator }) => estimator}
        columns={[
          {
            head: 'counted with',
            isName: true,
            cell: ({ estimator }) => (
              <>
                {estimatorName(estimator)}
                {estimator === report.estimator && <span className="quiet">decides here</span>}
                {estimator === REAL && <span className="quiet">the real size</span>}
              </>
            ),
          },
          ...TIERS.map((tier) => tierColumn(tier, budgets)),
          {
            head: 'prompt',
            className: ({ overContext }) => (overContext ? 'num over' : 'num'),
            cell: ({ overContext, total }) => (
              <>
                {overContext && <span title="over context minus answer">▲ </span>}
                <strong>{count(total)}</strong>
              </>
            ),
          },
        ]}
      />
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

function tierColumn(tier: (typeof TIERS)[number], budgets: TokenBudget): Column<BundleMeasure> {
  const isOver = ({ over }: BundleMeasure) => over.includes(tier)
  return {
    head: TIER_LOOKS[tier].name,
    className: (measure) => (isOver(measure) ? 'num over' : 'num'),
    title: (measure) => (isOver(measure) ? `over its ${count(budgets[CAP[tier]])}` : undefined),
    cell: (measure) => {
      const used = measure.tiers.find((one) => one.tier === tier)?.used ?? 0
      return `${isOver(measure) ? '▲ ' : ''}${count(used)}`
    },
  }
}

/** Sentences about cut text and real overflow. */
export function Words({ words }: { readonly words: readonly string[] }) {
  return (
    <ul className="overflow-words mb-8 stack text-s gap-3">
      {words.map((sentence) => (
        <li className="flex gap-7" key={sentence}>
          <span className="no-shrink warn" aria-hidden>
            {sentence.includes('really') ? '▽' : '▼'}
          </span>
          {capital(sentence)}.
        </li>
      ))}
    </ul>
  )
}
