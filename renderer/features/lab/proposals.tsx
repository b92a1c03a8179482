import { useState } from 'react'
import { kindWords, proposalId, proposalNote } from '../../../core/engine/lab/propose/words.ts'
import { measuredWords } from '../../../core/engine/lab/queue/words.ts'
import type { Proposal, Proposals } from '../../../core/engine/schema/proposal.ts'
import { valueOf } from '../../app/async-data.ts'
import { has } from '../../app/api.ts'
import { stream } from '../../app/question.ts'
import { Empty } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Domain } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { lab } from '../../stores/lab/store.ts'
import { addSignal } from '../../stores/drafts/draft.ts'
import { CorpusBasis } from '../../views/lab/basis.tsx'
import { forgetRejected, reject, useRejected } from './rejected.ts'
import { type StudyProps, LAB, Studied, useStudy } from '../../views/lab/studied.tsx'

const MOST = 40

const keyOf = ({ domain, pattern }: Proposal): string => `${domain} ${pattern}`

/** [L93] Adds a proposal to the draft of Tune, with an id and its source. Nothing is saved. */
function accept(proposal: Proposal, madeFrom: readonly string[]): void {
  const rows = valueOf(lab.getState().signals)?.rows ?? []
  const taken = rows.flatMap(({ domain, id }) => (domain === proposal.domain && id ? [id] : []))
  // [L101] From now on figures on these labels are marked.
  const named = {
    madeFrom: [...madeFrom],
    id: proposalId(proposal, new Set(taken)),
    note: proposalNote(proposal),
  }
  void addSignal(proposal.domain, proposal.pattern, named)
}

/** [L90] Signals suggested by labels, one key each: a adds a signal to the draft, x rejects it. */
export function ProposalsView(_: StudyProps) {
  const asked = useStudy((about) =>
    stream('queue.propose', { ...about, domain: null, most: MOST }, LAB),
  )
  return (
    <Studied asked={asked} idle="Trying signals on sources that they were not made from">
      {(found) => <Found found={found} />}
    </Studied>
  )
}

function Found({ found }: { readonly found: Proposals }) {
  const turnedDown = useRejected((state) => state.patterns)
  const open = found.proposals.filter((one) => !turnedDown.has(keyOf(one)))
  return (
    <>
      <p className="text-s dim pad-8-12">
        {found.note === null
          ? `${counted(found.labels, 'label')} of ${counted(found.sources, 'source')} in ${count(found.folds)} folds by source. Each signal was found without a fold and measured on it; ${count(found.refused)} of ${counted(found.tried, 'candidate')} did not win there and are not shown. Right now, on all labels (signals may have been made from them): ${measuredWords(found.right)}.`
          : `No proposals: ${found.note}.`}
      </p>
      <CorpusBasis />
      {turnedDown.size > 0 && (
        <p className="text-s dim pad-8-12">
          {counted(turnedDown.size, 'signal')} turned down.{' '}
          <Button small onClick={forgetRejected}>
            Propose them again
          </Button>
        </p>
      )}
      {open.length === 0 ? (
        <Empty>
          No suggestion helps on sessions that it was not made from. More labels may help.
        </Empty>
      ) : (
        <ProposalList proposals={open} madeFrom={found.madeFrom} />
      )}
    </>
  )
}

/** One row per signal. Arrows move, a accepts, x rejects. The next row moves up under the cursor. */
function ProposalList({ proposals, madeFrom }: Pick<Proposals, 'proposals' | 'madeFrom'>) {
  const [at, setAt] = useState(0)
  const place = Math.min(at, proposals.length - 1)
  const one = proposals[place]
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setAt(Math.min(proposals.length - 1, place + 1)),
    ArrowUp: () => setAt(Math.max(0, place - 1)),
    a: () => {
      if (one && has('edit')) accept(one, madeFrom)
    },
    x: () => {
      if (one) reject(keyOf(one))
    },
  }
  return (
    <div
      className="proposals scroll fill"
      role="listbox"
      aria-label="Proposed signals"
      aria-activedescendant={`proposal-${place}`}
      tabIndex={0}
      onKeyDown={(event) => {
        const act = keys[event.key]
        if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        event.stopPropagation()
        act()
      }}
    >
      {proposals.map((proposal, nth) => (
        <Row
          key={keyOf(proposal)}
          proposal={proposal}
          nth={nth}
          selected={nth === place}
          onSelect={() => setAt(nth)}
        />
      ))}
      <p className="quiet text-xs pad-8-12">
        <kbd>a</kbd> takes the marked signal into the draft of Tune, <kbd>x</kbd> turns it down.
      </p>
    </div>
  )
}

interface RowProps {
  readonly proposal: Proposal
  readonly nth: number
  readonly selected: boolean
  readonly onSelect: () => void
}

function Row({ proposal, nth, selected, onSelect }: RowProps) {
  const { domain, kind, pattern, fixes, breaks, held, folds, won, lost, expected } = proposal
  return (
    <div
      role="option"
      id={`proposal-${nth}`}
      aria-selected={selected}
      className="proposal stack text-s option gap-3 pad-6-12"
      onClick={onSelect}
    >
      <span className="row gap-9">
        <Domain name={domain} />
        <span className="quiet no-shrink">{kindWords(kind)}</span>
        <code className="truncate grow">{pattern}</code>
      </span>
      <span className="row wrap gap-9 text-xs num">
        <span className="good">right {count(fixes)}</span>
        <span className={breaks > 0 ? 'bad' : 'quiet'}>broken {count(breaks)}</span>
        <span className="quiet">
          of {counted(held, 'labelled turn')} in {count(folds)} held folds (wins in {count(won)},
          loses in {count(lost)})
        </span>
        <span className="quiet">of what it changes right: {measuredWords(proposal.precision)}</span>
        <span className="quiet">flips {counted(proposal.flips, 'turn')}</span>
        {expected !== null && (
          <span
            className="quiet"
            title="Turns without a label that it flips: right after less right before, as the second opinion sees it"
          >
            second opinion +{expected.toFixed(1)}
          </span>
        )}
      </span>
    </div>
  )
}
