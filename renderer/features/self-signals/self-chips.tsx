import { FallbackAction, SelfSignalType } from '../../../core/engine/schema/self-signal.ts'
import { valueOf } from '../../app/async-data.ts'
import type { Row } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { counted } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { responseAt } from '../../stores/self-signals/answer-selectors.ts'
import { ACTION_WORDS } from '../../views/self-signals/answer-words.ts'
import { SELF_WORDS } from './lane.ts'

/** Compact self-signals of an agent response; empty if it has none. */
export function SelfChips({ row }: { readonly row: Row }) {
  return row.kind === 'agent' && <Chips seq={row.seq} />
}

function Chips({ seq }: { readonly seq: number }) {
  const responses = useApp((state) => valueOf(state.session.answers)?.responses ?? null)
  const at = responses ? responseAt(responses, seq) : undefined
  if (!responses || at === undefined) return null
  const type = SelfSignalType.options[responses.type[at] ?? -1]
  const action = FallbackAction.options[responses.fallback[at] ?? -1]
  const isQuiet = responses.quiet[at] === 1
  const told = action === undefined ? '' : ` Fallback: ${ACTION_WORDS[action]}.`
  return (
    <span className="verdict-chips self-chips">
      {type && <TypeChip type={type} confidence={responses.confidence[at] ?? 0} />}
      {responses.stuck[at] === 1 && (
        <Chip tone="bad" title={`The same reason too many times in a row.${told}`}>
          circling
        </Chip>
      )}
      {responses.silent[at] === 1 && !isQuiet && (
        <Chip tone="warn" title={`Too many responses without a self-signal.${told}`}>
          silent
        </Chip>
      )}
      <FlawChip flaws={responses.diagnostics[at] ?? 0} />
    </span>
  )
}

function TypeChip(props: { readonly type: SelfSignalType; readonly confidence: number }) {
  const { sign, words, about } = SELF_WORDS[props.type]
  return (
    <Chip title={`Self-signal ${props.type}: the agent ${about}`}>
      <span style={{ color: `var(--self-${props.type})` }} aria-hidden>
        {sign}
      </span>
      <span className="truncate">{words}</span>
      <span className="num">{props.confidence.toFixed(2)}</span>
    </Chip>
  )
}

function FlawChip({ flaws }: { readonly flaws: number }) {
  if (flaws === 0) return null
  return (
    <Chip title="Something in this response has a diagnostic: see the Signals tab">
      {counted(flaws, 'diagnostic')}
    </Chip>
  )
}
