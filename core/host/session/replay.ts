import { prepareScan } from '../../engine/matcher/scan.ts'
import { type Pipeline, type ScanTurn, initialBeliefState } from '../../engine/pipeline.ts'
import {
  type Replay,
  type ReplayBuilder,
  type ReplayedTurn,
  createReplayBuilder,
  replayTurns,
} from '../../engine/replay.ts'
import {
  type SessionEvent,
  NO_TEXTS,
  type SessionTexts,
  type TextReader,
  textOf,
} from '../../engine/schema/event.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { BeliefState, TurnTrace } from '../../engine/schema/trace.ts'
import type { Recorded } from '../../engine/textless/scans.ts'
import { textlessTurn } from '../../engine/textless/schema.ts'
import { editsOf, skillsUsed } from '../../engine/skills/edits.ts'
import { traceEdit } from '../../engine/skills/file-triggers.ts'
import { traceTurn as traceOne } from '../../engine/trace.ts'
import type { EditTrace } from '../../engine/schema/edit-trace.ts'
import { turnsOf } from '../../engine/turns.ts'
import { type TimeLimit, createSlices, moreTime, watchText } from '../shared/guard.ts'
import type { Compiled } from '../shared/pipelines.ts'
import { type ScanCache, createScanCache } from './scan-cache.ts'
import { recordedOf, scanOr } from './textless.ts'
import type { CutOffBudget } from '../shared/cut-off-budget.ts'
import { keepAutomaton, offerAutomaton } from '../shared/automata/current.ts'
import { type CutOffRun, createCutOffRun } from '../shared/cut-off-run.ts'
import { signalNumber, withoutSignals } from '../shared/watchdog.ts'
import { createBreath } from '../shared/yielding.ts'

/** A finished replay of one session, with all that a trace of any of its turns needs. */
export interface SessionReplay extends Replay {
  readonly compiled: Compiled
  readonly turns: readonly SessionEvent[]
  /** Where the texts of the turns are. */
  readonly texts: TextReader
  /** Signals that did not take part in a turn because the watchdog cut them off, by turn. */
  readonly missing: ReadonlyMap<number, ReadonlySet<number>>
  /** Text injected at each turn. */
  readonly enrichments: readonly string[]
  /** Turn of a classified event, by `seq`. */
  readonly turnOf: ReadonlyMap<number, number>
  /** [U120] What was recorded of texts that were left out; null where they are there. */
  readonly recorded: Recorded | null
  /** The state behind the last turn. */
  readonly end: BeliefState
  /** [K24] All events of the session as it was replayed. */
  readonly session: ReplayedSession
}

