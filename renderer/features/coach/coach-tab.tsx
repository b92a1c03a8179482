import { useState } from 'react'
import type { CoachOutput } from '../../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { valueOf } from '../../app/async-data.ts'
import { loadVerdicts, refreshOutput } from './coach.ts'
import { type NearestOutput, nearestOutput, nextOutput } from './selectors.ts'
import { useCoach } from './store.ts'
import { selectSeq } from '../../app/select.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { CoachActions } from './actions.tsx'
import { CoachLabelSection } from './label.tsx'
import { Beside, Findings, Runs, VerdictHead } from './parts.tsx'
import { CoachRequest } from './request.tsx'
import { Coaching, OutputText } from './text.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'
import './coach.css'

/** What the coach says of the agent's output that belongs to the selection. */
export function CoachTab() {
  const columns = useCoach((state) => state.columns)
  const output = useCoach((state) => state.output)
  const selected = useApp((state) => state.view.selected)
  const turns = useApp((state) => valueOf(state.session.replay)?.columns.seq)
  const known = valueOf(columns)
  if (!known)
    return columns.status === 'failed' ? (
      <>
        <FailureNote failure={columns.failure} />
        <Again onClick={() => void loadVerdicts()} />
      </>
    ) : (
      <InspectorSkeleton />
    )
  const nearest = selected === null ? null : nearestOutput(known.seq, selected, turns)
  if (!nearest)
    return (
      <div className="inspector-empty">
        <h2>Nothing to judge</h2>
        <p>The agent says nothing in this session, so there is no output to judge.</p>
      </div>
    )
  if (output.status === 'failed')
    return (
      <>
        <FailureNote failure={output.failure} />
        <Again onClick={() => refreshOutput(true)} />
      </>
    )
  const shown = valueOf(output)
  if (!shown) return <InspectorSkeleton />
  const stale = nearest.seq !== shown.seq
  return (
    <div className={stale ? 'coach stale' : 'coach'} aria-busy={stale}>
      <Output key={shown.seq} output={shown} place={stale ? 'this' : nearest.place} />
    </div>
  )
}

function Again({ onClick }: { readonly onClick: () => void }) {
  return (
    <p className="again">
      <button type="button" className="button" onClick={onClick}>
        Try again
      </button>
    </p>
  )
}

interface Props {
  readonly output: Immutable<CoachOutput>
  readonly place: NearestOutput['place']
}

function Output({ output, place }: Props) {
  const [pointed, setPointed] = useState<string | null>(null)
  return (
    <>
      <div className="verdict">
        <Place seq={output.seq} place={place} />
        <VerdictHead output={output} />
      </div>
      <Coaching output={output} />
      <CoachActions output={output} />
      <OutputText output={output} pointed={pointed} onPoint={setPointed} />
      <Beside output={output} />
      <Findings findings={output.findings} />
      <CoachLabelSection key={JSON.stringify(output.label)} output={output} />
      <CoachRequest output={output} />
      <Runs output={output} />
    </>
  )
}

const PLACES: Readonly<Record<NearestOutput['place'], string>> = {
  this: 'The selected output',
  before: 'The last output before the selection',
  after: 'The output that follows the selection',
}

/** Which output is shown, and the way to the one before, after, and to the next that goes back. */
function Place({ seq, place }: { readonly seq: number; readonly place: NearestOutput['place'] }) {
  const columns = useCoach((state) => valueOf(state.columns))
  if (!columns) return null
  const at = columns.seq.indexOf(seq)
  const go = (by: 1 | -1, what: string, sign: string) => {
    const target = nextOutput(columns.seq, { from: seq, by })
    return (
      <button
        type="button"
        className="icon-button coach-step"
        aria-label={what}
        title={what}
        disabled={target === null}
        onClick={() => {
          if (target !== null) selectSeq(target)
        }}
      >
        {sign}
      </button>
    )
  }
  return (
    <div className="turn-line">
      <div className="quiet truncate">
        {PLACES[place]}
        {at >= 0 && (
          <span className="num">
            {' '}
            · {at + 1} of {columns.seq.length}
          </span>
        )}
      </div>
      <span className="coach-steps inline-row no-shrink gap-2">
        {place !== 'this' && (
          <button type="button" className="link" onClick={() => selectSeq(seq)}>
            Go to it
          </button>
        )}
        {go(-1, 'Previous output', '‹')}
        {go(1, 'Next output', '›')}
      </span>
    </div>
  )
}
