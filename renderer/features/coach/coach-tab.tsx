import { useState } from 'react'
import { type TurnOutput, outputAt } from '../../../core/engine/schema/turn-output.ts'
import { valueOf } from '../../app/async-data.ts'
import { selectSeq } from '../../app/select.ts'
import { useApp } from '../../app/use-store.ts'
import { Answered, Empty } from '../../ui/answered.tsx'
import { Button, Pressable } from '../../ui/button.tsx'
import { judgeAgain } from '../../stores/coach/coach.ts'
import { Explained } from './explained.tsx'
import { CoachActions, CoachLabelSection } from './actions.tsx'
import { Beside, Findings, Runs, VerdictHead } from '../../views/coach/parts.tsx'
import { CoachRequest } from './request.tsx'
import { nextOutput } from '../../stores/coach/selectors.ts'
import { type OfOutput, useCoach } from '../../stores/coach/store.ts'
import { CoachTaskSection } from './task.tsx'
import { Coaching, OutputText } from './text.tsx'

/** The coach's verdict on the agent output that belongs to the selection. */
export function CoachTab() {
  const columns = useCoach((state) => state.columns)
  const selected = useApp((state) => state.view.selected)
  const turns = useApp((state) => valueOf(state.session.replay)?.columns.seq)
  return (
    <Answered data={columns} failure="else" retry={() => void judgeAgain()}>
      {({ seq }) => {
        const nearest = selected === null ? null : outputAt(seq, turns ?? [], selected)
        return nearest ? (
          <Nearest nearest={nearest} />
        ) : (
          <Empty of="inspector" title="Nothing to judge">
            <p>The agent says nothing in this session, so there is no output to judge.</p>
          </Empty>
        )
      }}
    </Answered>
  )
}

function Nearest({ nearest }: { readonly nearest: TurnOutput }) {
  const output = useCoach((state) => state.output)
  const isStale = ({ seq }: { readonly seq: number }) => nearest.seq !== seq
  return (
    <Answered data={output} retry={() => void judgeAgain()} stale={isStale} className="coach">
      {(shown) => (
        <Output key={shown.seq} output={shown} place={isStale(shown) ? 'this' : nearest.place} />
      )}
    </Answered>
  )
}

interface Props extends OfOutput {
  readonly place: TurnOutput['place']
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
      <Explained output={output} />
      <Beside output={output} />
      <Findings findings={output.findings} />
      <CoachLabelSection key={JSON.stringify(output.label)} output={output} />
      <CoachTaskSection output={output} />
      <CoachRequest output={output} />
      <Runs output={output} />
    </>
  )
}

const PLACES: Readonly<Record<TurnOutput['place'], string>> = {
  this: 'The selected output',
  before: 'The last output before the selection',
  after: 'The output that follows the selection',
}

/** Which output is shown, and the way to the one before, after, and to the next that goes back. */
function Place({ seq, place }: { readonly seq: number; readonly place: TurnOutput['place'] }) {
  const columns = useCoach((state) => valueOf(state.columns))
  if (!columns) return null
  const at = columns.seq.indexOf(seq)
  const go = (by: 1 | -1, what: string, sign: string) => {
    const target = nextOutput(columns.seq, { from: seq, by })
    return (
      <Pressable
        className="icon-button coach-step"
        aria-label={what}
        title={what}
        disabled={target === null}
        onClick={() => {
          if (target !== null) selectSeq(target)
        }}
      >
        {sign}
      </Pressable>
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
          <Button kind="link" onClick={() => selectSeq(seq)}>
            Go to it
          </Button>
        )}
        {go(-1, 'Previous output', '‹')}
        {go(1, 'Next output', '›')}
      </span>
    </div>
  )
}
