import { type ComponentType, type ReactNode, useMemo } from 'react'
import type { DomainStyles, ThemeName } from '../ui/domain-style.ts'
import type { Place, Row, Size } from './layout.ts'
import type { Context, Scene } from './scene.ts'
import type { Prepared } from './use-prepared.ts'
import type { TurnWords } from './words.ts'

/** View state and actions for the labels. */
export interface Controls {
  /** `121–240 of 2,000`; empty while everything is visible. */
  readonly range: string
  readonly zoomed: boolean
  readonly closest: boolean
  /** Domains without a match have lanes too. */
  readonly expanded: boolean
  readonly onExpand: () => void
  readonly onZoom: (factor: number) => void
  readonly onFit: () => void
  /** Which lanes are shown, beside the zoom. */
  readonly menu: ReactNode
}

/** Data for the label of a lane, besides the lane's own data. */
export interface LabelContext extends Controls {
  readonly row: Row
  /** Domains that share the `others` row. */
  readonly others: readonly number[]
  /** The hovered turn, else the selected one. */
  readonly told: TurnWords | null
  readonly styles: DomainStyles
  readonly theme: ThemeName
  /** Width of the gutter. */
  readonly width: number
}

export type LabelProps<Data> = LabelContext & { readonly data: Data }

interface ValueProps {
  readonly title: string
  /** Name of a colour of the theme. */
  readonly color: string
  readonly sign: string
  readonly value: string
}

/** Gutter text for the described turn: the lane's sign and a value. */
export function LaneValue({ title, color, sign, value }: ValueProps) {
  return (
    <span className="tl-value" title={title}>
      <i style={{ color: `var(${color})` }} aria-hidden="true">
        {sign}
      </i>{' '}
      {value}
    </span>
  )
}

/** Something in a lane that is no turn and can be selected. */
export interface Target {
  readonly select: () => void
  /** @param x in pixels of the window */
  readonly tip: (x: number, y: number) => ReactNode
}

/** A lane's text for one turn: in the tooltip under its term, and for screen readers. */
export interface Said {
  /** Null if the tooltip omits the lane. */
  readonly term: string | null
  readonly text: string
  readonly spoken: string
}

/** [U170] How to read a lane: on hover and focus of its name, in the menu of lanes and in the legend. */
export interface LaneLegend {
  readonly name: string
  readonly text: string
  /** Its signs with their words; `color` is the first part of the names of their colours. */
  readonly signs?: {
    readonly color: string
    readonly looks: Readonly<Record<string, { readonly sign: string; readonly words: string }>>
  }
}

interface LaneRow<Source, Data> {
  /** Also names its row for style sheets: `tl-row-ID`. */
  readonly id: string
  readonly place: Place
  /** A hook that gives the lane's own source; null = the lane is absent. Lanes of the replay have none. */
  readonly useSource?: () => Source | null
  /** Computed once for a replay and a source; null = the lane is absent. */
  readonly prepare: (base: Prepared, source: Source) => Data | null
  /** Null if the layout itself assigns the lane's rows (`domain`, `others`). */
  readonly size: (data: Data) => Size | null
  readonly draw?: (ctx: Context, scene: Scene, row: Row, data: Data) => void
  /** Name and value in the gutter. */
  readonly Label: ComponentType<LabelProps<Data>>
  /** The target at a position in turns; `px` is the width of a turn. */
  readonly hit?: (data: Data, position: number, px: number) => Target | null
  /** HTML in place of the lane's drawing. */
  readonly note?: (data: Data) => ReactNode
  /** Its name in the tooltip, with the words of a turn; '' = nothing to say. */
  readonly term?: string
  readonly words?: (data: Data, turn: number) => string
  /** Text for screen readers, if it differs from the term and the words. */
  readonly spoken?: (data: Data, turn: number) => string
  /** Place of its words among those of other lanes; 0 without one. */
  readonly order?: number
  readonly legend: LaneLegend
  /** [U171] Shown only on request, or if its data is the session's main content. */
  readonly isOptional?: true
  readonly isMain?: (data: Data) => boolean
}

/** A lane with its data, as the timeline sees it. */
export interface ReadyLane {
  readonly id: string
  readonly legend: LaneLegend
  /** [U171] The session's main content, shown without a request. */
  readonly isMain: boolean
  readonly place: Place
  readonly size: Size | null
  readonly note: ReactNode
  readonly order: number
  readonly draw: (ctx: Context, scene: Scene, row: Row) => void
  readonly label: (context: LabelContext) => ReactNode
  readonly hit: (position: number, px: number) => Target | null
  readonly said: (turn: number) => Said
}

/** A lane of the timeline. Its hook gives null while there is nothing to show. */
export interface Lane {
  readonly id: string
  readonly legend: LaneLegend
  readonly isOptional: boolean
  readonly useReady: (base: Prepared | null) => ReadyLane | null
}

const nothing = () => null

function ready<Source, Data>(row: LaneRow<Source, Data>, data: Data): ReadyLane {
  const { id, place, legend, Label, draw, hit, term = null, order = 0 } = row
  return {
    id,
    legend,
    isMain: row.isMain?.(data) ?? false,
    place,
    order,
    size: row.size(data),
    note: row.note?.(data) ?? null,
    draw: (ctx, scene, at) => draw?.(ctx, scene, at, data),
    label: (context) => <Label {...context} data={data} />,
    hit: (position, px) => hit?.(data, position, px) ?? null,
    said: (turn) => {
      const text = row.words?.(data, turn) ?? ''
      const spoken = row.spoken?.(data, turn) ?? (text === '' ? '' : `${term}: ${text}`)
      return { term, text, spoken }
    },
  }
}

/** A lane that keeps the type of its source. */
export interface LaneOf<Source> extends Lane {
  readonly readyFrom: (base: Prepared, source: Source) => ReadyLane | null
}

/** Converts a row to a lane for the timeline. The type of its data stays private to the lane and its row. */
export function lane<Data, Source = unknown>(row: LaneRow<Source, Data>): LaneOf<Source> {
  const { useSource = nothing, prepare } = row
  const readyFrom = (base: Prepared, source: Source) => {
    const data = prepare(base, source)
    return data === null ? null : ready(row, data)
  }
  const useReady = (base: Prepared | null) => {
    const source = useSource()
    return useMemo(() => {
      // A lane without a source is made from the replay alone.
      if (base === null || (row.useSource !== undefined && source === null)) return null
      return readyFrom(base, source as Source) // not null, or the lane does not look at it
    }, [base, source])
  }
  const { id, legend, isOptional = false } = row
  return { id, legend, isOptional, useReady, readyFrom }
}
