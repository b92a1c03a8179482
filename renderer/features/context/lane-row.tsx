import { type ReactNode, useMemo } from 'react'
import { createPortal } from 'react-dom'
import { shareText } from '../../../core/engine/schema/context.ts'
import type { ContextColumns } from '../../../core/wire/context.ts'
import { valueOf } from '../../app/async-data.ts'
import { call } from '../../app/question.ts'
import { selectSeq } from '../../app/select.ts'
import { isSettled } from '../../app/selectors.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { inForce } from '../../app/wire.ts'
import { type LabelProps, lane } from '../../timeline/lane.tsx'
import { beside } from '../../timeline/tooltip.tsx'
import { count, counted } from '../../ui/format.ts'
import { useSegmentColor } from '../../views/prompt/segment-color.ts'
import { drawContext } from './draw-lane.ts'
import {
  CUT_WORDS,
  type CallBar,
  type ContextLane,
  barAt,
  barsOfTurn,
  contextLane,
  contextWords,
  cutWords,
  layerLook,
  layersOf,
} from './lane.ts'
import './context.css'

const ID = 'context'

/** [X15] Asked only while the lane is shown, and again when the session has grown. */
function useSource(): ContextColumns | null {
  const about = useApp(inForce)
  const events = useApp((state) => valueOf(state.session.replay)?.events ?? null)
  const isWanted = useApp((state) => state.view.shown.lanes.includes(ID) && isSettled(state))
  const question = useMemo(() => {
    if (about === null || events === null || !isWanted) return null
    const input = { ...about.address, profile: about.config.profile }
    return call('context.calls', input, { where: 'The context lane', of: `${about.of} ${events}` })
  }, [about, events, isWanted])
  return valueOf(useQuery(question).data)
}

/** The colour of a layer, as in the drawing. */
function LayerDot({ name, layer }: { readonly name: string; readonly layer: number }) {
  const colorOf = useSegmentColor()
  const look = layerLook(name, layer)
  const background = typeof look === 'number' ? colorOf(look) : `var(--${look})`
  return <i className="layer-dot" style={{ background }} aria-hidden />
}

/** From this height on there is room for the key of the layers. */
const KEY_FROM = 60
/** Layers in the key; the tooltip has all. */
const KEYS = 6

/** Name of the remainder in the key, which is narrow. */
const REMAINDER = 'not in the file'

/** Name of the lane with the tokens of the described turn, and the key of its layers. */
function Label({ data, row, told }: LabelProps<ContextLane>) {
  const { layers, isRecorded } = data.columns
  const last = told === null ? undefined : barsOfTurn(data, told.turn).at(-1)
  return (
    <span className="shrink stack gap-4">
      <span className="flex gap-6">
        <span className="tl-name">{isRecorded ? 'context' : 'context, estimated'}</span>
        {last && <span className="tl-value num">{count(last.total)}</span>}
      </span>
      {row.height >= KEY_FROM && (
        <span className="tl-layers wrap quiet flex">
          {layers.slice(0, KEYS).map(
            (name, layer) =>
              // Estimates explain all of a call.
              (layer > 0 || isRecorded) && (
                <span key={name}>
                  <LayerDot name={name} layer={layer} />
                  {layer === 0 ? REMAINDER : name}
                </span>
              ),
          )}
        </span>
      )}
    </span>
  )
}

const WIDTH = 268

interface TipProps {
  readonly lane: ContextLane
  readonly bar: CallBar
  /** Pointer, in pixels of the window. */
  readonly x: number
  readonly y: number
}

/** Exact numbers of one call. */
function CallTip({ lane: { columns, bars }, bar, x, y }: TipProps): ReactNode {
  const layers = columns.layers
    .map((name, layer) => ({ name, layer, tokens: layersOf(columns, bar.nth)[layer] ?? 0 }))
    .filter(({ tokens }) => tokens > 0)
    .toReversed()
  return createPortal(
    <div
      className="tl-tip on-panel2 dim"
      style={{ ...beside(x, WIDTH), top: Math.max(4, y - 170) }}
      aria-hidden="true"
    >
      <div className="tl-tip-head quiet flex between">
        <b>
          Call {count(bar.nth + 1)} of {count(bars.length)}
        </b>
        <span>{columns.isRecorded ? 'recorded' : 'estimated'}</span>
      </div>
      <dl className="tl-tip-layers">
        {layers.map(({ name, layer, tokens }) => (
          <div key={name}>
            <dt>
              <LayerDot name={name} layer={layer} />
              {name}
            </dt>
            <dd className="num">{count(tokens)}</dd>
            <dd className="num">{shareText(tokens, bar.total)}</dd>
          </div>
        ))}
        <div className="tl-tip-whole">
          <dt>in the context</dt>
          <dd className="num">{counted(bar.total, 'token')}</dd>
          <dd />
        </div>
        {bar.window > 0 && (
          <div>
            <dt>window</dt>
            <dd className="num">{count(bar.window)}</dd>
            <dd className="num">{shareText(bar.total, bar.window)} used</dd>
          </div>
        )}
      </dl>
      {bar.cut && (
        <p>
          <b>{CUT_WORDS[bar.cut.reason].sign}</b> {cutWords(bar.cut)}
        </p>
      )}
    </div>,
    document.body,
  )
}

/** A pointer counts for a column within this many pixels. */
const REACH_PX = 3

/** [X15] The context of each call of the model, by kind of source. */
export const contextRow = lane<ContextLane, ContextColumns>({
  id: ID,
  place: 'below',
  useSource,
  prepare: ({ source }, columns) => contextLane(source.columns.seq, columns),
  size: () => ({ height: 66, gap: 4, drop: 3.6 }),
  draw: drawContext,
  Label,
  hit: (data, position, px) => {
    const bar = barAt(data, position, REACH_PX / px)
    return (
      bar && {
        select: () => selectSeq(bar.seq),
        tip: (x, y) => <CallTip lane={data} bar={bar} x={x} y={y} />,
      }
    )
  },
  term: 'context',
  words: contextWords,
  order: 2,
  isOptional: true,
  legend: {
    name: 'context',
    signs: { color: 'cut', looks: CUT_WORDS },
    text: 'What was in the context at each call of the model, by kind of source; at the foot what the file does not hold. Amber: the window. A dashed line: text left the context.',
  },
})
