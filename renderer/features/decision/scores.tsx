import { Check, Minus, SlidersHorizontal, TriangleAlert } from 'lucide-react'
import type { TurnTrace } from '../../../core/engine/schema/trace.ts'
import { has } from '../../app/api.ts'
import type { OfTurn } from '../../app/feature.ts'
import { chooseDomain, chooseSignal } from '../../app/select.ts'
import { useApp } from '../../app/use-store.ts'
import { IconButton, Pressable } from '../../ui/button.tsx'
import { Domain } from '../../ui/domain.tsx'
import { counted, joined, score } from '../../ui/format.ts'
import { Chip, Section, useFold } from '../../ui/parts.tsx'
import { useLook } from '../../ui/use-look.ts'
import { Name } from '../../ui/name.tsx'
import { shortCode, shortName } from '../../ui/visible.ts'
import { act } from '../../app/tell.ts'

/**
 * The domain whose signals are expanded: the chosen one, else the primary of this text alone. The evidence is in that
 * domain, also on turns that momentum held.
 */
function shownDomain(trace: TurnTrace, chosen: string | null): string {
  return (
    trace.domains.find(({ domain }) => domain === chosen)?.domain ?? trace.scored.primary.domain
  )
}

type Signal = TurnTrace['domains'][number]['signals'][number]
const FOLDED = 6

