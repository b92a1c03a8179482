import { useMemo, type ReactNode } from 'react'
import type { ProbeColumns } from '../../core/wire/contract.ts'
import type { Flip, ReplayColumns } from '../../core/engine/schema/replay.ts'
import type { StepBar } from '../../core/engine/schema/bundle-wire.ts'
import type { CollectionStyle } from '../ui/collection-style.ts'
import type { ThemeName } from '../ui/domain-style.ts'
import { spokenAt, tokenLane, type TokenLane } from '../features/bundle/lane.ts'
import type { DomainOrder } from './data.ts'
import type { CoachColumns } from '../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import { coachLane, type CoachLane } from '../features/coach/lane.ts'
import { layoutRows, type Layout } from './lanes.ts'
import {
  oracleLanes,
  turnsOfEvents,
  type OracleLanes,
  type OracleSource,
} from '../features/self-signals/lanes.ts'
import { probeLane, type ProbeLane } from '../features/probe/lane.ts'
import { turnNumber } from './ticks.ts'
import type { Size } from './use-canvas.ts'
import { usePrepared, type Prepared } from './use-prepared.ts'
import { isFit, type Viewport } from './viewport.ts'
import { describeTurn, type TurnWords } from './words.ts'

/** What the semantic probe found in the session. */
export interface ProbeOnTimeline {
  /** Null while nothing was probed. */
  readonly columns: Immutable<ProbeColumns> | null
  readonly styles: ReadonlyMap<string, CollectionStyle>
  /** What stands in the lane instead of hits: what to do, or how far it is; null = nothing. */
  readonly note: ReactNode
}

/** Pipeline steps: events that are no turns, with a selection of their own. */
export interface StepsOnTimeline {
  readonly steps: readonly StepBar[]
  /** Event of the selected step. */
  readonly selected: number | null
  readonly onSelect: (seq: number) => void
}

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
  readonly bundles: StepsOnTimeline
  /** Events that find found, by `seq`, rising; null while nothing is looked for. */
  readonly matches: readonly number[] | null
  /** Verdicts of the coach; null while they are not known. */
  readonly coach?: Immutable<CoachColumns> | null
  readonly probe?: ProbeOnTimeline | null
  readonly selected: number | null
  readonly theme: ThemeName
  readonly onSelect: (turn: number) => void
  readonly onHover?: (turn: number | null) => void
  /** Turn hovered elsewhere; the timeline's own hover wins. */
  readonly hovered?: number | null
}

/** What was prepared, with the describer of its turns. */
export interface TimelineModel extends Prepared {
  readonly oracle: OracleLanes | null
  readonly tokens: TokenLane | null
  /** Turns where find found something, rising. */
  readonly found: Int32Array | null
  readonly coach: CoachLane | null
  readonly probe: ProbeLane | null
  /** Null for null and for turns outside the session. */
  readonly describe: (turn: number | null) => TurnWords | null
}

/** Null until the replay is prepared. */
export function useModel(props: TimelineProps): TimelineModel | null {
  const { columns, compare, flips, domains, kinds, matches } = props
  const source = useMemo(
    () => ({ columns, compare, flips, domains, kinds }),
    [columns, compare, flips, domains, kinds],
  )
  const base = usePrepared(source)
  const seqs = base?.source.columns.seq
  const oracle = useMemo(
    () => (seqs && props.oracle ? oracleLanes(seqs, props.oracle) : null),
    [seqs, props.oracle],
  )
  const found = useMemo(
    () => (seqs && matches ? turnsOfEvents(seqs, matches) : null),
    [seqs, matches],
  )
  const { steps } = props.bundles
  const tokens = useMemo(
    () => (seqs ? tokenLane(seqs, steps, oracle) : null),
    [seqs, steps, oracle],
  )
  const verdicts = props.coach ?? null
  const coach = useMemo(
    () => (seqs && verdicts ? coachLane(seqs, verdicts) : null),
    [seqs, verdicts],
  )
  const probed = props.probe?.columns ?? null
  const styles = props.probe?.styles ?? null
  const probe = useMemo(
    () => (seqs && probed && styles ? probeLane(seqs, probed, styles) : null),
    [seqs, probed, styles],
  )
  return useMemo(() => {
    if (!base) return null
    const describe = (turn: number | null) => {
      if (turn === null || turn < 0 || turn >= base.data.turns) return null
      const words = describeTurn({ ...base, oracle, coach, probe }, turn)
      const spoken = spokenAt(tokens, turn)
      return spoken === '' ? words : { ...words, spoken: `${words.spoken}, ${spoken}` }
    }
    return { ...base, describe, oracle, tokens, coach, probe, found }
  }, [base, oracle, tokens, coach, probe, found])
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

function tokensRow(tokens: TokenLane | null): 'full' | 'low' | 'absent' {
  if (tokens === null) return 'absent'
  return tokens.steps.size > 0 ? 'full' : 'low'
}

/** Rows and columns for a panel of this size. `expanded` gives lanes to domains without a match too. */
export function useGeometry(
  {
    data,
    oracle,
    tokens,
    coach,
    probe,
    found,
  }: Pick<TimelineModel, 'data' | 'oracle' | 'tokens' | 'coach' | 'probe' | 'found'>,
  {
    size,
    expanded,
    note,
  }: { readonly size: Size; readonly expanded: boolean; readonly note: boolean },
): Geometry {
  const finding = found !== null
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
      tokens: tokensRow(tokens),
      find: finding,
      coach: (coach?.outputs ?? 0) > 0,
      probe: probe !== null ? 'full' : note ? 'quiet' : 'absent',
    })
    return { layout, gutter, width: Math.max(0, size.width - gutter - MARGIN) }
  }, [data, oracle, tokens, coach, probe, note, finding, size, expanded])
}

/** `121–240 of 2,000`; empty while everything is visible. */
export function rangeText(view: Viewport, turns: number): string {
  if (isFit(view, turns)) return ''
  const last = Math.min(turns, Math.ceil(view.to)) - 1
  return `${turnNumber(Math.floor(view.from))}–${turnNumber(last)} of ${turnNumber(turns - 1)}`
}
