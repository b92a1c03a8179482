import type { BuildReport } from '../../../core/engine/schema/bundle-report.ts'
import type { StepBar } from '../../../core/engine/schema/bundle-wire.ts'
import { TIERS } from './lane.ts'
import { count, counted } from '../../ui/format.ts'
import { TIER_LOOKS, tierColor, tierWord } from './tier-words.ts'

type Bar = Pick<StepBar, 'context' | 'reserve' | 'headroom' | 'framing' | 'tiers'>

export type Dotted = Parameters<typeof tierColor>[0] | 'reserve'

/**
 * The color dot of a tier, hatched for the space reserved for the answer. Without a tier, an empty space of the same
 * size.
 */
export function TierDot({ of }: { readonly of: Dotted | null | undefined }) {
  if (of === 'reserve') return <i className="tier-dot tier-reserve" aria-hidden />
  return (
    <i className="tier-dot" style={of ? { background: tierColor(of) } : undefined} aria-hidden />
  )
}

export function barOfReport(report: BuildReport): Bar {
  const used = (name: string) => report.tiers.find(({ tier }) => tier === name)?.used ?? 0
  const { context, generationReserve: reserve, headroom, framing } = report
  const tiers = {
    tier0: used('tier0'),
    tier1: used('tier1'),
    history: used('history'),
    telemetry: used('telemetry'),
  }
  return { context, reserve, headroom, framing, tiers }
}

/** Tiers end to end against the context. The space reserved for the answer is hatched at its end. */
export function TierBar({ bar, small = false }: { readonly bar: Bar; readonly small?: boolean }) {
  const { context, reserve, framing, tiers } = bar
  const used = TIERS.reduce((sum, tier) => sum + tiers[tier], framing)
  const whole = Math.max(1, context, used + reserve)
  const percent = (tokens: number) => `${((tokens / whole) * 100).toFixed(3)}%`
  let from = 0
  const pieces = [
    ...TIERS.map((tier) => [tier, tiers[tier]] as const),
    ['framing', framing] as const,
  ]
  const told = pieces.map(([name, tokens]) => `${tierWord(name)} ${count(tokens)}`).join(', ')
  return (
    <div
      className={`tier-bar${small ? ' tier-bar-small' : ''}`}
      role="img"
      aria-label={`${count(used)} of ${counted(context, 'token')}, ${count(reserve)} for the answer: ${told}`}
    >
      {pieces.map(([name, tokens]) => {
        const left = from
        from += tokens
        if (tokens === 0) return null
        return (
          <i
            key={name}
            title={`${tierWord(name)}: ${counted(tokens, 'token')}`}
            style={{ left: percent(left), width: percent(tokens), background: tierColor(name) }}
          />
        )
      })}
      <i
        className="tier-reserve"
        title={`kept for the answer: ${counted(reserve, 'token')}`}
        style={{ left: percent(Math.max(used, context - reserve)), width: percent(reserve) }}
      />
      {used + reserve > context && (
        <b style={{ left: percent(context) }} title={`the context ends at ${count(context)}`} />
      )}
    </div>
  )
}

/** Names and numbers of the bar above it. */
export function TierKey({ bar }: { readonly bar: Bar }) {
  const { headroom } = bar
  return (
    <ul className="tier-key wrap text-s dim flex num">
      {TIERS.map((tier) => (
        <li key={tier} className="inline-row gap-5" title={TIER_LOOKS[tier].about}>
          <TierDot of={tier} />
          {TIER_LOOKS[tier].name} <strong>{count(bar.tiers[tier])}</strong>
        </li>
      ))}
      <li className="inline-row gap-5" title="blank lines between tiers, and rounding">
        <TierDot of="framing" />
        framing <strong>{count(bar.framing)}</strong>
      </li>
      <li className="inline-row gap-5">
        <TierDot of="reserve" />
        for the answer <strong>{count(bar.reserve)}</strong>
      </li>
      <li className={headroom < 0 ? 'inline-row gap-5 bad bold' : 'inline-row gap-5'}>
        <TierDot of={null} />
        {headroom < 0 ? 'over by' : 'headroom'} <strong>{count(Math.abs(headroom))}</strong>
      </li>
    </ul>
  )
}
