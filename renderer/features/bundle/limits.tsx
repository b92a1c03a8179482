import { useId, useMemo } from 'react'
import { BundleEstimatorName, type TokenBudget } from '../../../core/engine/schema/bundle.ts'
import type { BuildReport } from '../../../core/engine/schema/bundle-report.ts'
import { type Tried, NOTHING_TRIED } from './bundle.ts'
import { Section } from '../../ui/bits.tsx'
import { count, counted } from '../../ui/format.ts'
import { estimatorName } from './counted.tsx'
import { LIMITS, limitsThatFit, stopOf, tokenStops, withLimit } from './tier-words.ts'

interface Props {
  readonly tried: Tried
  readonly change: (tried: Tried) => void
  /** In force now, tried ones included. */
  readonly budgets: TokenBudget | null
  readonly report: BuildReport | null
  readonly preset: string
  /** What it applies to, for its title. */
  readonly aside: string
}

/** Sliders for every limit and a choice of estimator; whatever is moved is built again at once. */
export function Limits({ tried, change, budgets, report, preset, aside }: Props) {
  const id = useId()
  const moved = Object.keys(tried.budgets).length + (tried.estimator === null ? 0 : 1)
  return (
    <Section title="Try other limits" aside={aside}>
      <div className="limits stack gap-6">
        {LIMITS.map((limit) => (
          <LimitRow key={limit.field} {...{ limit, tried, change, budgets, report }} />
        ))}
        <div className="limit stack text-s center-items">
          <label className="truncate dim" htmlFor={id}>
            Counted with
          </label>
          <select
            id={id}
            className="field field-small select"
            value={tried.estimator ?? ''}
            onChange={(event) => {
              const estimator =
                BundleEstimatorName.options.find((name) => name === event.target.value) ?? null
              change({ ...tried, estimator })
            }}
          >
            <option value="">as the step or {preset} says</option>
            {BundleEstimatorName.options.map((name) => (
              <option key={name} value={name}>
                {estimatorName(name)}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div className="limit-foot row wrap text-s">
        <button
          type="button"
          className="button button-small"
          disabled={moved === 0}
          onClick={() => change(NOTHING_TRIED)}
        >
          Reset to the preset’s
        </button>
        {report?.overflow === true && !report.tier0OverContext && (
          <button
            type="button"
            className="button button-small"
            onClick={() => change({ ...tried, budgets: limitsThatFit(report, tried.budgets) })}
          >
            Make everything fit
          </button>
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
      <input
        type="range"
        aria-label={`${name}, slider`}
        aria-valuetext={counted(value, 'token')}
        min={0}
        max={stops.length - 1}
        step={1}
        value={stopOf(stops, value)}
        onChange={(event) => put(stops[Number(event.target.value)] ?? value)}
      />
      <input
        id={id}
        className="field field-small num"
        inputMode="numeric"
        value={String(value)}
        onChange={(event) => {
          const digits = event.target.value.replace(/\D/gu, '').slice(0, 9)
          put(digits === '' ? 0 : Number(digits))
        }}
      />
      <button
        type="button"
        className="link limit-fit text-xs num"
        hidden={!short}
        title={`${name}: ${count(fits)} holds it whole`}
        onClick={() => put(fits)}
      >
        fits at {count(fits)}
      </button>
    </div>
  )
}
