import { useMemo, useRef } from 'react'
import { useSize } from '../../timeline/use-canvas.ts'
import { type Scores, hitsBySteps, STEPS } from './scores.ts'
import { useCollectionColor } from '../probe/collection-name.tsx'

interface Props {
  readonly scores: Scores
  readonly step: number
  readonly onStep: (step: number) => void
}

const HEIGHT = 116
const TOP = 8
const BOTTOM = 18
/** Half a thumb of the slider below: its ends are the chart's. */
const SIDE = 8

/** Hits of every collection at every threshold; a click moves the threshold. */
export function StepsChart({ scores, step, onStep }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const { width } = useSize(root)
  const color = useCollectionColor()
  const lines = useMemo(() => scores.collections.map((_, at) => hitsBySteps(scores, at)), [scores])
  const most = Math.max(1, ...lines.map((line) => line[0] ?? 0))
  const plot = HEIGHT - TOP - BOTTOM
  const x = (at: number) => SIDE + ((width - 2 * SIDE) * at) / (STEPS - 1)
  // Square root: a handful of hits stays visible beside hundreds of phrases.
  const y = (hits: number) => TOP + plot * (1 - Math.sqrt(hits / most))
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
              <line x1={x(at)} x2={x(at)} y1={TOP} y2={TOP + plot} className="grid-line" />
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
              d={`M${x(threshold * (STEPS - 1))} ${TOP + plot} l-4 7 h8 z`}
              fill={
                isShared(scores.thresholds, at) ? 'var(--ink)' : color(scores.collections[at] ?? '')
              }
            />
          ))}
          <line x1={x(step)} x2={x(step)} y1={TOP - 4} y2={TOP + plot} className="mark-line" />
        </svg>
      )}
      <p className="quiet text-xs">
        Hits of {scores.collections.join(', ')} at every threshold, of {most} phrases each;
        square-root scale · ▲ in force
      </p>
    </div>
  )
}

/** Several collections have one threshold in force: the mark is of none of them. */
function isShared(thresholds: readonly number[], at: number): boolean {
  return thresholds.some((other, index) => index !== at && other === thresholds[at])
}

/** Lines differ without colour too. */
const DASHES = ['none', '6 3', '2 3', '8 3 2 3'] as const
