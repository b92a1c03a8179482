import { wilson } from '../../../core/engine/lab/metrics/interval.ts'
import { count } from '../../ui/format.ts'

interface Props {
  readonly hits: number
  readonly of: number
  /** [L84] Shows Wilson's interval; without it the interval is in the tooltip only. */
  readonly interval?: boolean
}

/** A share with its counts: `83 % of 12`; never a bare number (T55). */
export function Share({ hits, of, interval = false }: Props) {
  if (of === 0)
    return (
      <span className="share nowrap quiet" title="None of 0">
        –
      </span>
    )
  return (
    <>
      <span
        className="share nowrap num"
        title={`${count(hits)} of ${count(of)}, 95 % interval ${intervalWords(hits, of)}`}
      >
        {percent(hits / of)} <span className="quiet">of {count(of)}</span>
      </span>
      {interval && <span className="quiet text-xs"> [{intervalWords(hits, of)}]</span>}
    </>
  )
}

/** [L84] `12 to 34 %`. */
function intervalWords(hits: number, of: number): string {
  const { low, high } = wilson(hits, of) ?? { low: 0, high: 1 }
  return `${Math.round(low * 100)} to ${Math.round(high * 100)} %`
}

/** Whole percent; one decimal where rounding would hide that it is not all or nothing. */
function percent(value: number): string {
  const shown = value * 100
  const whole = Math.round(shown)
  const hides = (whole === 100 && value < 1) || (whole === 0 && value > 0)
  return `${hides ? shown.toFixed(1) : whole} %`
}
