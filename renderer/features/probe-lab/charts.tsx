import { useMemo, useRef } from 'react'
import type { ThresholdPoint } from '../../../core/engine/schema/probe.ts'
import { useSize } from '../../timeline/use-canvas.ts'
import { useCollectionColor } from '../../views/probe/collection-name.tsx'
import { type Scores, STEPS, hitsBySteps } from './scores.ts'
import type { Curves } from './use-curves.ts'

interface StepsProps {
  readonly scores: Scores
  readonly step: number
  readonly onStep: (step: number) => void
}

const HEIGHT = 116
const STEPS_TOP = 8
const STEPS_BOTTOM = 18
/** Half a thumb of the slider below: its ends are the chart's. */
const SIDE = 8

/** Hits of every collection at every threshold; a click moves the threshold. */
export function StepsChart({ scores, step, onStep }: StepsProps) {
  const root = useRef<HTMLDivElement>(null)
  const { width } = useSize(root)
  const color = useCollectionColor()
  const lines = useMemo(() => scores.collections.map((_, at) => hitsBySteps(scores, at)), [scores])
  const most = Math.max(1, ...lines.map((line) => line[0] ?? 0))
  const plot = HEIGHT - STEPS_TOP - STEPS_BOTTOM
  const x = (at: number) => SIDE + ((width - 2 * SIDE) * at) / (STEPS - 1)
  // Square root: a handful of hits stays visible beside hundreds of phrases.
  const y = (hits: number) => STEPS_TOP + plot * (1 - Math.sqrt(hits / most))
  return (
    <div ref={root} className="plab-steps">
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          aria-hidden
          onClick={(event) => {
            const left = event.currentTarget.getBoundingClientRect().left
            const at = ((event.clientX - left - SIDE) / (width - 2 * SIDE)) * (STEPS - 1)
            onStep(Math.min(STEPS - 1, Math.max(0, Math.round(at))))
          }}
        >
          {[0, 20, 40, 60, 80, 100].map((at) => (
            <g key={at}>
              <line
                x1={x(at)}
                x2={x(at)}
                y1={STEPS_TOP}
                y2={STEPS_TOP + plot}
                className="grid-line"
              />
              <text
                x={x(at)}
                y={HEIGHT - 5}
                className="axis"
                textAnchor={at === 0 ? 'start' : at === 100 ? 'end' : 'middle'}
              >
                {(at / 100).toFixed(1)}
              </text>
            </g>
          ))}
          {lines.map((line, at) => (
            <polyline
              key={scores.collections[at]}
              className="steps-line"
              stroke={color(scores.collections[at] ?? '')}
              strokeDasharray={DASHES[at % DASHES.length]}
              points={line.map((hits, point) => `${x(point)},${y(hits)}`).join(' ')}
            />
          ))}
          {scores.thresholds.map((threshold, at) => (
            <path
              key={scores.collections[at]}
              d={`M${x(threshold * (STEPS - 1))} ${STEPS_TOP + plot} l-4 7 h8 z`}
              fill={
                isShared(scores.thresholds, at) ? 'var(--ink)' : color(scores.collections[at] ?? '')
              }
            />
          ))}
          <line
            x1={x(step)}
            x2={x(step)}
            y1={STEPS_TOP - 4}
            y2={STEPS_TOP + plot}
            className="mark-line"
          />
        </svg>
      )}
      <p className="quiet text-xs">
        Hits of {scores.collections.join(', ')} at every threshold, of {most} phrases each;
        square-root scale · ▲ in force
      </p>
    </div>
  )
}

/** True if several collections share one threshold. Its mark then belongs to no single collection. */
function isShared(thresholds: readonly number[], at: number): boolean {
  return thresholds.some((other, index) => index !== at && other === thresholds[at])
}

interface Props {
  readonly points: readonly ThresholdPoint[]
  readonly at: number
  /** The point in force; -1 = none. */
  readonly inForce: number
  /** Drawn thin beside it. */
  readonly beside: Curves
  readonly onChoose: (at: number) => void
}

const SIZE = 340
const LEFT = 52
const BOTTOM = 34
const TOP = 12
const PLOT = SIZE - LEFT - 18

const x = (recall: number) => LEFT + PLOT * recall
const y = (precision: number) => TOP + PLOT * (1 - precision)

/** Points that have both shares, with their place among all. */
function drawable(points: readonly ThresholdPoint[]) {
  return points.flatMap(({ precision, recall, threshold }, at) =>
    precision.value === null || recall.value === null
      ? []
      : [{ at, threshold, precision, recall, x: x(recall.value), y: y(precision.value) }],
  )
}

/** Recall against precision, one point a threshold; a click chooses the point. */
export function PrChart({ points, at, inForce, beside, onChoose }: Props) {
  const color = useCollectionColor()
  const shown = drawable(points)
  return (
    <svg
      className="pr-chart full-width"
      viewBox={`0 0 ${SIZE} ${TOP + PLOT + BOTTOM}`}
      role="img"
      aria-label="Precision against recall"
    >
      {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
        <g key={tick}>
          <line x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} className="grid-line" />
          <line x1={x(tick)} x2={x(tick)} y1={y(0)} y2={y(1)} className="grid-line" />
          <text x={LEFT - 6} y={y(tick) + 3} className="axis" textAnchor="end">
            {Math.round(tick * 100)} %
          </text>
          <text x={x(tick)} y={y(0) + 14} className="axis" textAnchor="middle">
            {Math.round(tick * 100)} %
          </text>
        </g>
      ))}
      <text x={x(0.5)} y={y(0) + 29} className="axis" textAnchor="middle">
        recall
      </text>
      <text
        x={12}
        y={y(0.5)}
        className="axis"
        textAnchor="middle"
        transform={`rotate(-90 12 ${y(0.5)})`}
      >
        precision
      </text>
      {[...beside].map(([name, others], index) => (
        <polyline
          key={name}
          className="pr-beside"
          stroke={color(name)}
          strokeDasharray={DASHES[index % DASHES.length]}
          points={drawable(others)
            .map((one) => `${one.x},${one.y}`)
            .join(' ')}
        />
      ))}
      <polyline className="pr-line" points={shown.map((one) => `${one.x},${one.y}`).join(' ')} />
      {shown.map((one) => (
        <g key={one.at} className="pr-point pointer" onClick={() => onChoose(one.at)}>
          <title>
            {`threshold ${one.threshold.toFixed(2)}: precision ${one.precision.hits} of ${one.precision.of}, recall ${one.recall.hits} of ${one.recall.of}`}
          </title>
          <circle cx={one.x} cy={one.y} r={9} className="bar-room" />
          <circle
            cx={one.x}
            cy={one.y}
            r={one.at === at ? 6 : 3}
            className={one.at === at ? 'on' : ''}
          />
          {one.at === inForce && <circle cx={one.x} cy={one.y} r={10} className="pr-in-force" />}
        </g>
      ))}
    </svg>
  )
}

/** Lines differ without colour too, as in the other charts. */
const DASHES = ['none', '6 3', '2 3', '8 3 2 3'] as const
