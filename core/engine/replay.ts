import { enrichedBits } from './belief/enrichment.ts'
import { unguarded } from './matcher/scan.ts'
import {
  domainNames,
  initialBeliefState,
  prepareTurn,
  scanUnder,
  stepPrepared,
  type Pipeline,
  type ScanTurn,
  type TurnOutcome,
} from './pipeline.ts'
import { NO_TEXTS, textOf, type TextReader } from './schema/event.ts'
import { EVENT_CODES, RULE_CODES, type ReplayColumns, type ReplayConfig } from './schema/replay.ts'
import type { BeliefState } from './schema/trace.ts'
import type { ReplayTurn } from './turns.ts'

/** One turn of a replay, with the state before it (as a trace of it needs). */
export interface ReplayedTurn {
  /** 0-based. */
  readonly turn: number
  readonly seq: number
  readonly state: BeliefState
  readonly outcome: TurnOutcome
}

/** A whole replay: columns for drawing, and the state before each turn. */
export interface Replay {
  readonly columns: ReplayColumns
  readonly states: readonly BeliefState[]
}

/** Options of a replay. By default it starts at the first turn and scans every text. */
export interface ReplayOptions {
  /** Number of the turn to begin with, and the state before it. */
  readonly from?: { readonly turn: number; readonly state: BeliefState }
  readonly scan?: ScanTurn
  /** Reads the texts that the turns do not hold themselves. */
  readonly texts?: TextReader
}

/**
 * Runs turns one after the other, carrying the state. A generator, so that the host can stop, or let
 * others work, between any two turns.
 */
export function* replayTurns(
  pipeline: Pipeline,
  turns: readonly ReplayTurn[],
  { from, scan = scanUnder(unguarded), texts = NO_TEXTS }: ReplayOptions = {},
): Generator<ReplayedTurn, void, undefined> {
  let state = from?.state ?? initialBeliefState
  for (let turn = from?.turn ?? 0; turn < turns.length; turn += 1) {
    const what = turns[turn]
    if (what === undefined) return
    const prepared = prepareTurn(pipeline, textOf(what, texts))
    const outcome = stepPrepared(pipeline, state, prepared, scan(pipeline, prepared, what))
    yield { turn, seq: what.seq, state, outcome }
    state = outcome.state
  }
}

type Place = (domain: string | undefined) => number
type Cell = (replayed: ReplayedTurn, place: Place) => number

/** The columns with one number per turn, and how each number is read. */
const CELLS = {
  seq: ({ seq }) => seq,
  primary: ({ outcome }, place) => place(outcome.primary.domain),
  secondary: ({ outcome }, place) => place(outcome.secondary?.domain),
  primaryScore: ({ outcome }) => outcome.primary.confidence,
  secondaryScore: ({ outcome }) => outcome.secondary?.confidence ?? 0,
  scoredPrimary: ({ outcome }, place) => place(outcome.scored.primary.domain),
  momentum: ({ outcome }) => outcome.state.momentum,
  event: ({ outcome }) => EVENT_CODES.indexOf(outcome.event),
  rule: ({ outcome }) => RULE_CODES.indexOf(outcome.rule),
  resisted: ({ outcome }, place) => place(outcome.resisted?.domain),
  enriched: ({ outcome }) => enrichedBits(outcome.plan),
} satisfies Partial<Record<keyof ReplayColumns, Cell>>

/** Collects replayed turns. `elapsedMs` is the time after which the host's guard cut patterns off. */
export interface ReplayBuilder {
  readonly add: (replayed: ReplayedTurn, elapsedMs?: number) => void
  /** The data collected so far. More turns may be added afterwards. */
  readonly finish: () => Replay
}

/** Starts collecting a replay of this pipeline. `scoreStart[i]` … `scoreStart[i + 1]` index numbers of `scorePairs`. */
export function createReplayBuilder(pipeline: Pipeline, config: ReplayConfig): ReplayBuilder {
  const domains = domainNames(pipeline)
  const places = new Map(domains.map((name, index) => [name, index]))
  const place: Place = (domain) => (domain === undefined ? -1 : (places.get(domain) ?? -1))
  // Plain arrays, because a session may have 100,000 turns.
  const rows = Object.entries<Cell>(CELLS).map(([name, cell]) => {
    const cells: number[] = []
    return { name, cell, cells }
  })
  const states: BeliefState[] = []
  const cutOffs: Array<ReplayColumns['cutOffs'][number]> = []
  const scoreStart = [0]
  const scorePairs: number[] = []
  const ambiguous: Array<NonNullable<ReplayColumns['ambiguous']>[number]> = []
  const hasMargin = (pipeline.preset.belief.abstainMargin ?? null) !== null
  return {
    add: (replayed, elapsedMs = 0) => {
      const { turn, outcome, state } = replayed
      states.push(state)
      for (const { cell, cells } of rows) cells.push(cell(replayed, place))
      for (const { domain, score, barred } of outcome.scored.scores)
        if (barred === null) scorePairs.push(place(domain), score)
      scoreStart.push(scorePairs.length)
      const { ambiguous: found } = outcome
      if (found !== null)
        ambiguous.push({ turn, between: found.between.map(place), lead: found.lead })
      for (const cut of outcome.cutOffs) cutOffs.push({ ...cut, turn, elapsedMs })
    },
    finish: () => {
      const entries = rows.map(({ name, cells }) => [name, cells.slice()])
      const columns = {
        // The columns under the names that the table gives them.
        ...(Object.fromEntries(entries) as Record<keyof typeof CELLS, readonly number[]>),
        config,
        domains,
        turns: states.length,
        ...(pipeline.belief.set.kind === null ? {} : { kind: pipeline.belief.set.kind }),
        scoreStart: scoreStart.slice(),
        scorePairs: scorePairs.slice(),
        ...(hasMargin ? { ambiguous: ambiguous.slice() } : {}),
        threshold: pipeline.belief.rules.options.momentumThreshold,
        cutOffs: cutOffs.slice(),
        warnings: pipeline.gate.warnings,
      }
      return { states: states.slice(), columns }
    },
  }
}
