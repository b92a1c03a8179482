import { Check, Minus, TriangleAlert } from 'lucide-react'
import type { TurnTrace } from '../../../core/engine/schema/trace.ts'
import { chooseSignal } from '../../app/select.ts'
import { useApp } from '../../app/use-store.ts'
import { Pressable } from '../../ui/button.tsx'
import { counted } from '../../ui/format.ts'
import { Chip, Section, useFold } from '../../ui/parts.tsx'
import { shownDomain } from './shown-domain.ts'

type Signal = TurnTrace['domains'][number]['signals'][number]
const FOLDED = 6

/** Signals of one domain: which fired, how often, and which did not. */
export function Signals({ trace }: { readonly trace: TurnTrace }) {
  const chosen = useApp((state) => state.view.domain)
  const name = shownDomain(trace, chosen)
  const domain = trace.domains.find((entry) => entry.domain === name)
  const signals = domain?.signals ?? []
  const fired = signals.filter((signal) => signal.fired || signal.cutOff)
  const rest = signals.filter((signal) => !signal.fired && !signal.cutOff)
  const room = Math.max(2, FOLDED - fired.length)
  const [all, fold] = useFold(
    'Show fewer',
    `${counted(rest.length - room, 'more signal')} that did not fire`,
  )
  if (!domain) return null
  const shown = all ? rest : rest.slice(0, room)
  return (
    <Section
      title={`Signals of ${name}`}
      aside={`${fired.length} of ${domain.signals.length} fired`}
    >
      <ul className="signal-list">
        {[...fired, ...shown].map((signal) => (
          <SignalRow key={signal.index} domain={name} signal={signal} />
        ))}
        {domain.signals.length === 0 && <li className="quiet">This domain has no signals.</li>}
      </ul>
      {rest.length > room && fold}
    </Section>
  )
}

function SignalRow({ domain, signal }: { readonly domain: string; readonly signal: Signal }) {
  const pointed = useApp(
    (state) => state.view.domain === domain && state.view.signal === signal.index,
  )
  const state = signal.cutOff ? 'cut off' : signal.fired ? 'fired' : 'not fired'
  const Icon = signal.cutOff ? TriangleAlert : signal.fired ? Check : Minus
  return (
    <li>
      <Pressable
        className={`signal line-button row signal-${signal.cutOff ? 'cut' : signal.fired ? 'fired' : 'rest'}`}
        aria-pressed={pointed}
        disabled={!signal.fired}
        title={[
          signal.pattern,
          signal.note ?? '',
          signal.fired ? 'Click to point at its matches' : '',
        ]
          .filter((line) => line !== '')
          .join('\n')}
        onClick={() => chooseSignal(domain, signal.index)}
      >
        <Icon size={13} aria-label={state} />
        {signal.id !== null && <span className="signal-name truncate no-shrink">{signal.id}</span>}
        <code className="signal-pattern text-code truncate quiet">{signal.pattern}</code>
        {signal.dialect === 'js' && <Chip title="JavaScript dialect">js</Chip>}
        {signal.fired && (
          <span className="num quiet" title={counted(signal.count, 'match', 'matches')}>
            {signal.count}×
          </span>
        )}
      </Pressable>
      {signal.cutOff && (
        <p className="score-note">
          The watchdog stopped this pattern on this text: it took too long.
        </p>
      )}
    </li>
  )
}
