import { X } from 'lucide-react'
import { useMemo } from 'react'
import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { Input } from '../../../core/wire/rpc.ts'
import { count, counted } from '../../ui/format.ts'
import { Studied } from './studied.tsx'
import { TurnTable } from './turn-table.tsx'
import { askCall, useAbout, useAnswer } from './use-answer.ts'

type Cell = Input<TurnscopeContract, 'lab.cell'>['cell']

/** Turns behind a number: those of a cell, or places that somebody listed. */
export interface Behind {
  readonly title: string
  readonly cell?: Cell
  /** Session of the corpus and turn there. */
  readonly places?: ReadonlyArray<readonly [session: number, turn: number]>
}

const MOST = 500

/** The turns behind the number that was chosen last. */
export function BehindPane({
  behind,
  onClose,
}: {
  readonly behind: Behind
  readonly onClose: () => void
}) {
  const about = useAbout()
  const ask = useMemo(() => {
    if (!about) return null
    if (behind.cell) return askCall('lab.cell', { ...about, cell: behind.cell, most: MOST })
    const places = (behind.places ?? []).map(([session, turn]) => ({ session, turn }))
    return askCall('lab.turns', { ...about, places })
  }, [about, behind])
  const asked = useAnswer(ask)
  return (
    <aside className="behind column no-shrink" aria-label={behind.title}>
      <header className="behind-head row no-shrink text-s on-panel">
        <h3 className="truncate grow" title={behind.title}>
          {behind.title}
        </h3>
        <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
          <X size={14} aria-hidden />
        </button>
      </header>
      <Studied asked={asked} idle="Looking for the turns">
        {(answer) => (
          <>
            <p className="behind-count no-shrink text-xs num quiet">
              {'total' in answer && answer.total > answer.turns.length
                ? `the first ${count(answer.turns.length)} of ${counted(answer.total, 'turn')}`
                : counted(answer.turns.length, 'turn')}
            </p>
            <TurnTable turns={answer.turns} label={behind.title} />
          </>
        )}
      </Studied>
    </aside>
  )
}
