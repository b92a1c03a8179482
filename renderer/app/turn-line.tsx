import { rowAt } from './rows.ts'
import { timeOf } from '../ui/format.ts'
import { Chip } from '../ui/parts.tsx'
import type { OfTurn } from './feature.ts'
import { KIND_LOOKS } from './event-kinds.ts'
import { useApp } from './use-store.ts'
import { shortName } from '../ui/visible.ts'

/** Which turn this is and which rule decided it. */
export function TurnLine({ trace }: OfTurn) {
  const row = useApp((state) => rowAt(state.session.windows, trace.seq))
  const parts = [
    KIND_LOOKS[trace.kind].word,
    shortName(row?.name ?? ''),
    timeOf(row?.at ?? null, true),
  ]
  return (
    <div className="turn-line">
      <div className="quiet truncate">
        <h2 className="turn-name">Turn {trace.turn + 1}</h2>
        {parts.filter((part) => part !== '').map((part) => ` · ${part}`)}
      </div>
      <span title="Rule of core/SPEC.md that decided, and what momentum did">
        <Chip>
          <span className="mono">
            {trace.momentum.rule} · {trace.momentum.event}
          </span>
        </Chip>
      </span>
    </div>
  )
}
