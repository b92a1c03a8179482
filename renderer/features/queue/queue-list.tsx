import { useMemo } from 'react'
import { reasonWords } from '../../../core/engine/lab/queue/words.ts'
import { valueOf } from '../../app/async-data.ts'
import { Swatch } from '../../ui/domain.tsx'
import { count } from '../../ui/format.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { alike, useRows } from '../../ui/use-rows.ts'
import { ExcerptText } from '../../views/find/excerpt-text.tsx'
import { useLab } from '../../stores/lab/store.ts'
import { type ListedTurn, keyOfTurn, openPlaces, showPlace, stepQueue, useQueue } from './list.ts'

const ROW_PX = 44

/** Turns without a label, two lines each: the text, and why it is here. A labelled one leaves with the next step. */
export function QueueList({ items }: { readonly items: readonly ListedTurn[] }) {
  const state = useQueue((whole) => whole)
  const places = useMemo(() => openPlaces(state), [state])
  const at = places.indexOf(state.at)
  const source = useMemo(() => alike(places.length, ROW_PX), [places.length])
  const view = useRows(source, { current: at })
  return (
    <ListFrame
      view={view}
      className="fill scroll relative"
      role="listbox"
      label="Turns to label"
      active={at >= view.from && at < view.to ? `queue-turn-${state.at}` : undefined}
      onStep={stepQueue}
      onEnter={() => showPlace(state.at < 0 ? (places[0] ?? -1) : state.at)}
    >
      {(nth) => {
        const place = places[nth]
        const item = place === undefined ? undefined : items[place]
        return (
          place !== undefined &&
          item && (
            <Row
              key={keyOfTurn(item)}
              item={item}
              place={place}
              selected={place === state.at}
              outcome={state.done.get(keyOfTurn(item)) ?? null}
            />
          )
        )
      }}
    </ListFrame>
  )
}

interface RowProps {
  readonly item: ListedTurn
  readonly place: number
  readonly selected: boolean
  readonly outcome: 'right' | 'wrong' | null
}

function Row({ item: { turn, item }, place, selected, outcome }: RowProps) {
  const title = useLab((state) => valueOf(state.corpus)?.sessions[turn.session]?.title ?? '')
  return (
    <div
      role="option"
      id={`queue-turn-${place}`}
      aria-selected={selected}
      className="queue-row stack text-s option pad-x-12"
      onClick={() => showPlace(place)}
    >
      <span className="row gap-7 shrink-y">
        <span className="quiet num no-shrink" title={`${title}, turn ${turn.turn + 1}`}>
          {count(place + 1)}
        </span>
        <Swatch domain={item.decided} />
        <span className="visually-hidden">decided {item.decided}</span>
        {outcome !== null && (
          <span className={outcome === 'wrong' ? 'bad no-shrink' : 'good no-shrink'}>
            {outcome === 'wrong' ? '✕ was wrong' : '✓ was right'}
          </span>
        )}
        <span className="truncate grow">
          <ExcerptText text={turn.excerpt.replaceAll('\n', ' ')} spans={turn.spans} />
        </span>
      </span>
      <span className="truncate quiet text-xs">{reasonText(item)}</span>
    </div>
  )
}

function reasonText(item: ListedTurn['item']): string {
  if (item.readings.length > 0)
    return item.readings.map(({ by, primary }) => `${by}: ${primary}`).join(', ')
  const words = reasonWords(item)
  return words.length === 0 ? `${item.decided}, without a reason to doubt it` : words.join('; ')
}
