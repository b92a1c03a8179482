import { useMemo, useRef } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { turnOf } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { useSize } from '../../timeline/use-canvas.ts'
import { CollectionName, useCollectionColor } from '../../views/probe/collection-name.tsx'
import { openMessage } from './choices.tsx'
import { type Bin, type Scores, stripOf } from './scores.ts'

interface Props {
  readonly scores: Scores
  readonly threshold: number
}

const HEIGHT = 30
const MOST_BINS = 240
const LABEL = 132

/** Hits of each collection, message by message: those that stay, appear and disappear. */
export function HitStrips({ scores, threshold }: Props) {
  const seqs = useMemo(() => [...new Set(scores.seq)].toSorted((a, b) => a - b), [scores])
  const root = useRef<HTMLDivElement>(null)
  const { width } = useSize(root)
  const strips = useMemo(
    () =>
      scores.collections.map((_, collection) =>
        stripOf(scores, { collection, threshold, seqs, most: MOST_BINS }),
      ),
    [scores, threshold, seqs],
  )
  const most = Math.max(1, ...strips.flat().map(({ stay, added, gone }) => stay + added + gone))
  return (
    <div ref={root} className="stack gap-2" role="group" aria-label="Hits of every message">
      {scores.collections.map((name, at) => (
        <div key={name} className="plab-strip flex">
          <span className="no-shrink text-s clip" style={{ width: LABEL }}>
            <CollectionName name={name} />
          </span>
          {width > LABEL && (
            <Strip
              name={name}
              bins={strips[at] ?? []}
              most={most}
              width={width - LABEL}
              seqs={seqs}
            />
          )}
        </div>
      ))}
      <p className="quiet text-xs">
        {seqs.length} messages · full: hit with the threshold in force too · bright top: appears ·
        dashed: disappears
      </p>
    </div>
  )
}

interface StripProps {
  readonly name: string
  readonly bins: readonly Bin[]
  readonly most: number
  readonly width: number
  readonly seqs: readonly number[]
}

function Strip({ name, bins, most, width, seqs }: StripProps) {
  const color = useCollectionColor()(name)
  const columns = useApp((state) => valueOf(state.session.replay)?.columns)
  const step = Math.min(32, width / Math.max(1, bins.length))
  const bar = Math.max(1, step - (step > 4 ? 2 : 0))
  const tall = (hits: number) => (hits === 0 ? 0 : Math.max(2, (hits / most) * (HEIGHT - 4)))
  const titleOf = ({ from, stay, added, gone }: Bin) => {
    const seq = seqs[from] ?? 0
    const turn = columns && turnOf(columns, seq)
    const where = turn === undefined ? `Event ${seq + 1}` : `Turn ${turn + 1}`
    return `${where}: ${stay + added} hits, ${added} appear, ${gone} disappear`
  }
  return (
    <svg width={width} height={HEIGHT} aria-hidden>
      <line x1={0} x2={width} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="axis-line" />
      {bins.map((bin, at) => {
        const stay = tall(bin.stay)
        const added = tall(bin.added)
        const gone = tall(bin.gone)
        const x = at * step
        return (
          <g
            key={bin.from}
            className="plab-bin pointer"
            onClick={() => openMessage(seqs[bin.from] ?? 0)}
          >
            <title>{titleOf(bin)}</title>
            <rect x={x} y={0} width={step} height={HEIGHT} className="bar-room" />
            <rect x={x} y={HEIGHT - stay} width={bar} height={stay} fill={color} opacity={0.75} />
            <rect
              x={x}
              y={HEIGHT - stay - added}
              width={bar}
              height={added}
              fill={color}
              stroke="var(--ink)"
              strokeWidth={added > 3 ? 1 : 0}
            />
            {gone > 0 && (
              <rect
                x={x + 0.5}
                y={HEIGHT - stay - added - gone + 0.5}
                width={Math.max(1, bar - 1)}
                height={Math.max(1, gone - 1)}
                fill="none"
                stroke="var(--ink3)"
                strokeDasharray="2 2"
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}
