import { useMemo, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { sessionAddress } from '../coach/coach.ts'
import { type Scores, STEPS, tallies, thresholdAt } from './scores.ts'
import { useProbe } from '../probe/store.ts'
import { runKey, store } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { wireConfig } from '../../app/wire.ts'
import { count } from '../../ui/format.ts'
import { Answered } from '../lab/answered.tsx'
import { askStream, useAnswer } from '../lab/use-answer.ts'
import { CollectionName } from '../probe/collection-name.tsx'
import { MovedList } from './moved-list.tsx'
import { HitStrips } from './hit-strips.tsx'
import { StepsChart } from './steps-chart.tsx'

/** The threshold moved over all messages of the session: every hit is known before the slider moves. */
export function ThresholdView() {
  const place = useApp((state) => {
    const opened = valueOf(state.document.opened)
    return opened ? `${opened.key} ${state.session.index} ${runKey(state.view.run)}` : ''
  })
  const revision = useProbe((state) => state.revision)
  const ask = useMemo(() => {
    const address = place === '' ? null : sessionAddress()
    const config = wireConfig(store.getState().view.run)
    return address && askStream('probe.scores', { ...address, config, options: {} })
    // Asked again when collections changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [place, revision])
  const asked = useAnswer(ask)
  if (!ask)
    return (
      <p className="list-empty quiet">Open a session: the threshold moves over its messages.</p>
    )
  return (
    <Answered asked={asked} idle="Probing every message without a threshold">
      {(scores) =>
        scores.reach.length === 0 ? (
          <p className="list-empty quiet">
            No phrase of this session has a score: nothing is indexed, or no message was probed.
          </p>
        ) : (
          <Moving scores={scores} />
        )
      }
    </Answered>
  )
}

/** Where the slider starts: the highest threshold in force, in whole steps. */
function firstStep({ thresholds }: Scores): number {
  const highest = Math.max(0, ...thresholds)
  return Math.min(STEPS - 1, Math.max(0, Math.round(highest * (STEPS - 1))))
}

function Moving({ scores }: { readonly scores: Scores }) {
  const [step, setStep] = useState(() => firstStep(scores))
  const [all, setAll] = useState(true)
  const threshold = thresholdAt(step)
  const of = useMemo(() => tallies(scores, threshold), [scores, threshold])
  const value = threshold.toFixed(2)
  return (
    <div className="plab-threshold pad-main stack gap-16 one-column">
      <div className="stack gap-2">
        <StepsChart scores={scores} step={step} onStep={setStep} />
        <label className="plab-slider">
          <span className="visually-hidden">Threshold</span>
          <input
            type="range"
            min={0}
            max={STEPS - 1}
            step={1}
            value={step}
            aria-valuetext={`${value}: ${of.map(({ now }, at) => `${scores.collections[at] ?? ''} ${now} hits`).join(', ')}`}
            onChange={(event) => setStep(Number(event.target.value))}
          />
        </label>
        <p className="plab-slide-facts row wrap text-s">
          <strong className="num">threshold {value}</strong>
          <button
            type="button"
            className="button button-small"
            onClick={() => setStep(firstStep(scores))}
          >
            Back to the one in force
          </button>
          <span className="quiet">
            Only here: the preset, the embedder and the collections keep theirs.
          </span>
        </p>
      </div>
      <table className="metric-table plab-tally num" aria-label="Hits by collection">
        <thead>
          <tr>
            <th scope="col">collection</th>
            <th scope="col" title="Threshold in force: of the embedder, raised by calibration">
              in force
            </th>
            <th scope="col">hits there</th>
            <th scope="col">hits at {value}</th>
            <th scope="col">appear</th>
            <th scope="col">disappear</th>
            <th scope="col">messages with a hit</th>
          </tr>
        </thead>
        <tbody>
          {scores.collections.map((name, at) => {
            const one = of[at]
            if (!one) return null
            return (
              <tr key={name}>
                <th scope="row">
                  <CollectionName name={name} />
                </th>
                <td>{scores.thresholds[at]?.toFixed(2) ?? '–'}</td>
                <td>{count(one.inForce)}</td>
                <td>
                  <strong>{count(one.now)}</strong>
                </td>
                <td className={one.added > 0 ? 'good' : 'quiet'}>+{count(one.added)}</td>
                <td className={one.gone > 0 ? 'bad' : 'quiet'}>−{count(one.gone)}</td>
                <td>{count(one.messages)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <HitStrips scores={scores} threshold={threshold} />
      <MovedList scores={scores} threshold={threshold} shown={all} onShown={setAll} />
    </div>
  )
}
