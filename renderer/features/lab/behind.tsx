import { X } from 'lucide-react'
import { type Answer, type Question, call } from '../../app/question.ts'
import { IconButton } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { type Behind, LAB, Studied, useStudy } from '../../views/lab/studied.tsx'
import { TurnTable } from '../../views/lab/turn-table.tsx'

type Listed = Answer<'lab.turns'> & { readonly total?: number }

const MOST = 500

interface BehindPaneProps {
  readonly behind: Behind
  readonly onClose: () => void
}

/** The turns behind the number that was chosen last. */
export function BehindPane({ behind, onClose }: BehindPaneProps) {
  const asked = useStudy((about): Question<Listed> => {
    if (behind.cell) return call('lab.cell', { ...about, cell: behind.cell, most: MOST }, LAB)
    const places = (behind.places ?? []).map(([session, turn]) => ({ session, turn }))
    return call('lab.turns', { ...about, places }, LAB)
  })
  return (
    <aside className="behind column no-shrink" aria-label={behind.title}>
      <header className="behind-head row no-shrink text-s on-panel">
        <h3 className="truncate grow" title={behind.title}>
          {behind.title}
        </h3>
        <IconButton icon={X} name="Close" onClick={onClose} />
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