/** Signals of one domain: which fired, how often, and which did not. */
export function Signals({ trace }: OfTurn) {
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

interface SignalProps {
  readonly domain: string
  readonly signal: Signal
}

function TuneButton({ domain, signal: { id, index, pattern } }: SignalProps) {
  return (
    <IconButton
      className="signal-tune"
      icon={SlidersHorizontal}
      size={12}
      name={`Tune ${id ?? `signal ${index + 1}`}`}
      title="Open in Tune, at its line"
      onClick={() => act('edit-traced-signal', { domain, index, pattern, focus: true })}
    />
  )
}

function SignalRow({ domain, signal }: SignalProps) {
  const pointed = useApp(
    (state) => state.view.domain === domain && state.view.signal === signal.index,
  )
  const state = signal.cutOff ? 'cut off' : signal.fired ? 'fired' : 'not fired'
  const Icon = signal.cutOff ? TriangleAlert : signal.fired ? Check : Minus
  const hint = signal.fired ? 'Click to point at its matches' : ''
  return (
    <li className="signal-line">
      <Pressable
        className={`signal line-button row signal-${signal.cutOff ? 'cut' : signal.fired ? 'fired' : 'rest'}`}
        aria-pressed={pointed}
        disabled={!signal.fired}
        title={joined([signal.pattern, signal.note ?? '', hint], '\n')}
        onClick={() => chooseSignal(domain, signal.index)}
      >
        <Icon size={13} aria-label={state} />
        {signal.id !== null && <span className="signal-name truncate no-shrink">{signal.id}</span>}
        <code className="signal-pattern text-code truncate quiet">{shortCode(signal.pattern)}</code>
        <SignalChips signal={signal} />
        {signal.fired && (
          <span className="num quiet" title={counted(signal.count, 'match', 'matches')}>
            {signal.count}×
          </span>
        )}
      </Pressable>
      {has('edit') && <TuneButton domain={domain} signal={signal} />}
      {signal.cutOff && (
        <p className="score-note">
          The watchdog stopped this pattern on this text: it took too long.
        </p>
      )}
    </li>
  )
}

const DIALECTS: Partial<Record<Signal['dialect'], string>> = {
  js: 'JavaScript dialect',
  keyword: 'Stands in the text, without regard to case',
  glob: 'A path that the text names',
}

/** Dialect of the pattern, and its weight if that is not 1. */
function SignalChips({ signal: { dialect, weight, excludes } }: Pick<SignalProps, 'signal'>) {
  const about = DIALECTS[dialect]
  return (
    <>
      {about !== undefined && <Chip title={about}>{dialect}</Chip>}
      {excludes && <Chip title="A match takes the domain out of the turn">excludes</Chip>}
      {weight !== 1 && !excludes && <Chip title="What a match counts">× {weight}</Chip>}
    </>
  )
}

type DomainTrace = TurnTrace['domains'][number]

/** Matched signals of every domain in this text; domains without a match are folded away. */
export function Scores({ trace }: OfTurn) {
  const ranked = trace.domains.toSorted((a, b) => place(a) - place(b) || b.matched - a.matched)
  const matched = ranked.filter((domain) => domain.matched > 0)
  const rest = ranked.filter((domain) => domain.matched === 0)
  const [all, fold] = useFold(
    'Hide domains without a match',
    `${counted(rest.length, 'domain')} without a match`,
  )
  const widest = Math.max(1, ...matched.map((domain) => domain.matched))
  return (
    <Section title="Scores of this text" aside="signals matched / of">
      <ul className="scores">
        {matched.map((domain) => (
          <ScoreRow key={domain.domain} domain={domain} trace={trace} widest={widest} />
        ))}
        {matched.length === 0 && (
          <li className="quiet">
            No signal of any domain matched: the text alone is{' '}
            <Name text={trace.scored.primary.domain} />.
          </li>
        )}
        {all &&
          rest.map((domain) => (
            <ScoreRow key={domain.domain} domain={domain} trace={trace} widest={widest} />
          ))}
      </ul>
      {rest.length > 0 && fold}
      <Margin trace={trace} />
    </Section>
  )
}

function place(domain: DomainTrace): number {
  return domain.rank ?? Number.MAX_SAFE_INTEGER
}

const EXCLUDED: Record<NonNullable<DomainTrace['excluded']>, string> = {
  default_yields: 'yields: it is the default, and another domain matched',
  min_signals: 'too few signals to be primary under this preset',
  min_score: 'does not fire: below the least score of the file',
  excluded: 'does not fire: a pattern that excludes it matched',
}

interface ScoreRowProps {
  readonly domain: DomainTrace
  readonly trace: TurnTrace
  readonly widest: number
}

function ScoreRow({ domain, trace, widest }: ScoreRowProps) {
  const chosen = useApp((state) => state.view.domain)
  const look = useLook()
  const open = shownDomain(trace, chosen) === domain.domain
  const fractional = domain.factors.length > 0
  const weighed = !fractional && domain.matched > 0 && domain.score !== domain.matched
  return (
    <li>
      <Pressable
        className="score line-button stack center-items"
        aria-pressed={open}
        title={`Show the signals of ${shortName(domain.domain)}`}
        onClick={() => chooseDomain(domain.domain)}
      >
        <Domain name={domain.domain} />
        <span className="score-bar clip on-bg">
          <i
            style={{
              width: `${(domain.matched / widest) * 100}%`,
              background: look(domain.domain).color,
            }}
          />
        </span>
        <span className="num score-number text-end">
          <strong>{domain.matched}</strong>
          <span className="quiet">/{domain.signals.length}</span>
        </span>
      </Pressable>
      {fractional && (
        <p className="score-note">
          counts as <strong className="num">{score(domain.score)}</strong>:{' '}
          {domain.factors.map(({ pattern, factor }) => (
            <span key={pattern}>
              <Chip>× {factor}</Chip> <code>{pattern}</code>{' '}
            </span>
          ))}
        </p>
      )}
      {weighed && (
        <p className="score-note">
          counts as <strong className="num">{score(domain.score)}</strong> by the weights and groups
          of its signals
        </p>
      )}
      {domain.excluded && <p className="score-note">{EXCLUDED[domain.excluded]}</p>}
    </li>
  )
}

/** Clarity of the ranking, in words. */
function Margin({ trace }: OfTurn) {
  const { scored } = trace
  const said = [
    scored.primary.domain,
    ...(scored.secondary ? [`+ ${shortName(scored.secondary.domain)}`] : []),
  ].join(' ')
  const tie = scored.tieBreak
  return (
    <p className="margin">
      This text alone says <strong>{said}</strong>
      {scored.margin !== null && scored.margin > 0 && `, ahead by ${score(scored.margin)}`}
      {tie &&
        `, a tie of ${tie.between.join(' and ')}: ${tie.winner} wins by ${tie.by === 'priority' ? 'its priority' : 'its place in the configuration'}`}
      .
      {scored.ambiguous && (
        <>
          {' '}
          <Chip tone="warn" title="Shown and counted; the domain in force is decided as ever (B20)">
            ambiguous
          </Chip>{' '}
          {scored.ambiguous.between.map((name) => shortName(name)).join(' or ')}: a lead of{' '}
          {score(scored.ambiguous.lead)} against a margin of {score(scored.ambiguous.margin)}.
        </>
      )}
    </p>
  )
}
