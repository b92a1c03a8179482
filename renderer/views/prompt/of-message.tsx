import type { ReactNode } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { selectSeq } from '../../app/select.ts'
import { turnOf } from '../../app/selectors.ts'
import type { ShownPrompt } from '../../app/store.ts'
import { useData } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Answered, Empty } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { queryAt } from '../../stores/self-signals/answer-selectors.ts'
import { prompt as shownPrompt } from '../../stores/self-signals/answers.ts'

interface Props {
  readonly children: (shown: ShownPrompt) => ReactNode
}

/** Content for the message that was being answered at the selection, shown once it is loaded. */
export function OfMessage({ children }: Props) {
  const answers = useApp((state) => state.session.answers)
  const prompt = useData(shownPrompt)
  const selected = useApp((state) => state.view.selected)
  return (
    <Answered data={answers} failure="else">
      {({ queries }) => {
        const seq = selected === null ? null : queryAt(queries.seq, selected)
        return seq === null ? (
          <Empty of="inspector">
            No message of a person stands at or before this event, so no prompt was composed.
          </Empty>
        ) : (
          <Answered data={prompt} stale={(shown) => shown.seq !== seq}>
            {children}
          </Answered>
        )
      }}
    </Answered>
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
        <Button kind="link" onClick={() => selectSeq(seq)}>
          Go to it
        </Button>
      )}
    </div>
  )
}
