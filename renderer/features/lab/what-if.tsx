import { useState } from 'react'
import { type WhatIf, SLIDERS } from '../../../core/engine/schema/lab.ts'
import { has } from '../../app/api.ts'
import { stream } from '../../app/question.ts'
import { Empty } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Labelled, Select, Slider } from '../../ui/form.tsx'
import { count } from '../../ui/format.ts'
import { Fact } from '../../ui/parts.tsx'
import { useLab } from '../../stores/lab/store.ts'
import { setOption } from '../../stores/drafts/draft.ts'
import { Share } from '../../views/lab/share.tsx'
import { CorpusBasis } from '../../views/lab/basis.tsx'
import { type StudyProps, LAB, Studied, useStudy } from '../../views/lab/studied.tsx'
import { WhatIfChart } from './what-if-chart.tsx'

type Slider = (typeof SLIDERS)[number]

interface Look {
  readonly word: string
  readonly about: string
  readonly values: ReadonlyArray<number | null>
  /** Meaning of null. */
  readonly off: string
}

const upTo = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

const LOOKS: Readonly<Record<Slider, Look>> = {
  momentumThreshold: {
    word: 'Momentum is strong from',
    about: 'Turns in a row with one signature from which momentum holds (M2)',
    values: upTo(1, 12),
    off: '',
  },
  secondaryMinSignals: {
    word: 'Secondary needs',
    about: 'Least score of a secondary domain (C4)',
    values: upTo(0, 8),
    off: '',
  },
  maxResistedTurns: {
    word: 'Gives way after resisting',
    about: 'Resisted turns in a row after which the challenger is accepted (L2)',
    values: [...upTo(1, 12), null],
    off: 'never',
  },
  decayAfterTurns: {
    word: 'Decays after',
    about: 'Turns without a signal of the compound after which momentum halves (L3)',
    values: [...upTo(1, 12), null],
    off: 'never',
  },
  widenMinSignals: {
    word: 'Widens from',
    about: 'Score with which a secondary joins a strong single domain (B4)',
    values: [...upTo(1, 8), null],
    off: 'never',
  },
  maxChars: {
    word: 'Reads at most',
    about: 'Characters scored, half from the head and half from the tail (B16)',
    values: [500, 1000, 2000, 4000, 8000, 16_384, 32_768, 65_536, null],
    off: 'all',
  },
}

/** Other thresholds over the whole corpus, every value of the slider computed before it is moved. */
export function WhatIfView(_: StudyProps) {
  const [option, setSlider] = useState<Slider>('momentumThreshold')
  const look = LOOKS[option]
  const asked = useStudy((about) =>
    stream('lab.whatIf', { ...about, option, values: [...look.values] }, LAB),
  )
  return (
    <>
      <div className="panel-bar">
        <Select
          label="Option"
          value={option}
          options={SLIDERS}
          words={(name) => `${LOOKS[name].word} (${name})`}
          onChoose={setSlider}
        />
        <span className="quiet truncate">{look.about}</span>
      </div>
      <Studied asked={asked} idle="Deciding the corpus again for every value">
        {({ points, current }) => (
          <Curve key={option} option={option} points={points} current={current} />
        )}
      </Studied>
    </>
  )
}

interface CurveProps {
  readonly option: Slider
  readonly points: readonly WhatIf[]
  readonly current: number | null
}

function Curve({ option, points, current }: CurveProps) {
  const { word, off } = LOOKS[option]
  const tried = useLab((state) => state.options[option])
  const inForce = points.findIndex(({ value }) => value === current)
  const [moved, setAt] = useState<number | null>(null)
  const at = Math.min(points.length - 1, moved ?? Math.max(0, inForce))
  const point = points[at]
  if (!point) return <Empty>No value of this option can be computed.</Empty>
  const name = (value: number | null) => (value === null ? off : count(value))
  return (
    <div className="what-if">
      <CorpusBasis />
      <WhatIfChart points={points} at={at} inForce={inForce} name={name} onChoose={setAt} />
      <div className="what-if-line mt-8 row gap-12">
        <Labelled label={word} className="grow">
          <Slider
            className="grow"
            max={points.length - 1}
            value={at}
            aria-valuetext={name(point.value)}
            onSlide={setAt}
          />
        </Labelled>
        <strong className="num what-if-value text-end">{name(point.value)}</strong>
        {has('edit') && (
          <Button
            small
            disabled={at === inForce}
            title="The draft gets this value; the preset's file is not changed"
            onClick={() => {
              setOption(option, point.value as never) // the slider's values are of its option
            }}
          >
            Try in the draft
          </Button>
        )}
        {tried !== undefined && (
          <Button small onClick={() => setOption(option, undefined)}>
            As the preset says
          </Button>
        )}
      </div>
      <dl className="facts-row num">
        <Fact name="turns flip">
          {count(point.flips)}{' '}
          <span className="quiet">
            {count(point.direct)} direct, {count(point.momentum)} by momentum
          </span>
        </Fact>
        <Fact name="labels">
          <span className="good">{count(point.fixed)} fixed</span>,{' '}
          <span className="bad">{count(point.broken)} broken</span>
        </Fact>
        <Fact name="right">
          <Share {...point.strict} />
        </Fact>
        <Fact name="right or accepted">
          <Share {...point.withAlternatives} />
        </Fact>
      </dl>
    </div>
  )
}
