import { PencilLine } from 'lucide-react'
import { whyWrong, wrongWords } from '../../../core/engine/lab/why/why-wrong.ts'
import type { TurnLabel } from '../../../core/engine/schema/label.ts'
import { has } from '../../app/api.ts'
import { selectSeq } from '../../app/select.ts'
import type { Row } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { replayedOf, type Verdict } from '../../app/verdicts.ts'
import { Button } from '../../ui/button.tsx'
import { Domain } from '../../ui/domain.tsx'
import { blamedFor, editBlamed } from './wrong.ts'

interface Props {
  readonly row: Row
  readonly verdict: Verdict
  readonly label: TurnLabel
}

/** [U75] Shown under a wrong turn: the correct domain, the decided one, the reason, and a link to the deciding rule. */
export function WrongLine({ row, verdict, label }: Props) {
  const replayed = useApp(replayedOf)
  if (!replayed) return null
  const { primary } = label
  const why = wrongWords(primary, whyWrong(replayed.columns, verdict.turn, primary))
  const blamed = blamedFor(row, verdict.primary, primary)
  const others = label.acceptable ?? []
  return (
    <span className="wrong-line row wrap text-s gap-8">
      <span className="inline-row gap-6">
        <span className="quiet">expected</span> <Domain name={primary} strong />
        {others.length > 0 && <span className="quiet">or {others.join(', ')}</span>}
      </span>
      <span className="inline-row gap-6">
        <span className="quiet">got</span> <Domain name={verdict.primary} />
        {verdict.secondary !== null && <span className="quiet">+ {verdict.secondary}</span>}
      </span>
      <span className="wrong-why dim">{why}</span>
      {has('edit') && (
        <Button
          small
          title={
            blamed.kind === 'signal'
              ? `Tune, at the signal of ${blamed.domain} that matched here`
              : `Tune, at the domain ${blamed.domain}: none of the answer’s signals matched here`
          }
          onClick={(event) => {
            event.stopPropagation()
            selectSeq(row.seq)
            editBlamed(blamed)
          }}
        >
          <PencilLine size={12} aria-hidden />
          {blamed.kind === 'signal' ? 'Edit that signal' : `Edit ${blamed.domain}`}
        </Button>
      )}
    </span>
  )
}
