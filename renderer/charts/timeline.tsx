import { useCallback, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { Gutter } from './gutter.tsx'
import { keyAction } from './keys.ts'
import { Plot } from './plot.tsx'
import { TurnTooltip } from './tooltip.tsx'
import { useSize } from './use-canvas.ts'
import { usePointer } from './use-pointer.ts'
import type { Tip } from './use-pointer.ts'
import { rangeText, useGeometry, useModel } from './use-timeline.ts'
import type { TimelineModel, TimelineProps } from './use-timeline.ts'
import { useViewport } from './use-viewport.ts'
import { isFit, MIN_SPAN, span, zoomKeeping } from './viewport.ts'
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

/**
 * The timeline of one session: who spoke, which domains matched, what is in force, what momentum did
 * and where a second replay differs. One selection, by pointer or keyboard. Give it a height; mount
 * it with a new `key` for another session, so that the zoom starts over.
 */
export function Timeline(props: TimelineProps): ReactNode {
  const { selected, theme, onSelect, onHover } = props
  const root = useRef<HTMLDivElement>(null)
  const plot = useRef<HTMLDivElement>(null)
  const [expanded, setExpanded] = useState(false)
  const [pointed, setPointed] = useState<number | null>(null)
  const model = useModel(props)
  const { data, levels, runs, styles, describe, oracle, coach } = model
  const { turns } = data
  const { layout, gutter, width } = useGeometry(model, useSize(root), expanded)
  const { view, move, showAll } = useViewport(turns, selected)
  const scene = useMemo(
    () => ({ data, levels, runs, oracle, coach, layout, view, width }),
    [data, levels, runs, oracle, coach, layout, view, width],
  )

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
    onHover: hover,
  })

  const zoomBy = useCallback(
    (factor: number) => {
      move((now) => zoomKeeping(now, factor, selected, turns))
    },
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
  const toggle = useCallback(() => {
    setExpanded((now) => !now)
  }, [])
  const hovered = pointed ?? props.hovered ?? null
  const chosen = describe(selected)

  return (
    <div className="tl" ref={root} data-testid="timeline">
      {turns === 0 && (
        <p className="tl-empty">No turn to show: nothing in this session is classified.</p>
      )}
      <Gutter
        {...{ layout, data, styles, theme, expanded, oracle, coach }}
        width={gutter}
        told={describe(hovered) ?? chosen}
        compareName={props.compare?.config.preset ?? ''}
        flips={props.flips.length}
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
      <Tip {...{ model, theme, tip }} />
    </div>
  )
}
