import { useCallback, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { barAt } from '../features/bundle/lane.ts'
import { StepTip } from '../features/bundle/lane-words.tsx'
import { Gutter } from './gutter.tsx'
import { findRow, rowAt, type Layout } from './lanes.ts'
import { keyAction } from './keys.ts'
import { Plot } from './plot.tsx'
import { TurnTooltip } from './tooltip.tsx'
import { useSize } from './use-canvas.ts'
import { usePointer, type Tip } from './use-pointer.ts'
import {
  rangeText,
  useGeometry,
  useModel,
  type TimelineModel,
  type TimelineProps,
} from './use-timeline.ts'
import { useViewport } from './use-viewport.ts'
import { isFit, MIN_SPAN, positionAt, pxPerTurn, span, zoomKeeping } from './viewport.ts'
import type { TurnWords } from './words.ts'
import './timeline.css'

/** What a screen reader hears: a slider over the turns whose value is the selected one. */
function sliderProps(turns: number, selected: number | null, chosen: TurnWords | null) {
  const now = selected === null || turns === 0 ? 0 : selected + 1
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-label': 'Timeline of turns',
    'aria-orientation': 'horizontal',
    'aria-valuemin': Math.min(1, now),
    'aria-valuemax': turns,
    'aria-valuenow': now,
    'aria-valuetext': chosen?.spoken ?? 'No turn selected',
    'aria-description': 'Arrow keys select a turn, plus and minus zoom, zero shows all turns',
  } as const
}

function Tip(props: Pick<TimelineProps, 'theme'> & { model: TimelineModel; tip: Tip | null }) {
  const { model, tip, theme } = props
  const words = model.describe(tip?.turn ?? null)
  if (tip === null || words === null) return null
  const { data, styles } = model
  return (
    <TurnTooltip
      {...{ words, styles, theme }}
      names={data.names}
      x={tip.x}
      y={tip.y}
      threshold={data.threshold}
    />
  )
}

function noteOf({ probe }: Pick<TimelineProps, 'probe'>): ReactNode {
  return probe?.note ?? null
}

interface NoteProps {
  readonly layout: Layout
  readonly left: number
  readonly width: number
  readonly note: ReactNode
}

/** What the lane of hits says while it has none; below its hits while they are asked for anew. */
function Note({ layout, left, width, note }: NoteProps) {
  const row = findRow(layout, 'probe')
  if (note === null || row === null || width <= 0) return null
  return (
    <div className="tl-probe-note row clip" style={{ left, width, top: row.y, height: row.height }}>
      {note}
    </div>
  )
}

/**
 * The timeline of one session: who spoke, which domains matched, what is in force, what momentum did
 * and where a second replay differs. One selection, by pointer or keyboard. Give it a height; mount
 * it with a new `key` for another session, so that the zoom starts over.
 */
export function Timeline(props: TimelineProps): ReactNode {
  const model = useModel(props)
  if (model === null)
    return (
      <div
        className="tl dim full-height full-width relative on-panel clip"
        role="status"
        aria-busy="true"
        aria-label="Drawing the timeline"
      />
    )
  return <Drawn {...props} model={model} />
}

function Drawn(props: TimelineProps & { readonly model: TimelineModel }): ReactNode {
  const { selected, theme, onSelect, onHover, model } = props
  const root = useRef<HTMLDivElement>(null)
  const plot = useRef<HTMLDivElement>(null)
  const [expanded, setExpanded] = useState(false)
  const [pointed, setPointed] = useState<number | null>(null)
  const { data, levels, runs, styles, describe, oracle, tokens, coach, probe, found } = model
  const { bundles } = props
  const { turns } = data
  const { layout, gutter, width } = useGeometry(model, {
    size: useSize(root),
    expanded,
    note: noteOf(props) !== null,
  })
  const { view, move, showAll } = useViewport(turns, selected)
  const scene = useMemo(
    () => ({
      ...{ data, levels, runs, oracle, tokens, step: bundles.selected, coach, probe, found },
      ...{ layout, view, width },
    }),
    [
      data,
      levels,
      runs,
      oracle,
      tokens,
      bundles.selected,
      coach,
      probe,
      found,
      layout,
      view,
      width,
    ],
  )

  /** The step whose bar lies there; its slot, and a few pixels beside it. */
  const stepAt = (x: number, y: number) => {
    if (tokens === null || rowAt(layout, y)?.kind !== 'tokens') return null
    const bar = barAt(tokens, positionAt(x, view, width), 6 / pxPerTurn(view, width))
    return bar && (tokens.steps.get(bar.seq) ?? null)
  }
  const hover = (turn: number | null) => {
    if (turn === pointed) return
    setPointed(turn)
    onHover?.(turn)
  }
  const { tip, leave, handlers } = usePointer({
    ...scene,
    plot,
    turns,
    move,
    onSelect,
    pick: (x, y) => {
      const step = stepAt(x, y)
      if (step) bundles.onSelect(step.seq)
      return step !== null
    },
    onHover: hover,
  })

  const zoomBy = useCallback(
    (factor: number) => move((now) => zoomKeeping(now, factor, selected, turns)),
    [move, selected, turns],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyAction(event, selected, view, turns)
    if (action === null) return
    event.preventDefault()
    event.stopPropagation()
    leave()
    if (action.kind === 'select') onSelect(action.turn)
    else if (action.kind === 'zoom') zoomBy(action.factor)
    else showAll()
  }
  const toggle = useCallback(() => setExpanded((now) => !now), [])
  const hovered = pointed ?? props.hovered ?? null
  const chosen = useMemo(() => describe(selected), [describe, selected])
  const pointedAt = useMemo(() => describe(hovered), [describe, hovered])
  const tipped = tip && stepAt(tip.at.x, tip.at.y)

  return (
    <div
      className="tl dim full-height full-width relative on-panel clip"
      ref={root}
      data-testid="timeline"
    >
      {turns === 0 && (
        <p className="tl-empty dim on-panel text-center">
          No turn to show: nothing in this session is classified.
        </p>
      )}
      <Gutter
        {...{ layout, data, styles, theme, expanded, oracle, tokens, coach, probe }}
        width={gutter}
        told={pointedAt ?? chosen}
        compareName={props.compare?.config.preset ?? ''}
        flips={props.flips.length}
        found={found?.length ?? 0}
        range={rangeText(view, turns)}
        zoomed={!isFit(view, turns)}
        closest={span(view) <= MIN_SPAN}
        onExpand={toggle}
        onZoom={zoomBy}
        onFit={showAll}
      />
      <div
        ref={plot}
        className="tl-plot"
        style={{ left: gutter, width }}
        {...sliderProps(turns, selected, chosen)}
        {...handlers}
        onKeyDown={onKeyDown}
        onDoubleClick={showAll}
      >
        {width > 0 && layout.height > 0 && <Plot {...{ scene, theme, selected, hovered }} />}
      </div>
      <Note layout={layout} left={gutter} width={width} note={noteOf(props)} />
      {tip && tipped ? (
        <StepTip step={tipped} x={tip.x} y={tip.y} />
      ) : (
        <Tip {...{ model, theme, tip }} />
      )}
    </div>
  )
}
