import { reasonWords } from '../../../core/engine/lab/queue/words.ts'
import type { QueueItem } from '../../../core/engine/schema/queue.ts'
import { valueOf } from '../../app/async-data.ts'
import { useApp } from '../../app/use-store.ts'
import { Empty } from '../../ui/answered.tsx'
import { Domain } from '../../ui/domain.tsx'
import { count } from '../../ui/format.ts'
import { KeysNote } from '../../views/label/keys-note.tsx'
import { LabelChoices } from '../../views/label/label-choices.tsx'
import { UndoNote } from '../../views/label/undo-note.tsx'
import { useLab } from '../../stores/lab/store.ts'
import { type ListedTurn, currentItem, useQueue } from './list.ts'

/** The turn of the list that is in hand: its text, why it is here, and the keys of labels. */
export function TurnInHand() {
  const current = useQueue(currentItem)
  const selected = useApp((state) => state.view.selected)
  if (!current)
    return (
      <Empty of="dock" title="Take the first turn">
        <p>
          <kbd>n</kbd> goes to the next turn of the list. A digit labels it, and it leaves the list.
        </p>
      </Empty>
    )
  return (
    <div className="queue-turn column shrink-y scroll">
      <Why current={current} />
      {selected === current.turn.seq ? (
        <Choices current={current} />
      ) : (
        <Empty>Another event is selected. A click on the row comes back to this turn.</Empty>
      )}
    </div>
  )
}

function Choices({ current: { turn, item } }: { readonly current: ListedTurn }) {
  const label = useLab((state) => valueOf(state.labels)?.bySeq.get(turn.seq) ?? null)
  return (
    <>
      <KeysNote opens="U" />
      <LabelChoices seq={turn.seq} label={label} decided={item.decided} />
      <UndoNote />
    </>
  )
}

function Why({ current: { turn, item } }: { readonly current: ListedTurn }) {
  const title = useLab((state) => valueOf(state.corpus)?.sessions[turn.session]?.title ?? '')
  return (
    <div className="queue-why stack no-shrink line-below text-s gap-6 pad-8-12">
      <p className="quiet text-xs truncate">
        {title}, turn {count(turn.turn + 1)}
      </p>
      <p className="queue-text pre-wrap break-words scroll">{turn.excerpt}</p>
      <ul className="queue-reasons stack gap-3">
        {reasonWords(item).map((words) => (
          <li key={words}>{words}</li>
        ))}
        {item.readings.map(({ by, primary }) => (
          <li key={by}>
            {by}: <Domain name={primary} />
          </li>
        ))}
      </ul>
      {item.opinion && <Evidence opinion={item.opinion} />}
    </div>
  )
}

/** [L80] The evidence of a second opinion: the labeled turns most similar to this one. */
function Evidence({ opinion }: { readonly opinion: NonNullable<QueueItem['opinion']> }) {
  return (
    <ul className="queue-evidence stack gap-3 text-xs dim" aria-label="Labelled turns most like it">
      {opinion.nearest.map((one) => (
        <li key={`${one.session} ${one.turn}`} className="row gap-7">
          <span className="num quiet no-shrink" title="Cosine of the sentence vectors">
            {one.similarity.toFixed(2)}
          </span>
          <span className="no-shrink">
            <Domain name={one.primary} />
          </span>
          <span className="truncate">{one.excerpt.replaceAll(/\s+/gu, ' ')}</span>
        </li>
      ))}
    </ul>
  )
}
