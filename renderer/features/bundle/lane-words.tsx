import type { TierName } from '../../../core/engine/schema/bundle-report.ts'
import type { CSSProperties, ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { StepBar } from '../../../core/engine/schema/bundle-wire.ts'
import { reallyOver, stepName, TIER_WORDS, TIERS, type TokenLane } from './lane.ts'
import { tierColor } from './tier-words.ts'

const number = new Intl.NumberFormat('en-US')
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

interface LabelProps {
  readonly tokens: TokenLane | null
  readonly row: { readonly height: number }
}

/** Name and key of the token lane. */
export function TokensLabel({ tokens, row }: LabelProps): ReactNode {
  if (tokens === null) return null
  const steps = tokens.steps.size
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
              <i className="tier-dot" style={{ background: tierColor(tier) }} aria-hidden="true" />
              {TIER_WORDS[tier]}
            </span>
          ))}
          <span>
            <i
              className="tier-dot"
              style={{ background: tierColor('message') }}
              aria-hidden="true"
            />
            of messages
          </span>
          <span>
            <i className="tier-dot tier-reserve" aria-hidden="true" />
            for the answer
          </span>
        </span>
      )}
    </span>
  )
}

const WIDTH = 268
const AWAY = 16

function place(x: number, y: number): CSSProperties {
  const left = x + AWAY + WIDTH > window.innerWidth ? x - AWAY - WIDTH : x + AWAY
  return { width: WIDTH, left: Math.max(4, left), top: Math.max(4, y - 150) }
}

interface TipProps {
  readonly step: StepBar
  /** Pointer, in pixels of the window. */
  readonly x: number
  readonly y: number
}

/** Exact numbers of one step. */
export function StepTip({ step, x, y }: TipProps): ReactNode {
  return createPortal(
    <div className="tl-tip on-panel2 dim tl-tip-step" style={place(x, y)} aria-hidden="true">
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
  const used = step.context - step.reserve - step.headroom
  const real = reallyOver(step)
  const counted = step.measures.find(({ estimator }) => estimator === 'o200k_base')
  return (
    <>
      <dl className="tl-tip-tokens">
        {TIERS.map((tier) => (
          <Line key={tier} name={TIER_WORDS[tier]} dot={tier} value={step.tiers[tier]}>
            {step.cut.includes(tier) && <b>{step.tiers[tier] === 0 ? '✕ left out' : '▼ cut'}</b>}
          </Line>
        ))}
        <Line name="framing" dot="framing" value={step.framing} />
        <Line name="prompt" value={used} sum>
          of {number.format(step.context - step.reserve)}
        </Line>
        <Line name="for the answer" dot="reserve" value={step.reserve} />
        <Line name="headroom" value={step.headroom}>
          {step.headroom < 0 && <b>✕ over</b>}
        </Line>
        <Line name="context" value={step.context} sum />
      </dl>
      {step.fitsAtContext > step.context && (
        <p>Whole from a context of {number.format(step.fitsAtContext)} tokens</p>
      )}
      {real.length > 0 && counted && (
        <p>
          <b>▽</b> {real.map((tier) => TIER_WORDS[tier]).join(' and ')} really over:{' '}
          {number.format(counted.total)} by the tokenizer
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
  readonly dot?: TierName | 'framing' | 'reserve'
  readonly sum?: boolean
  readonly children?: ReactNode
}

function Line({ name, value, dot, sum = false, children }: LineProps) {
  return (
    <div className={sum ? 'tl-tip-sum' : undefined}>
      <dt className="row gap-6">
        <i
          className={dot === 'reserve' ? 'tier-dot tier-reserve' : 'tier-dot'}
          style={dot && dot !== 'reserve' ? { background: tierColor(dot) } : undefined}
        />
        {name}
      </dt>
      <dd className="num">{number.format(value)}</dd>
      <dd className="dim">{children}</dd>
    </div>
  )
}
