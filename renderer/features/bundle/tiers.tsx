import type { BuildReport, TierReport } from '../../../core/engine/schema/bundle-report.ts'
import { capital, count, counted } from '../../ui/format.ts'
import { Details, Section, SignChip } from '../../ui/parts.tsx'
import { TierDot } from './tier-bar.tsx'
import { STATE_LOOKS, TIER_LOOKS, tierColor } from './tier-words.ts'

/** Every tier against its limit: included text, cut text, and the limit at which all would fit. */
export function Tiers({ report }: { readonly report: BuildReport }) {
  return (
    <Section title="Tiers" aside={`counted with ${report.estimator}`}>
      <ul className="tiers stack">
        {report.tiers.map((tier) => (
          <Tier key={tier.tier} tier={tier} />
        ))}
      </ul>
    </Section>
  )
}

function Tier({ tier }: { readonly tier: TierReport }) {
  const look = TIER_LOOKS[tier.tier]
  const limit = tier.limitKind === 'cap' ? 'cap' : 'reserved'
  return (
    <li className="tier stack gap-5 one-column">
      <div className="tier-head row text-s gap-7">
        <TierDot of={tier.tier} />
        <strong title={look.about}>{look.name}</strong>
        <SignChip look={STATE_LOOKS[tier.state]} />
        <span className="grow" />
        <span className="num">
          <strong>{count(tier.used)}</strong>
          <span className="quiet">
            {' '}
            of {count(tier.limit)} {limit}
          </span>
        </span>
      </div>
      <CapBar tier={tier} />
      <Lost tier={tier} />
    </li>
  )
}

/** Used tokens against the limit, followed by a hatched part for the text left out. */
function CapBar({ tier }: { readonly tier: TierReport }) {
  const whole = Math.max(1, tier.limit, tier.whole)
  const percent = (tokens: number) => `${((tokens / whole) * 100).toFixed(3)}%`
  return (
    <div className="cap-bar" aria-hidden>
      <i style={{ left: 0, width: percent(tier.used), background: tierColor(tier.tier) }} />
      {tier.whole > tier.used && (
        <i
          className="cap-lost"
          style={{ left: percent(tier.used), width: percent(tier.whole - tier.used) }}
        />
      )}
      <b style={{ left: percent(tier.limit) }} />
    </div>
  )
}

function Lost({ tier }: { readonly tier: TierReport }) {
  const overReserved = tier.limitKind === 'reserved' && tier.used > tier.limit
  if (tier.state === 'whole' || tier.state === 'empty')
    return overReserved ? (
      <p className="tier-note text-s warn">
        {count(tier.used - tier.limit)} over its reservation: the other tiers have so much less.
      </p>
    ) : null
  return (
    <>
      <p className="tier-note text-s dim">
        {tier.truncated
          ? `${counted(tier.truncated.tokens, 'token')} (${counted(tier.truncated.chars, 'character')}) did not get in. `
          : `${capital(tier.why)}. `}
        <strong className="num">
          Fits at {counted(tier.fitsAtCap, 'token')}
          {` in a context of ${count(tier.fitsAtContext)}`}
        </strong>
        .
      </p>
      {tier.droppedCount > 0 && (
        <Details
          className="tier-dropped text-s"
          open={tier.droppedCount <= 4}
          summary={<>{counted(tier.droppedCount, 'item')} left out whole</>}
        >
          <ul className="far">
            {tier.dropped.map(({ what, tokens }, at) => (
              <li key={at}>
                <span className="truncate" title={what}>
                  {what}
                </span>
                <span className="num quiet">{counted(tokens, 'token')}</span>
              </li>
            ))}
            {tier.droppedCount > tier.dropped.length && (
              <li className="quiet">and {count(tier.droppedCount - tier.dropped.length)} more</li>
            )}
          </ul>
        </Details>
      )}
    </>
  )
}
