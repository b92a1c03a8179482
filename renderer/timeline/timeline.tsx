import {
  type KeyboardEvent,
  type ReactNode,
  memo,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react'
import { keyAction } from './keys.ts'
import type { LabelContext, ReadyLane } from './lane.tsx'
import { type Layout, RULER, type Row, findRow, rowAt } from './layout.ts'
import { Plot } from './plot.tsx'
import { TurnTooltip } from './tooltip.tsx'
import { useSize } from './use-canvas.ts'
import { usePointer } from './use-pointer.ts'
import {
  type Described,
  type TimelineModel,
  type TimelineProps,
  rangeText,
  useGeometry,
  useModel,
} from './use-timeline.ts'
import { useViewport } from './use-viewport.ts'
import { MIN_SPAN, isFit, positionAt, pxPerTurn, span, zoomKeeping } from './viewport.ts'
import { Tip } from '../ui/tip.tsx'
import './timeline.css'

interface Props extends Omit<LabelContext, 'row' | 'others'> {
  readonly layout: Layout
  readonly lanes: readonly ReadyLane[]
}

const laneOf = (lanes: readonly ReadyLane[], row: Row) => lanes.find(({ id }) => id === row.id)

interface RowProps {
  readonly row: Row
  readonly lane: ReadyLane | undefined
  /** The Tab key comes to the first one, arrows go on from there. */
  readonly isFirst: boolean
  readonly children: ReactNode
}

/** [U170] A row of the gutter. Hover and focus show a description of its lane. */
function GutterRow({ row, lane, isFirst, children }: RowProps) {
  return (
    <Tip
      words={row.id === RULER ? '' : (lane?.legend.text ?? '')}
      tabIndex={isFirst ? 0 : -1}
      className={`tl-row row nowrap gap-6 tl-row-${row.id}`}
      style={{ top: row.y, height: row.height }}
    >
      {children}
    </Tip>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** [U170] Up and down go from lane to lane. */
function stepRows(event: KeyboardEvent<HTMLElement>): void {
  const by = STEPS[event.key]
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.tl-row[tabindex]')]
  const at = rows.findIndex((row) => row === document.activeElement)
  if (by === undefined || at < 0) return
  event.preventDefault()
  event.stopPropagation()
  rows[at + by]?.focus()
}

/** Names, keys and values of the rows, as HTML beside the canvas: crisp, selectable, readable aloud. */
const Gutter = memo(function Gutter({ layout, lanes, ...context }: Props) {
  const first = layout.rows.find(({ id }) => id !== RULER)
  return (
    <div
      className="tl-gutter"
      style={{ width: context.width }}
      role="group"
      aria-label="Lanes"
      onKeyDown={stepRows}
    >
      {layout.rows.map((row) => (
        <GutterRow
          key={`${row.id}${row.domain}`}
          row={row}
          lane={laneOf(lanes, row)}
          isFirst={row === first}
        >
          {laneOf(lanes, row)?.label({ ...context, row, others: layout.others })}
        </GutterRow>
      ))}
    </div>
  )
})

/** Screen reader attributes: a slider over the turns whose value is the selected turn. */
function sliderProps(turns: number, selected: number | null, chosen: Described | null) {
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

interface NotesProps {
  readonly lanes: readonly ReadyLane[]
  readonly layout: Layout
  readonly left: number
  readonly width: number
}

/** Notes of lanes that draw nothing: how to get their data, or its progress. */
function Notes({ lanes, layout, left, width }: NotesProps) {
  if (width <= 0) return null
  return lanes.map(({ id, note }) => {
    const row = findRow(layout, id)
    if (note === null || row === null) return null
    return (
      <div
        key={id}
        className="tl-probe-note row clip"
        style={{ left, width, top: row.y, height: row.height }}
      >
        {note}
      </div>
    )
  })
}

/**
 * The timeline of one session: roles, matched domains, the compound, momentum, and differences from a second replay.
 * One selection, by pointer or keyboard. The caller sets a height. Mount it with a new `key` for another session, so
 * that the zoom is reset.
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
  const { selected, theme, onSelect, menu, model } = props
  const root = useRef<HTMLDivElement>(null)
  const plot = useRef<HTMLDivElement>(null)
  const [expanded, setExpanded] = useState(false)
  const [hovered, setHovered] = useState<number | null>(null)
  const { data, levels, runs, styles, describe, lanes } = model
  const { turns, names, threshold } = data
  const { layout, gutter, width } = useGeometry(model, useSize(root), expanded)
  const { view, move, showAll } = useViewport(turns, selected)
  const scene = useMemo(
    () => ({ data, levels, runs, layout, view, width }),
    [data, levels, runs, layout, view, width],
  )

  /** The target at a position that is no turn: a step in the token lane. */
  const targetAt = (x: number, y: number) => {
    const row = rowAt(layout, y)
    const lane = row && lanes.find(({ id }) => id === row.id)
    return lane?.hit(positionAt(x, view, width), pxPerTurn(view, width)) ?? null
  }
  const { tip, leave, handlers } = usePointer({
    plot,
    view,
    width,
    turns,
    layout,
    move,
    onSelect,
    pick: (x, y) => {
      const target = targetAt(x, y)
      target?.select()
      return target !== null
    },
    onHover: setHovered,
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
  const chosen = useMemo(() => describe(selected), [describe, selected])
  const pointedAt = useMemo(() => describe(hovered), [describe, hovered])
  const told = pointedAt ?? chosen
  const target = tip && targetAt(tip.at.x, tip.at.y)
  const tipped = tip && describe(tip.turn)

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
        layout={layout}
        lanes={lanes}
        styles={styles}
        theme={theme}
        expanded={expanded}
        menu={menu}
        width={gutter}
        told={told?.words ?? null}
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
        {width > 0 && layout.height > 0 && (
          <Plot scene={scene} lanes={lanes} theme={theme} selected={selected} hovered={hovered} />
        )}
      </div>
      <Notes lanes={lanes} layout={layout} width={width} left={gutter} />
      {tip && target?.tip(tip.x, tip.y)}
      {tip && tipped && !target && (
        <TurnTooltip
          {...tipped}
          names={names}
          styles={styles}
          theme={theme}
          threshold={threshold}
          x={tip.x}
          y={tip.y}
        />
      )}
    </div>
  )
}
