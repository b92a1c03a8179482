import { type Guard, unguarded } from './matcher/scan.ts'
import { initialBeliefState, stepTurn, type Pipeline, type TurnOutcome } from './pipeline.ts'
import { EVENT_CODES, RULE_CODES, type ReplayColumns, type ReplayConfig } from './schema/replay.ts'
import type { BeliefState } from './schema/trace.ts'
import type { Turn } from './turns.ts'

/** One turn of a replay, with the state it started from (what a trace of it needs). */
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

/**
 * Runs turns one after the other, carrying the state. A generator, so that the host can stop, or let
 * others work, between any two turns.
 */
export function* replayTurns(
  pipeline: Pipeline,
  turns: Iterable<Turn>,
  guard: Guard = unguarded,
): Generator<ReplayedTurn, void, undefined> {
  let state = initialBeliefState
  let turn = 0
  for (const { seq, text } of turns) {
    const outcome = stepTurn(pipeline, state, text, guard)
    yield { turn, seq, state, outcome }
    state = outcome.state
    turn += 1
  }
}

/** Columns while they grow: plain arrays, because a session may have 100,000 turns. */
interface Draft {
  readonly states: BeliefState[]
  readonly cutOffs: Array<ReplayColumns['cutOffs'][number]>
  readonly rows: Readonly<Record<RowName, number[]>>
  readonly scoreStart: number[]
  readonly scorePairs: number[]
}

type RowName =
  | 'seq'
  | 'primary'
  | 'secondary'
  | 'primaryScore'
  | 'secondaryScore'
  | 'scoredPrimary'
  | 'momentum'
  | 'event'
  | 'rule'
  | 'resisted'
  | 'enriched'

/** Collects replayed turns. `elapsedMs` is the time after which the host's guard cut patterns off. */
export interface ReplayBuilder {
  readonly add: (replayed: ReplayedTurn, elapsedMs?: number) => void
  readonly finish: () => Replay
}

function row(replayed: ReplayedTurn, place: (domain: string) => number): Record<RowName, number> {
  const { primary, secondary, scored, state, event, rule, resisted, plan } = replayed.outcome
  return {
    seq: replayed.seq,
    primary: place(primary.domain),
    secondary: secondary === null ? -1 : place(secondary.domain),
    primaryScore: primary.confidence,
    secondaryScore: secondary?.confidence ?? 0,
    scoredPrimary: place(scored.primary.domain),
    momentum: state.momentum,
    event: EVENT_CODES.indexOf(event),
    rule: RULE_CODES.indexOf(rule),
    resisted: resisted === null ? -1 : place(resisted.domain),
    enriched: (plan.primary_enrichment ? 1 : 0) + (plan.secondary_enrichment ? 2 : 0),
  }
}

function emptyDraft(): Draft {
  const rows = {
    seq: [],
    primary: [],
    secondary: [],
    primaryScore: [],
    secondaryScore: [],
    scoredPrimary: [],
    momentum: [],
    event: [],
    rule: [],
    resisted: [],
    enriched: [],
  }
  return { states: [], cutOffs: [], rows, scoreStart: [0], scorePairs: [] }
}

/** The configured domains, and the default domain after them when it is not configured (B10). */
function domainNames({ belief }: Pipeline): readonly string[] {
  const names = belief.set.domains.map((domain) => domain.name)
  const { defaultDomain } = belief.rules.options
  return names.includes(defaultDomain) ? names : [...names, defaultDomain]
}

function addTurn(
  draft: Draft,
  replayed: ReplayedTurn,
  place: (domain: string) => number,
  elapsedMs: number,
): void {
  const { turn, outcome } = replayed
  draft.states.push(replayed.state)
  for (const [name, cell] of Object.entries(row(replayed, place)))
    draft.rows[name as RowName].push(cell)
  for (const score of outcome.scored.scores) draft.scorePairs.push(place(score.domain), score.score)
  draft.scoreStart.push(draft.scorePairs.length)
  for (const cut of outcome.cutOffs) draft.cutOffs.push({ ...cut, turn, elapsedMs })
}

/** Starts collecting a replay of this pipeline. `scoreStart[i]` … `scoreStart[i + 1]` index numbers of `scorePairs`. */
export function createReplayBuilder(pipeline: Pipeline, config: ReplayConfig): ReplayBuilder {
  const domains = domainNames(pipeline)
  const places = new Map(domains.map((name, index) => [name, index]))
  const place = (domain: string): number => places.get(domain) ?? -1
  const draft = emptyDraft()
  return {
    add: (replayed, elapsedMs = 0) => addTurn(draft, replayed, place, elapsedMs),
    finish: () => ({
      states: draft.states,
      columns: {
        config,
        domains,
        turns: draft.states.length,
        ...draft.rows,
        scoreStart: draft.scoreStart,
        scorePairs: draft.scorePairs,
        threshold: pipeline.belief.rules.options.momentumThreshold,
        cutOffs: draft.cutOffs,
        warnings: pipeline.gate.warnings,
      },
    }),
  }
}

/** Replays all turns at once. */
export function replay(
  pipeline: Pipeline,
  turns: Iterable<Turn>,
  config: ReplayConfig,
  guard: Guard = unguarded,
): Replay {
  const builder = createReplayBuilder(pipeline, config)
  for (const replayed of replayTurns(pipeline, turns, guard)) builder.add(replayed)
  return builder.finish()
}
