import { useMemo } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { type Scores, movedHits } from './scores.ts'
import { turnOf } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { counted } from '../../ui/format.ts'
import { CollectionName } from '../probe/collection-name.tsx'
import { openMessage } from './open-message.ts'

interface Props {
  readonly scores: Scores
  readonly threshold: number
  readonly shown: boolean
  readonly onShown: (shown: boolean) => void
}

const MOST = 60

/** Hits that appear and disappear, the nearest to the threshold first; each leads to its message. */
export function MovedList({ scores, threshold, shown, onShown }: Props) {
  const moved = useMemo(() => movedHits(scores, threshold), [scores, threshold])
  const columns = useApp((state) => valueOf(state.session.replay)?.columns)
  if (moved.length === 0)
    return <p className="quiet text-s">No hit appears or disappears at this threshold.</p>
  return (
    <details
      className="plab-moved text-s"
      open={shown}
      onToggle={(event) => onShown(event.currentTarget.open)}
    >
      <summary>{counted(moved.length, 'hit')} moved, the nearest to the threshold first</summary>
      <table className="metric-table" aria-label="Hits that appear and disappear">
        <tbody>
          {moved.slice(0, MOST).map(({ row, seq, phrase, collection, reach, kind }) => {
            const turn = columns && turnOf(columns, seq)
            return (
              <tr key={row}>
                <td className={kind === 'new' ? 'good' : 'bad'}>
                  {kind === 'new' ? '+ appears' : '− disappears'}
                </td>
                <td className="num">{reach.toFixed(3)}</td>
                <th scope="row" className="truncate plab-phrase" title={phrase}>
                  {phrase}
                </th>
                <td>
                  <CollectionName name={scores.collections[collection] ?? ''} />
                </td>
                <td>
                  <button type="button" className="link num" onClick={() => openMessage(seq)}>
                    {turn === undefined ? `event ${seq + 1}` : `turn ${turn + 1}`}
                  </button>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {moved.length > MOST && <p className="quiet">and {counted(moved.length - MOST, 'other')}</p>}
    </details>
  )
}
