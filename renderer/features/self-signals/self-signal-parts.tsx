import { Check, X } from 'lucide-react'
import type { SelfSignalTrace } from '../../../core/engine/schema/answer-trace.ts'
import type { SelfSignalState } from '../../../core/engine/schema/self-signal.ts'
import { Pressable } from '../../ui/button.tsx'
import { ChangeTable, DataTable } from '../../ui/data-table.tsx'
import { counted } from '../../ui/format.ts'
import { Chip, Section } from '../../ui/parts.tsx'
import { DIAGNOSTIC_WORDS, fieldText, fieldType } from '../../views/self-signals/answer-words.ts'
import { SELF_WORDS } from './lane.ts'

interface Props {
  readonly trace: SelfSignalTrace
}

/** The fields of the block with their types. Filled-in defaults are marked. */
export function Fields({ trace }: Props) {
  const { signal } = trace
  if (!signal) return null
  const entries = Object.entries(signal.fields)
  return (
    <Section title="Fields" aside={counted(entries.length, 'field')}>
      <DataTable
        className="table fields"
        rows={entries}
        keyOf={([name]) => name}
        columns={[
          { isName: true, cell: ([name]) => name },
          {
            className: 'field-type',
            cell: ([name, value]) => {
              const part = signal.parts.find((one) => one.name === name)
              return (
                <>
                  {part?.type ?? fieldType(value)}
                  {!part && <span title="Not in the block: the default"> · default</span>}
                </>
              )
            },
          },
          { className: 'break-words pre-wrap', cell: ([, value]) => fieldText(value) },
        ]}
      />
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

/** Suspicious findings in the response. A click points at their place in the text. */
export function Diagnostics({ trace, pointed, onPoint }: DiagnosticsProps) {
  if (trace.diagnostics.length === 0) return null
  return (
    <Section title="Diagnostics" aside="a click points at the text">
      <ul className="diagnostics stack gap-2">
        {trace.diagnostics.map(({ code, field, message, span }, at) => (
          <li key={at}>
            <Pressable
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
            </Pressable>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The agent's claims against the evidence in the session. */
export function Claims({ trace }: Props) {
  if (trace.claims.length === 0) return null
  return (
    <Section title="Claimed against observed">
      <DataTable
        className="table claims"
        rows={trace.claims}
        keyOf={({ claim }) => claim}
        rowProps={({ agrees }) => ({ className: agrees ? '' : 'disagrees' })}
        columns={[
          { head: 'claimed', cell: ({ claim }) => claim },
          { head: 'observed', cell: ({ observed }) => observed },
          {
            cell: ({ agrees }) =>
              agrees ? (
                <Check size={14} aria-label="they agree" />
              ) : (
                <X size={14} aria-label="they do not agree" />
              ),
          },
        ]}
      />
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
      <ChangeTable
        num
        rows={COUNTERS.map(([what, tell]) => [what, tell(trace.before), tell(trace.after)])}
      />
    </Section>
  )
}
