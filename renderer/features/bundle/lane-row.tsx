import { type ReactNode, useMemo } from 'react'
import { createPortal } from 'react-dom'
import type { QueryColumns } from '../../../core/engine/schema/answer-columns.ts'
import type { StepBar } from '../../../core/engine/schema/bundle-wire.ts'
import { valueOf } from '../../app/async-data.ts'
import { selectSeq, selectedStep } from '../../app/select.ts'
import { useApp } from '../../app/use-store.ts'
import { type LabelProps, lane } from '../../timeline/lane.tsx'
import { beside } from '../../timeline/tooltip.tsx'
import { capital, count } from '../../ui/format.ts'
import { remember } from '../../ui/remember.ts'
import { queryLane } from '../../views/prompt/query-lane.ts'
import { useBundles } from './bundle.ts'
import { type Tokens, drawTokens } from './draw-lane.ts'
import {
  TIERS,
  barAt,
  reallyOver,
  spokenAt,
  stepName,
  tierList,
  tokenLane,
  usedBy,
} from './lane.ts'
import { type Dotted, TierDot } from './tier-bar.tsx'
import { tierWord } from './tier-words.ts'

/** Name and key of the token lane. */
function Label({ data, row }: LabelProps<Tokens>) {
  const steps = data.lane.steps.size
  return (
    <span className="tl-tokens shrink stack gap-4">
      <span
        className="tl-name"
        title={`Tokens of prompts on a square-root scale; amber line: the limit${steps > 0 ? '. Filled triangle: a tier is cut. Hollow triangle: the real tokenizer counts more than the cap. Cross: tier 0 alone is over the context. Ring: no bundle. Diamond: another prompt was sent' : ''}`}
      >
        {steps > 0 ? 'step tokens' : 'prompt tokens'}
      </span>
      {steps > 0 && row.height >= 44 && (
        <span className="tl-tiers wrap quiet flex">
          {TIERS.map((tier) => (
            <span key={tier}>
              <TierDot of={tier} />
              {tierWord(tier)}
            </span>
          ))}
          <span>
            <TierDot of="message" />
            of messages
          </span>
          <span>
            <TierDot of="reserve" />
            for the answer
          </span>
        </span>
      )}
    </span>
  )
}

const WIDTH = 268

interface TipProps {
  readonly step: StepBar
  /** Pointer, in pixels of the window. */
  readonly x: number
  readonly y: number
}

/** Exact numbers of one step. */
function StepTip({ step, x, y }: TipProps): ReactNode {
  return createPortal(
    <div
      className="tl-tip on-panel2 dim tl-tip-step"
      style={{ ...beside(x, WIDTH), top: Math.max(4, y - 150) }}
      aria-hidden="true"
    >
      <div className="tl-tip-head quiet flex between">
        <b>{capital(stepName(step))}</b>
        <span>{step.runId}</span>
      </div>
      {step.problem === null ? <Numbers step={step} /> : <p>No bundle: {step.problem}</p>}
    </div>,
    document.body,
  )
}

function Numbers({ step }: { readonly step: StepBar }) {
  const real = reallyOver(step)
  const counted = step.measures.find(({ estimator }) => estimator === 'o200k_base')
  return (
    <>
      <dl className="tl-tip-tokens">
        {TIERS.map((tier) => (
          <Line key={tier} name={tierWord(tier)} dot={tier} value={step.tiers[tier]}>
            {step.cut.includes(tier) && <b>{step.tiers[tier] === 0 ? '✕ left out' : '▼ cut'}</b>}
          </Line>
        ))}
        <Line name="framing" dot="framing" value={step.framing} />
        <Line name="prompt" value={usedBy(step)} sum>
          of {count(step.context - step.reserve)}
        </Line>
        <Line name="for the answer" dot="reserve" value={step.reserve} />
        <Line name="headroom" value={step.headroom}>
          {step.headroom < 0 && <b>✕ over</b>}
        </Line>
        <Line name="context" value={step.context} sum />
      </dl>
      {step.fitsAtContext > step.context && (
        <p>Whole from a context of {count(step.fitsAtContext)} tokens</p>
      )}
      {real.length > 0 && counted && (
        <p>
          <b>▽</b> {tierList(real, ' and ')} really over: {count(counted.total)} by the tokenizer
        </p>
      )}
      {step.recordedSame === false && (
        <p>
          <b>◇</b> another prompt was sent
        </p>
      )}
    </>
  )
}

interface LineProps {
  readonly name: string
  readonly value: number
  readonly dot?: Dotted
  readonly sum?: boolean
  readonly children?: ReactNode
}

function Line({ name, value, dot, sum = false, children }: LineProps) {
  return (
    <div className={sum ? 'tl-tip-sum' : undefined}>
      <dt className="row gap-6">
        <TierDot of={dot} />
        {name}
      </dt>
      <dd className="num">{count(value)}</dd>
      <dd className="dim">{children}</dd>
    </div>
  )
}

interface Source {
  readonly steps: readonly StepBar[]
  readonly queries: QueryColumns | null
  readonly selected: number | null
}

const NO_STEPS: readonly StepBar[] = []

function useSource(): Source {
  const steps = useBundles((state) => valueOf(state.steps)?.steps ?? NO_STEPS)
  const queries = useApp(({ session }) => valueOf(session.answers)?.queries ?? null)
  const selected = useApp(selectedStep)
  return useMemo(() => ({ steps, queries, selected }), [steps, queries, selected])
}

/** Another selection is no reason to place every bar again. */
const placed = remember(
  (seqs: readonly number[], steps: readonly StepBar[], queries: QueryColumns | null) =>
    tokenLane(seqs, steps, queries && queryLane(seqs, queries)),
)

/** A pointer counts for a bar within this many pixels. */
const REACH_PX = 6

/** Tokens of prompts: of pipeline steps by tier, or of the composed ones. */
export const tokensLane = lane<Tokens, Source>({
  id: 'tokens',
  place: 'below',
  useSource,
  prepare: ({ source }, { steps, queries, selected }) => {
    const bars = placed(source.columns.seq, steps, queries)
    return bars && { lane: bars, selected }
  },
  size: ({ lane: { steps } }) => ({ height: steps.size > 0 ? 60 : 22, gap: 4, drop: 3.7 }),
  draw: drawTokens,
  Label,
  hit: ({ lane: bars }, position, px) => {
    const step = bars.steps.get(barAt(bars, position, REACH_PX / px)?.seq ?? -1)
    return step
      ? { select: () => selectSeq(step.seq), tip: (x, y) => <StepTip step={step} x={x} y={y} /> }
      : null
  },
  spoken: ({ lane: bars }, turn) => spokenAt(bars, turn),
  order: 1,
  isOptional: true,
  isMain: ({ lane: { steps } }) => steps.size > 0,
  legend: {
    name: 'tokens',
    text: 'Prompts, on a square-root scale: steps by tier, hatched what is kept for the answer, amber the limit. ▼ a tier is cut, ▽ the real tokenizer counts more than its cap, ✕ tier 0 alone is over the context, ⊘ no bundle, ◇ another prompt was sent.',
  },
})
