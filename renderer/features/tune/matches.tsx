import { valueOf } from '../../app/async-data.ts'
import { rowOf } from './signals.ts'
import { useLab } from '../dock/store.ts'
import { count, counted } from '../../ui/format.ts'
import { TurnTable } from '../lab/turn-table.tsx'

/** Where the signal under the cursor matches, over the corpus. */
export function Matches() {
  const place = useLab((state) => state.signal)
  const data = useLab((state) => state.matches)
  const row = useLab((state) => rowOf(valueOf(state.signals) ?? [], state.signal))
  const found = valueOf(data)
  if (!place || !found)
    return (
      <p className="tune-hint pad-6-12 no-shrink text-xs line-above on-panel quiet">
        Put the cursor on a signal, or choose a row: its matches are listed here and stand out in
        the turns above.
      </p>
    )
  return (
    <section
      className={
        found.turns.length > 0
          ? 'tune-matches column no-shrink line-above'
          : 'tune-matches column no-shrink line-above tune-matches-none'
      }
      aria-label="Matches of the signal"
      aria-busy={data.status === 'loading'}
    >
      <p className="tune-matches-head pad-5-12 no-shrink text-s line-below on-panel num">
        <strong>{row?.id ?? `${place.domain} ${place.index + 1}`}</strong> matches{' '}
        {counted(found.total, 'turn')}
        {found.total > found.turns.length && `, the first ${count(found.turns.length)} below`}
        {found.cutOff > 0 && ` · cut off by the watchdog on ${counted(found.cutOff, 'text')}`}
      </p>
      {found.problem !== null ? (
        <p className="bad">{found.problem}</p>
      ) : (
        found.turns.length > 0 && <TurnTable turns={found.turns} label="Turns that match" />
      )}
    </section>
  )
}
