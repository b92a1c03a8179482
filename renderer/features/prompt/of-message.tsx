import type { ReactNode } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { prompt as shownPrompt } from '../self-signals/answers.ts'
import { queryAt } from '../self-signals/answer-selectors.ts'
import { selectSeq } from '../../app/select.ts'
import { turnOf } from '../../app/selectors.ts'
import type { ShownPrompt } from '../../app/store.ts'
import { useData } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'

interface Props {
  readonly children: (shown: ShownPrompt) => ReactNode
}

/** What belongs to the message that was being answered at the selection, once it is here. */
export function OfMessage({ children }: Props) {
  const oracle = useApp((state) => state.session.oracle)
  const prompt = useData(shownPrompt)
  const selected = useApp((state) => state.view.selected)
  const known = valueOf(oracle)
  if (!known)
    return oracle.status === 'failed' ? (
      <FailureNote failure={oracle.failure} />
    ) : (
      <InspectorSkeleton />
    )
  const seq = selected === null ? null : queryAt(known.queries.seq, selected)
  if (seq === null)
    return (
      <p className="inspector-empty quiet">
        No message of a person stands at or before this event, so no prompt was composed.
      </p>
    )
  if (prompt.status === 'failed') return <FailureNote failure={prompt.failure} />
  const shown = valueOf(prompt)
  if (!shown) return <InspectorSkeleton />
  const stale = shown.seq !== seq
  return (
    <div className={stale ? 'stale' : undefined} aria-busy={stale}>
      {children(shown)}
    </div>
  )
}

/** Which message the tab speaks of, with a way there when it is not the selected one. */
export function MessageLine({ seq }: { readonly seq: number }) {
  const selected = useApp((state) => state.view.selected)
  const columns = useApp((state) => valueOf(state.session.replay)?.columns)
  const turn = columns && turnOf(columns, seq)
  const name = turn === undefined ? `Event ${seq + 1}` : `Turn ${turn + 1}`
  return (
    <div className="turn-line">
      <div className="quiet truncate">
        <h2 className="turn-name">{name}</h2> · message of the person
        {selected !== seq && ' before the selection'}
      </div>
      {selected !== seq && (
        <button type="button" className="link" onClick={() => selectSeq(seq)}>
          Go to it
        </button>
      )}
    </div>
  )
}
