import { useId, useMemo } from 'react'
import type { BuildReport } from '../../../core/engine/schema/bundle-report.ts'
import { BundleEstimatorName, type TokenBudget } from '../../../core/engine/schema/bundle.ts'
import { Button } from '../../ui/button.tsx'
import { Input, Select, Slider } from '../../ui/form.tsx'
import { count, counted } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { nearestTo } from '../../ui/sorted.ts'
import { NOTHING_TRIED, type Tried } from './bundle.ts'
import { estimatorName } from './counted.tsx'
import { LIMITS, limitsThatFit, tokenStops, withLimit } from './tier-words.ts'

interface Props {
  readonly tried: Tried
  readonly change: (tried: Tried) => void
  /** In force now, tried ones included. */
  readonly budgets: TokenBudget | null
  readonly report: BuildReport | null
  readonly preset: string
  /** Scope of the limits, for the title. */
  readonly aside: string
}

/** Sliders for every limit and a choice of estimator. Every change rebuilds immediately. */
export function Limits({ tried, change, budgets, report, preset, aside }: Props) {
  const id = useId()
  const moved = Object.keys(tried.budgets).length + (tried.estimator === null ? 0 : 1)
  return (
    <Section title="Try other limits" aside={aside}>
      <div className="limits stack gap-6">
        {LIMITS.map((limit) => (
          <LimitRow
            key={limit.field}
            limit={limit}
            tried={tried}
            change={change}
            budgets={budgets}
            report={report}
          />
        ))}
        <div className="limit stack text-s center-items">
          <label className="truncate dim" htmlFor={id}>
            Counted with
          </label>
          <Select
            id={id}
            className="field-small select"
            value={tried.estimator}
            options={[null, ...BundleEstimatorName.options]}
            words={(name) =>
              name === null ? `as the step or ${preset} says` : estimatorName(name)
            }
            onChoose={(estimator) => change({ ...tried, estimator })}
          />
        </div>
      </div>
      <div className="limit-foot row wrap text-s">
        <Button small disabled={moved === 0} onClick={() => change(NOTHING_TRIED)}>
          Reset to the preset’s
        </Button>
        {report?.overflow === true && !report.tier0OverContext && (
          <Button
            small
            onClick={() => change({ ...tried, budgets: limitsThatFit(report, tried.budgets) })}
          >
            Make everything fit
          </Button>
        )}
        <span className="quiet">
          {moved === 0
            ? 'Nothing is saved.'
            : `${counted(moved, 'limit')} tried, nothing is saved.`}
        </span>
      </div>
    </Section>
  )
}

type RowProps = Pick<Props, 'tried' | 'change' | 'budgets' | 'report'> & {
  readonly limit: (typeof LIMITS)[number]
}

function LimitRow({ limit, tried, change, budgets, report }: RowProps) {
  const id = useId()
  const { field, tier, name, about } = limit
  const value = tried.budgets[field] ?? budgets?.[field] ?? 0
  const fits =
    field === 'ctx_max_tokens'
      ? (report?.fitsAtContext ?? 0)
      : (report?.tiers.find((one) => one.tier === tier)?.fitsAtCap ?? 0)
  const top = Math.max(limit.top, fits * 1.25, value)
  const stops = useMemo(() => tokenStops(top), [top])
  const put = (next: number) => change({ ...tried, budgets: withLimit(tried.budgets, field, next) })
  const isTried = tried.budgets[field] !== undefined
  const short = fits > value && tier !== 'tier0'
  return (
    <div className={`stack text-s center-items limit${isTried ? ' limit-tried' : ''}`}>
      <label className="truncate dim" htmlFor={id} title={about}>
        {name}
        {isTried && <span className="visually-hidden"> (tried)</span>}
      </label>
      <Slider
        aria-label={`${name}, slider`}
        aria-valuetext={counted(value, 'token')}
        max={stops.length - 1}
        value={nearestTo(stops, value)}
        onSlide={(stop) => put(stops[stop] ?? value)}
      />
      <Input
        className="field-small num"
        id={id}
        inputMode="numeric"
        value={String(value)}
        onText={(text) => {
          const digits = text.replace(/\D/gu, '').slice(0, 9)
          put(digits === '' ? 0 : Number(digits))
        }}
      />
      <Button
        kind="link"
        className="limit-fit text-xs num"
        hidden={!short}
        title={`${name}: ${count(fits)} holds it whole`}
        onClick={() => put(fits)}
      >
        fits at {count(fits)}
      </Button>
    </div>
  )
}
