import { useRef } from 'react'
import { useSize } from '../../timeline/use-canvas.ts'
import type { WhatIf } from '../../../core/engine/schema/lab.ts'

interface Props {
  readonly points: readonly WhatIf[]
  readonly at: number
  /** Index of the value in force; -1 if it is not one of the points. */
  readonly inForce: number
  readonly name: (value: number | null) => string
  readonly onChoose: (at: number) => void
}

const HEIGHT = 132
const TOP = 10
const BOTTOM = 22
const LEFT = 40

/** Flips of every value as bars (direct below, by momentum above), right labels as a line. */
export function WhatIfChart({ points, at, inForce, name, onChoose }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const { width } = useSize(root)
  const step = points.length === 0 ? 0 : (width - LEFT - 12) / points.length
  const most = Math.max(1, ...points.map(({ flips }) => flips))
  const plot = HEIGHT - TOP - BOTTOM
  const barOf = (value: number) => (plot * value) / most
  const base = TOP + plot
  const middle = (index: number) => LEFT + step * (index + 0.5)
  const labelled = points.some(({ strict }) => strict.of > 0)
  const line = points
    .map(({ strict }, index) => `${middle(index)},${TOP + plot * (1 - (strict.value ?? 0))}`)
    .join(' ')
  return (
    <div ref={root} className="what-if-chart full-width">
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden>
          <text x={LEFT - 6} y={TOP + 4} className="axis" textAnchor="end">
            {most}
          </text>
          <text x={LEFT - 6} y={base + 3} className="axis" textAnchor="end">
            0
          </text>
          <line x1={LEFT} x2={width - 12} y1={base} y2={base} className="axis-line" />
          {points.map((point, index) => {
            const bar = Math.min(34, step * 0.6)
            const x = middle(index) - bar / 2
            const direct = barOf(point.direct)
            const momentum = barOf(point.momentum)
            return (
              <g
                key={name(point.value)}
                className={index === at ? 'bar-chosen' : 'bar-other'}
                onClick={() => onChoose(index)}
              >
                <rect
                  x={middle(index) - step / 2}
                  y={0}
                  width={step}
                  height={HEIGHT}
                  className="bar-room"
                />
                <rect x={x} y={base - direct} width={bar} height={direct} className="bar-direct" />
                <rect
                  x={x}
                  y={base - direct - momentum}
                  width={bar}
                  height={momentum}
                  className="bar-momentum"
                />
                <text x={middle(index)} y={HEIGHT - 7} className="axis" textAnchor="middle">
                  {name(point.value)}
                  {index === inForce ? ' •' : ''}
                </text>
              </g>
            )
          })}
          {labelled && <polyline points={line} className="right-line" />}
        </svg>
      )}
      <p className="what-if-legend row text-xs gap-6 quiet">
        <i className="key-direct" /> flips, direct <i className="key-momentum" /> by momentum
        {labelled && (
          <>
            <i className="key-right" /> right labels, 0 to 100 %
          </>
        )}{' '}
        · • in force
      </p>
    </div>
  )
}
