import { ArrowRight } from 'lucide-react'
import { NEVER_STRONG } from '../../../core/engine/schema/never-strong.ts'
import type { EVENT_CODES } from '../../../core/engine/schema/replay.ts'
import type { TurnTrace } from '../../../core/engine/schema/trace.ts'
import { valueOf } from '../../app/async-data.ts'
import type { OfTurn } from '../../app/feature.ts'
import { otherSide } from '../../app/verdicts.ts'
import { useApp } from '../../app/use-store.ts'
import { flipAt } from '../../timeline/data.ts'
import { Domain, Swatch } from '../../ui/domain.tsx'
import { counted } from '../../ui/format.ts'
import { Name } from '../../ui/name.tsx'
import { useLook } from '../../ui/use-look.ts'

type Event = (typeof EVENT_CODES)[number]

/** Effect of momentum, in a word that can be read from the back row. */
export const EVENT_WORDS: Readonly<Record<Event, string>> = {
  same: 'goes on',
  accept: 'accepted',
  hold: 'held',
  resist: 'resisted',
  widen: 'widened',
  break: 'broken',
}

/** Primary and secondary with their colours and letters. */
export function Signature({ trace }: { readonly trace: Pick<TurnTrace, 'primary' | 'secondary'> }) {
  return (
    <span className="stage-signature row wrap">
      <Swatch domain={trace.primary.domain} />
      <Name text={trace.primary.domain} />
      {trace.secondary && (
        <span className="stage-second row wrap">
          + <Swatch domain={trace.secondary.domain} /> <Name text={trace.secondary.domain} />
        </span>
      )}
    </span>
  )
}

const MOST_BARS = 4

/** [U137] The turn's decision, the reason, and the scores of the domains. */
export function Decided({ trace }: OfTurn) {
  const look = useLook()
  const matched = trace.domains
    .filter((domain) => domain.matched > 0)
    .toSorted((a, b) => (a.rank ?? 99) - (b.rank ?? 99) || b.matched - a.matched)
  const widest = Math.max(1, ...matched.map((domain) => domain.matched))
  return (
    <div className="stage-decided stack" tabIndex={0} role="region" aria-label="Decision">
      <h2 className="stage-verdict">
        <Signature trace={trace} />
      </h2>
      <p className="stage-reason">{trace.momentum.reason}</p>
      <Other trace={trace} />
      {matched.length === 0 ? (
        <p className="stage-reason quiet">No signal of any domain matched.</p>
      ) : (
        <ul className="stage-bars" aria-label="Signals matched in this text">
          {matched.slice(0, MOST_BARS).map((domain) => (
            <li key={domain.domain}>
              <Domain name={domain.domain} />
              <span className="stage-bar on-panel2">
                <i
                  style={{
                    width: `${(100 * domain.matched) / widest}%`,
                    background: look(domain.domain).color,
                  }}
                />
              </span>
              <strong className="num">{counted(domain.matched, 'signal')}</strong>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The compared side's decision for the turn, if it differs. */
function Other({ trace }: OfTurn) {
  const replayed = useApp((state) => valueOf(state.session.replay))
  const flip = replayed?.compare ? flipAt(replayed.flips, trace.turn) : undefined
  const there = replayed && flip && otherSide(replayed, flip.other)
  if (!there) return null
  return (
    <p className="stage-other row wrap">
      <span>{replayed.other?.name ?? 'The other side'}</span>
      <ArrowRight size={22} aria-label="decides" />
      <Domain name={there.primary} strong />
      {there.secondary !== null && <span>+ {there.secondary}</span>}
    </p>
  )
}

/** [U137] Number of turns that the signature has held, the effect of momentum on this turn, and the turns around it. */
export function Momentum({ trace }: OfTurn) {
  const { momentum } = trace
  const { before, after, threshold, resisted } = momentum
  const strength = after.momentum >= threshold ? 'strong' : 'weak'
  return (
    <div className="stage-momentum stack" tabIndex={0} role="region" aria-label="Momentum">
      <p className="stage-number row">
        <span className="num quiet">{before.momentum}</span>
        <ArrowRight size={56} aria-label="becomes" className="quiet" />
        <strong className="num">{after.momentum}</strong>
        <span className="stage-event" data-event={momentum.event}>
          {EVENT_WORDS[momentum.event]}
        </span>
      </p>
      <p className="stage-reason">
        <strong>{after.signature}</strong>
        {threshold < NEVER_STRONG && ` is ${strength}: from ${threshold} on momentum is strong`}.
      </p>
      <p className="stage-reason">{momentum.reason}</p>
      {resisted && (
        <p className="stage-other row wrap">
          <span>held off</span> <Domain name={resisted.domain} strong />
          <span className="num">{counted(resisted.confidence, 'signal')}</span>
        </p>
      )}
    </div>
  )
}
