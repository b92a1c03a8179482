import { type ReactNode, useMemo, useState } from 'react'
import type { ThemeName } from '../ui/domain-style.ts'
import { remember } from '../ui/remember.ts'
import type { TimelineSource } from './data.ts'
import type { Lane, ReadyLane, Said } from './lane.tsx'
import { layoutRows } from './layout.ts'
import { turnNumber } from './ticks.ts'
import type { Size } from './use-canvas.ts'
import { usePrepared, type Prepared } from './use-prepared.ts'
import { isFit, type Viewport } from './viewport.ts'
import { describeTurn, type TurnWords } from './words.ts'

export interface TimelineProps extends TimelineSource {
  /** All lanes from top to bottom within their place. The list never changes: each has a hook. */
  readonly lanes: readonly Lane[]
  /** [U171] Ids of the optional lanes that are shown. */
  readonly shown: readonly string[]
  readonly selected: number | null
  readonly theme: ThemeName
  readonly onSelect: (turn: number) => void
  /** Which lanes are shown. */
  readonly menu: ReactNode
}

/** A turn in the words of the replay and of the lanes. */
export interface Described {
  readonly words: TurnWords
  readonly said: readonly Said[]
  /** Everything as one sentence. */
  readonly spoken: string
}

/** The prepared data, with the nonempty lanes and the describer of turns. */
export interface TimelineModel extends Prepared {
  readonly lanes: readonly ReadyLane[]
  /** Null for null and for turns outside the session. */
  readonly describe: (turn: number | null) => Described | null
}

function useLanes({ lanes, shown }: TimelineProps, base: Prepared | null): readonly ReadyLane[] {
  const parts = lanes.map((lane) => {
    const ready = lane.useReady(base)
    return !lane.isOptional || ready?.isMain || shown.includes(lane.id) ? ready : null
  })
  const [present] = useState(() =>
    remember((...all: typeof parts) => all.filter((one) => one !== null)),
  )
  return present(...parts)
}

/** Null until the replay is prepared. */
export function useModel(props: TimelineProps): TimelineModel | null {
  const { columns, compare, otherName, flips, domains, kinds } = props
  const source = useMemo(
    () => ({ columns, compare, otherName, flips, domains, kinds }),
    [columns, compare, otherName, flips, domains, kinds],
  )
  const base = usePrepared(source)
  const lanes = useLanes(props, base)
  return useMemo(() => {
    if (!base) return null
    const inOrder = [...lanes].sort((a, b) => a.order - b.order)
    const describe = (turn: number | null) => {
      if (turn === null || turn < 0 || turn >= base.data.turns) return null
      const words = describeTurn(base, turn)
      const said = inOrder.map((lane) => lane.said(turn))
      const parts = [words.spoken, ...said.map(({ spoken }) => spoken)]
      return { words, said, spoken: parts.filter((part) => part !== '').join(', ') }
    }
    return { ...base, lanes, describe }
  }, [base, lanes])
}

/** Space right of the plot, so that the last label does not touch the edge. */
const MARGIN = 12

function gutterWidth(total: number): number {
  if (total >= 700) return 184
  return total >= 420 ? 148 : 112
}

/**
 * Rows, and the widths of gutter and plot, for a panel of this size. `expanded` gives lanes to domains
 * without a match too.
 */
export function useGeometry({ data, lanes }: TimelineModel, size: Size, expanded: boolean) {
  return useMemo(() => {
    const gutter = gutterWidth(size.width)
    const layout = layoutRows({
      height: size.height,
      domains: expanded ? [...data.used, ...data.unused] : data.used,
      weight: (domain) => data.weight[domain] ?? 0,
      lanes,
    })
    return { layout, gutter, width: Math.max(0, size.width - gutter - MARGIN) }
  }, [data, lanes, size, expanded])
}

/** `121–240 of 2,000`; empty while everything is visible. */
export function rangeText(view: Viewport, turns: number): string {
  if (isFit(view, turns)) return ''
  const last = Math.min(turns, Math.ceil(view.to)) - 1
  return `${turnNumber(Math.floor(view.from))}–${turnNumber(last)} of ${turnNumber(turns - 1)}`
}
