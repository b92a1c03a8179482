import { Check, X } from 'lucide-react'
import type { SelfSignalTrace } from '../../../core/engine/schema/answer-trace.ts'
import type { SelfSignalState } from '../../../core/engine/schema/self-signal.ts'
import { SELF_WORDS } from './lanes.ts'
import { Chip, Section } from '../../ui/bits.tsx'
import { counted } from '../../ui/format.ts'
import { DIAGNOSTIC_WORDS, fieldText, fieldType } from './answer-words.ts'

interface Props {
  readonly trace: SelfSignalTrace
}

/** The fields of the block with their types; what was filled in says so. */
export function Fields({ trace }: Props) {
  const { signal } = trace
  if (!signal) return null
  const entries = Object.entries(signal.fields)
  return (
    <Section title="Fields" aside={counted(entries.length, 'field')}>
      <table className="table fields">
        <tbody>
          {entries.map(([name, value]) => {
            const part = signal.parts.find((one) => one.name === name)
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="field-type">
                  {part?.type ?? fieldType(value)}
                  {!part && <span title="Not in the block: the default"> · default</span>}
                </td>
                <td className="break-words pre-wrap">{fieldText(value)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {signal.dropped.length > 0 && (
        <p className="score-note">Left out: {signal.dropped.join(', ')}.</p>
      )}
    </Section>
  )
}

interface DiagnosticsProps extends Props {
  readonly pointed: number | null
  readonly onPoint: (at: number) => void
}

/** What is suspicious in the response; a click points at its place in the text. */
export function Diagnostics({ trace, pointed, onPoint }: DiagnosticsProps) {
  if (trace.diagnostics.length === 0) return null
  return (
    <Section title="Diagnostics" aside="a click points at the text">
      <ul className="diagnostics stack gap-2">
        {trace.diagnostics.map(({ code, field, message, span }, at) => (
          <li key={at}>
            <button
              type="button"
              className="diagnostic line-button flex baseline"
              aria-pressed={at === pointed}
              onClick={() => onPoint(at)}
            >
              <Chip tone="warn">{DIAGNOSTIC_WORDS[code]}</Chip>
              {field !== null && <code className="mono">{field}</code>}
              <span className="grow">{message}</span>
              <span className="num quiet">
                {span[0]}–{span[1]}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What the agent claims against what the session shows. */
export function Claims({ trace }: Props) {
  if (trace.claims.length === 0) return null
  return (
    <Section title="Claimed against observed">
      <table className="table claims">
        <thead>
          <tr>
            <th scope="col">claimed</th>
            <th scope="col">observed</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {trace.claims.map(({ claim, observed, agrees }) => (
            <tr key={claim} className={agrees ? '' : 'disagrees'}>
              <td>{claim}</td>
              <td>{observed}</td>
              <td>
                {agrees ? (
                  <Check size={14} aria-label="they agree" />
                ) : (
                  <X size={14} aria-label="they do not agree" />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

const COUNTERS: ReadonlyArray<readonly [string, (state: SelfSignalState) => string]> = [
  ['emitted so far', (state) => String(state.emitted)],
  ['last', ({ last }) => (last === null ? 'none yet' : SELF_WORDS[last.type].words)],
  ['last reason', ({ last }) => (last === null || last.reason === '' ? 'none' : last.reason)],
  ['same reason in a row', (state) => String(state.consecutiveSameReason)],
  ['responses without', (state) => String(state.turnsWithoutSignal)],
]

/** The counters that are carried from response to response. */
export function Counters({ trace }: Props) {
  return (
    <Section title="State">
      <table className="table states">
        <thead>
          <tr>
            <td />
            <th scope="col">before</th>
            <th scope="col">after</th>
          </tr>
        </thead>
        <tbody>
          {COUNTERS.map(([what, tell]) => {
            const before = tell(trace.before)
            const after = tell(trace.after)
            return (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td className="num">{before}</td>
                <td className={`num${before === after ? '' : ' changed'}`}>{after}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Section>
  )
}
