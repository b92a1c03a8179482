import { count } from '../../ui/format.ts'

/** A share with its counts: `83 % of 12`; never a number of its own (T55). */
export function Share({ hits, of }: { readonly hits: number; readonly of: number }) {
  if (of === 0)
    return (
      <span className="share nowrap quiet" title="None of 0">
        –
      </span>
    )
  return (
    <span className="share nowrap num" title={`${count(hits)} of ${count(of)}`}>
      {percent(hits / of)} <span className="quiet">of {count(of)}</span>
    </span>
  )
}

/** Whole percent; one decimal where rounding would hide that it is not all or nothing. */
function percent(value: number): string {
  const shown = value * 100
  const whole = Math.round(shown)
  const hides = (whole === 100 && value < 1) || (whole === 0 && value > 0)
  return `${hides ? shown.toFixed(1) : whole} %`
}
