import { useMemo, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { stream } from '../../app/question.ts'
import { turnOf } from '../../app/selectors.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { inForce } from '../../app/wire.ts'
import { Computed, Empty } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Slider } from '../../ui/form.tsx'
import { count, counted } from '../../ui/format.ts'
import { Details } from '../../ui/parts.tsx'
import { LAB } from '../../views/lab/studied.tsx'
import { CollectionName } from '../../views/probe/collection-name.tsx'
import { useProbe } from '../../stores/probe/store.ts'
import { openMessage } from './choices.tsx'
import { HitStrips } from './hit-strips.tsx'
import { StepsChart } from './charts.tsx'
import { type Scores, STEPS, movedHits, tallies, thresholdAt } from './scores.ts'

/** The threshold moved over all messages of the session: every hit is known before the slider moves. */
export function ThresholdView() {
  const about = useApp(inForce)
  const revision = useProbe((state) => state.revision)
  const question =
    about &&
    stream(
      'probe.scores',
      { ...about.address, config: about.config, options: {} },
      // Asked again when collections changed.
      { ...LAB, of: `${about.of} ${revision}` },
    )
  const asked = useQuery(question)
  if (!about) return <Empty>Open a session: the threshold moves over its messages.</Empty>
  return (
    <Computed {...asked} idle="Probing every message without a threshold">
      {(scores) =>
        scores.reach.length === 0 ? (
          <Empty>
            No phrase of this session has a score: nothing is indexed, or no message was probed.
          </Empty>
        ) : (
          <Moving scores={scores} />
        )
      }
    </Computed>
  )
}

/** Initial position of the slider: the highest threshold in force, in whole steps. */
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
          <Slider
            max={STEPS - 1}
            value={step}
            aria-valuetext={`${value}: ${of.map(({ now }, at) => `${scores.collections[at] ?? ''} ${now} hits`).join(', ')}`}
            onSlide={setStep}
          />
        </label>
        <p className="plab-slide-facts row wrap text-s">
          <strong className="num">threshold {value}</strong>
          <Button small onClick={() => setStep(firstStep(scores))}>
            Back to the one in force
          </Button>
          <span className="quiet">
            Only here: the preset, the embedder and the collections keep theirs.
          </span>
        </p>
      </div>
      <DataTable
        className="metric-table plab-tally num"
        label="Hits by collection"
        rows={scores.collections.flatMap((name, at) => {
          const tally = of[at]
          return tally ? [{ ...tally, name, least: scores.thresholds[at] }] : []
        })}
        keyOf={({ name }) => name}
        columns={[
          { head: 'collection', isName: true, cell: ({ name }) => <CollectionName name={name} /> },
          {
            head: 'in force',
            about: 'Threshold in force: of the embedder, raised by calibration',
            cell: ({ least }) => least?.toFixed(2) ?? '–',
          },
          { head: 'hits there', cell: ({ inForce }) => count(inForce) },
          { head: `hits at ${value}`, cell: ({ now }) => <strong>{count(now)}</strong> },
          {
            head: 'appear',
            className: ({ added }) => (added > 0 ? 'good' : 'quiet'),
            cell: ({ added }) => `+${count(added)}`,
          },
          {
            head: 'disappear',
            className: ({ gone }) => (gone > 0 ? 'bad' : 'quiet'),
            cell: ({ gone }) => `−${count(gone)}`,
          },
          { head: 'messages with a hit', cell: ({ messages }) => count(messages) },
        ]}
      />
      <HitStrips scores={scores} threshold={threshold} />
      <MovedList scores={scores} threshold={threshold} shown={all} onShown={setAll} />
    </div>
  )
}

interface Props {
  readonly scores: Scores
  readonly threshold: number
  readonly shown: boolean
  readonly onShown: (shown: boolean) => void
}

const MOST = 60

/** Hits that appear and disappear, the nearest to the threshold first; each leads to its message. */
function MovedList({ scores, threshold, shown, onShown }: Props) {
  const moved = useMemo(() => movedHits(scores, threshold), [scores, threshold])
  const columns = useApp((state) => valueOf(state.session.replay)?.columns)
  if (moved.length === 0)
    return <p className="quiet text-s">No hit appears or disappears at this threshold.</p>
  return (
    <Details
      className="plab-moved text-s"
      open={shown}
      onToggle={(event) => onShown(event.currentTarget.open)}
      summary={<>{counted(moved.length, 'hit')} moved, the nearest to the threshold first</>}
    >
      <DataTable
        className="metric-table"
        label="Hits that appear and disappear"
        rows={moved.slice(0, MOST)}
        keyOf={({ row }) => row}
        columns={[
          {
            className: ({ kind }) => (kind === 'new' ? 'good' : 'bad'),
            cell: ({ kind }) => (kind === 'new' ? '+ appears' : '− disappears'),
          },
          { num: true, cell: ({ reach }) => reach.toFixed(3) },
          {
            isName: true,
            className: 'truncate plab-phrase',
            title: ({ phrase }) => phrase,
            cell: ({ phrase }) => phrase,
          },
          {
            cell: ({ collection }) => (
              <CollectionName name={scores.collections[collection] ?? ''} />
            ),
          },
          {
            cell: ({ seq }) => {
              const turn = columns && turnOf(columns, seq)
              return (
                <Button kind="link" className="num" onClick={() => openMessage(seq)}>
                  {turn === undefined ? `event ${seq + 1}` : `turn ${turn + 1}`}
                </Button>
              )
            },
          },
        ]}
      />
      {moved.length > MOST && <p className="quiet">and {counted(moved.length - MOST, 'other')}</p>}
    </Details>
  )
}