interface ReplayOptions {
  readonly limit: TimeLimit
  readonly signal: AbortSignal
  /** What earlier replays of the same session found. */
  readonly scans?: ScanCache
  /** What patterns have cost by now; without it, the replay is a run of its own. */
  readonly cutOffs?: CutOffRun
  /** Turns done, turns in all. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Turns run together under one limit: starting one costs more than most turns do. */
const SLICE_MS = 10

/**
 * Replays a session in slices, letting the event loop run in between. A slice that is cut off is
 * committed up to the turn that hung; that turn then runs alone, so that the pattern can be named.
 */
export function replaySession(
  compiled: Compiled,
  session: Session,
  options: ReplayOptions,
): Promise<SessionReplay> {
  const { limit, scans = createScanCache(), cutOffs } = options
  return createGrowingReplay(compiled, limit, scans, cutOffs).extend(session, options)
}

/** A session, or as much of one as a replay needs. */
type ReplayedSession = SessionTexts & Pick<Session, 'extras' | 'cwd'>

/** A replay that goes on from its last state when its session has grown. */
export interface GrowingReplay {
  /**
   * [I57] Replays what is new; the result is that of a whole replay. The events given before must
   * stand at the beginning. One call at a time; a cancelled one is taken up by the next.
   */
  extend(
    session: ReplayedSession,
    options: Pick<ReplayOptions, 'signal' | 'onProgress'>,
  ): Promise<SessionReplay>
}

export function createGrowingReplay(
  compiled: Compiled,
  limit: TimeLimit,
  scans: ScanCache,
  cutOffs: CutOffRun = createCutOffRun(),
): GrowingReplay {
  const run = createRun(compiled, { limit, scans, cutOffs })
  return {
    extend: async (session, { signal, onProgress }) => {
      const { events, texts, ...head } = session
      // Turns only ever come after those before: the last output of the agent is none until it acts again.
      const turns = turnsOf(events, compiled.classify)
      run.turns(turns, texts, recordedOf(head, compiled.pipeline))
      // Not when the pipeline is made: the first rows of a file wait for that, and need no automaton.
      offerAutomaton(compiled.pipeline.signals)
      const breath = createBreath(signal)
      onProgress?.(run.done(), turns.length)
      while (run.done() < turns.length) {
        run.slice()
        onProgress?.(run.done(), turns.length)
        await breath()
      }
      onProgress?.(turns.length, turns.length)
      keepAutomaton(compiled.pipeline.signals)
      return { ...run.finish(), session }
    },
  }
}

interface Run {
  /** All turns by now, beginning with those that were given before, and what was recorded of texts that are not there. */
  turns(all: readonly SessionEvent[], texts: TextReader, recorded: Recorded | null): void
  /** Works for about one slice. */
  slice(): void
  done(): number
  finish(): Omit<SessionReplay, 'session'>
}

interface RunParts {
  readonly limit: TimeLimit
  readonly scans: ScanCache
  readonly cutOffs: CutOffRun
}

function createRun(compiled: Compiled, { limit, scans, cutOffs }: RunParts): Run {
  const builder: ReplayBuilder = createReplayBuilder(compiled.pipeline, compiled.config)
  const troubles = createTroubles(compiled.pipeline, cutOffs)
  const slices = createSlices(limit, cutOffs.budget, SLICE_MS)
  const enrichments = createTexts()
  const turnOf = new Map<number, number>()
  let turns: readonly SessionEvent[] = []
  let texts = NO_TEXTS
  let state: BeliefState = initialBeliefState
  let done = 0
  let recorded: Recorded | null = null

  function commit(replayed: ReplayedTurn, elapsedMs: number): void {
    builder.add(replayed, elapsedMs)
    troubles.note(replayed, elapsedMs)
    enrichments.add(replayed.outcome.enrichment)
    turnOf.set(replayed.seq, done)
    state = replayed.outcome.state
    done += 1
  }

  /** The turns that are not done yet. */
  function rest(looking: ScanTurn): Generator<ReplayedTurn, void> {
    const scan = scanOr(recorded, looking)
    return replayTurns(troubles.pipeline(), turns, { from: { turn: done, state }, scan, texts })
  }

  /** Each turn is pushed whole or not at all, so what a cut-off left behind can be trusted. */
  function runSlice(into: ReplayedTurn[]): void {
    const until = performance.now() + SLICE_MS
    for (const replayed of rest(scans.scan())) {
      into.push(replayed)
      if (performance.now() >= until) return
    }
  }

  return {
    turns: (all, reader, known) => {
      ;[turns, texts, recorded] = [all, reader, known]
    },
    slice: () => {
      const finished: ReplayedTurn[] = []
      prepareScan(troubles.pipeline().signals)
      const ran = slices(() => runSlice(finished))
      for (const replayed of finished) commit(replayed, 0)
      if (ran === 'cut off' && done < turns.length) {
        const more = () => moreTime.onePattern(turns[done]?.chars ?? 0)
        const watch = watchText(limit, more, cutOffs.budget)
        const alone = rest(scans.scan(watch.guard)).next()
        if (alone.done !== true) commit(alone.value, watch.elapsedMs())
      }
    },
    done: () => done,
    finish: () => {
      const { states, columns } = builder.finish()
      const warnings = [...compiled.warnings, ...troubles.warnings()]
      const missing = troubles.missing()
      return {
        ...{ states, columns: { ...columns, warnings }, compiled, turns, texts },
        ...{ missing, enrichments: enrichments.all.slice(), turnOf, recorded, end: state },
      }
    },
  }
}

/** Collects texts. A long session has a few different ones: equal ones are kept once. */
function createTexts(): { readonly all: readonly string[]; add(text: string): void } {
  const known = new Map<string, string>()
  const all: string[] = []
  return {
    all,
    add: (text) => {
      const same = known.get(text) ?? text
      known.set(same, same)
      all.push(same)
    },
  }
}

interface Troubles {
  /** Without the signals that are switched off by now. */
  pipeline(): Pipeline
  note(replayed: ReplayedTurn, elapsedMs: number): void
  warnings(): string[]
  missing(): ReadonlyMap<number, ReadonlySet<number>>
}

/** [T61] Switches a pattern off at its first cut-off, for the rest of the run. */
function createTroubles(whole: Pipeline, run: CutOffRun): Troubles {
  const missing = new Map<number, ReadonlySet<number>>()
  const warnings: string[] = []
  return {
    pipeline: () => run.without(whole),
    note: ({ turn, outcome }, elapsedMs) => {
      const cut = outcome.cutOffs.map((each) => ({ ...each, number: signalNumber(whole, each) }))
      const off = run.offIn(whole)
      if (off.size + cut.length > 0) {
        missing.set(turn, new Set([...off, ...cut.map((each) => each.number)]))
      }
      for (const { number, domain, signal, pattern, chars } of cut) {
        run.cutOff(whole, number, { domain, signal, pattern, chars, elapsedMs })
        warnings.push(
          `pattern ${pattern} of ${domain} was cut off and is switched off from turn ${turn + 2} on`,
        )
      }
    },
    warnings: () => warnings,
    missing: () => missing,
  }
}

/** The whole reason of one turn, exactly as it was replayed: signals cut off then stay out. */
export function traceTurn(
  replay: SessionReplay,
  turn: number,
  limit: TimeLimit,
  budget?: CutOffBudget,
): TurnTrace {
  const { compiled, turns, texts, states, missing, recorded } = replay
  const state = states[turn]
  const event = turns[turn]
  if (!state || !event) throw new RangeError(`there is no turn ${turn}`)
  const off = missing.get(turn) ?? new Set<number>()
  const trace = traceEvent({ compiled, event, texts, turn, state, off, recorded }, limit, budget)
  return isSkills(compiled) ? { ...trace, edits: editsAfter(replay, turn, limit) } : trace
}

const isSkills = ({ pipeline }: Compiled): boolean => pipeline.belief.set.kind === 'skill-rules'

/** [K24] What file triggers say of the files that were edited from a turn to the next. */
export function editsAfter(
  { compiled, turns, session }: SessionReplay,
  turn: number,
  limit: TimeLimit,
): readonly EditTrace[] {
  const { events, texts, cwd } = session
  const from = (turns[turn]?.seq ?? -1) + 1
  const to = turns[turn + 1]?.seq ?? events.length
  const edits = editsOf(events.slice(from, to), texts, cwd)
  if (edits.length === 0) return []
  const { domains } = compiled.pipeline.belief.set
  const used = skillsUsed(events.slice(0, to), texts)
  return edits.map((edit) => {
    const { guard } = watchText(limit, () => moreTime.allPatterns(edit.text.length))
    return traceEdit(domains, { edit, used, guard })
  })
}

/** An event that is classified, at its place. */
interface PlacedTurn {
  readonly compiled: Compiled
  readonly event: SessionEvent
  readonly texts: TextReader
  readonly turn: number
  /** Before it. */
  readonly state: BeliefState
  /** Numbers of signals that do not take part. */
  readonly off: ReadonlySet<number>
  readonly recorded?: Recorded | null
}

/** The same of an event that need not be in the session, from the state before it. */
export function traceEvent(
  { compiled, event, texts, turn, state, off, recorded }: PlacedTurn,
  limit: TimeLimit,
  budget?: CutOffBudget,
): TurnTrace {
  const pipeline = withoutSignals(compiled.pipeline, off)
  const { seq, kind } = event
  const text = textOf(event, texts)
  const trace = traceOne(
    pipeline,
    { turn, seq, kind, text, state, known: recorded?.(textlessTurn(event), text) },
    watchText(limit, () => moreTime.allPatterns(text.length), budget).guard,
  )
  return off.size === 0 ? trace : markMissing(trace, compiled.pipeline, off)
}

function markMissing(trace: TurnTrace, pipeline: Pipeline, off: ReadonlySet<number>): TurnTrace {
  const isOff = (domain: string, signal: number) =>
    off.has(signalNumber(pipeline, { domain, signal }))
  return {
    ...trace,
    domains: trace.domains.map((domain) => ({
      ...domain,
      signals: domain.signals.map((signal) =>
        isOff(domain.domain, signal.index) ? { ...signal, cutOff: true } : signal,
      ),
    })),
    warnings: [
      ...[...off].map(
        (number) =>
          `pattern ${pipeline.signals[number]?.pattern ?? ''} was cut off and counts as not matched`,
      ),
      ...trace.warnings,
    ],
  }
}
