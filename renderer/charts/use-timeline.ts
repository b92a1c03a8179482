import { useMemo } from 'react'
import type { Flip, ReplayColumns } from '../../core/engine/schema/replay.ts'
import { domainStyle } from '../ui/domain-style.ts'
import type { DomainStyles, ThemeName } from '../ui/domain-style.ts'
import type { CoachColumns } from '../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import { levelsOf } from './bins.ts'
import type { Levels } from './bins.ts'
import { coachLane } from './coach-lane.ts'
import type { CoachLane } from './coach-lane.ts'
import { timelineData } from './data.ts'
import type { DomainOrder, TimelineData } from './data.ts'
import { layoutRows } from './lanes.ts'
import type { Layout } from './lanes.ts'
import { oracleLanes } from './oracle-lanes.ts'
import type { OracleLanes, OracleSource } from './oracle-lanes.ts'
import { signatureRuns } from './runs.ts'
import type { SignatureRun } from './runs.ts'
import { turnNumber } from './ticks.ts'
import type { Size } from './use-canvas.ts'
import { isFit } from './viewport.ts'
import type { Viewport } from './viewport.ts'
import { describeTurn } from './words.ts'
import type { TurnWords } from './words.ts'

export interface TimelineProps {
  readonly columns: ReplayColumns
  /** Second replay of the same session, or null. */
  readonly compare: ReplayColumns | null
  readonly flips: readonly Flip[]
  /** Lanes are ordered by priority, then as `columns.domains` has them. */
  readonly domains: readonly DomainOrder[]
  /** Per turn: index into EventKind.options; null while unknown. */
  readonly kinds: readonly number[] | null
  /** Null while self-signals and queries are not known. */
  readonly oracle: OracleSource | null
  /** Verdicts of the coach; null while they are not known. */
  readonly coach?: Immutable<CoachColumns> | null
  readonly selected: number | null
  readonly theme: ThemeName
  readonly onSelect: (turn: number) => void
  readonly onHover?: (turn: number | null) => void
  /** Turn hovered elsewhere; the timeline's own hover wins. */
  readonly hovered?: number | null
}

/** What is computed once per replay, with the describer of its turns. */
export interface TimelineModel {
  readonly data: TimelineData
  readonly levels: Levels
  readonly runs: readonly SignatureRun[]
  readonly styles: DomainStyles
  readonly oracle: OracleLanes | null
  readonly coach: CoachLane | null
  /** Null for null and for turns outside the session. */
  readonly describe: (turn: number | null) => TurnWords | null
}

export function useModel(props: TimelineProps): TimelineModel {
  const { columns, compare, flips, domains, kinds } = props
  const oracle = useMemo(
    () => props.oracle && oracleLanes(columns.seq, props.oracle),
    [columns, props.oracle],
  )
  const verdicts = props.coach ?? null
  const coach = useMemo(() => verdicts && coachLane(columns.seq, verdicts), [columns, verdicts])
  const base = useMemo(() => {
    const source = { columns, compare, flips, domains, kinds }
    const data = timelineData(source)
    const runs = signatureRuns(data)
    return { source, data, runs, levels: levelsOf(data), styles: domainStyle(data.names) }
  }, [columns, compare, flips, domains, kinds])
  return useMemo(() => {
    const { source, data, runs } = base
    const describe = (turn: number | null) =>
      turn !== null && turn >= 0 && turn < data.turns
        ? describeTurn({ source, data, runs, oracle, coach }, turn)
        : null
    return { ...base, describe, oracle, coach }
  }, [base, oracle, coach])
}

/** Space right of the plot, so that the last label does not touch the edge. */
const MARGIN = 12

export interface Geometry {
  readonly layout: Layout
  readonly gutter: number
  /** Of the plot. */
  readonly width: number
}

function gutterWidth(total: number): number {
  if (total >= 700) return 184
  return total >= 420 ? 148 : 112
}

function selfLane(oracle: OracleLanes | null): 'full' | 'quiet' | 'absent' {
  if (oracle === null || oracle.responses === 0) return 'absent'
  const shows =
    oracle.emitted > 0 || oracle.flawed.includes(1) || oracle.alert.some((one) => one > 0)
  return shows ? 'full' : 'quiet'
}

/** Rows and columns for a panel of this size. `expanded` gives lanes to domains without a match too. */
export function useGeometry(
  { data, oracle, coach }: Pick<TimelineModel, 'data' | 'oracle' | 'coach'>,
  size: Size,
  expanded: boolean,
): Geometry {
  return useMemo(() => {
    const gutter = gutterWidth(size.width)
    const layout = layoutRows({
      height: size.height,
      lanes: expanded ? [...data.used, ...data.unused] : data.used,
      weight: (domain) => data.weight[domain] ?? 0,
      unused: data.unused.length > 0,
      compare: data.other !== null,
      self: selfLane(oracle),
      query: (oracle?.queries ?? 0) > 0,
      coach: (coach?.outputs ?? 0) > 0,
    })
    return { layout, gutter, width: Math.max(0, size.width - gutter - MARGIN) }
  }, [data, oracle, coach, size, expanded])
}

/** `121–240 of 2,000`; empty while everything is visible. */
export function rangeText(view: Viewport, turns: number): string {
  if (isFit(view, turns)) return ''
  const last = Math.min(turns, Math.ceil(view.to)) - 1
  return `${turnNumber(Math.floor(view.from))}–${turnNumber(last)} of ${turnNumber(turns - 1)}`
}
