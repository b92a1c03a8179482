import { prepareScan } from '../../../engine/matcher/scan.ts'
import { type Pipeline, type ScanTurn, initialBeliefState } from '../../../engine/pipeline.ts'
import {
  type Replay,
  type ReplayBuilder,
  type ReplayedTurn,
  createReplayBuilder,
  replayTurns,
} from '../../../engine/replay.ts'
import { type SessionEvent, NO_TEXTS, type TextReader } from '../../../engine/schema/event.ts'
import type { BeliefState } from '../../../engine/schema/trace.ts'
import type { Recorded } from '../../../engine/textless/scans.ts'
import type { CutOffRun } from '../../platform/guard/cut-off-run.ts'
import { type TimeLimit, createSlices, moreTime, watchText } from '../../platform/guard/guard.ts'
import type { Compiled } from '../../rules/pipelines.ts'
import { signalNumber } from '../../platform/guard/watchdog.ts'
import type { ScanCache } from './scan-cache.ts'
import { scanOr } from './textless.ts'

/** Turns run together under one limit: starting one costs more than most turns do. */
const SLICE_MS = 10

/** Result of a run: the replay of its turns, with the data for a trace of any turn. */
export interface FinishedRun extends Replay {
  readonly compiled: Compiled
  readonly turns: readonly SessionEvent[]
  /** Reads the texts of the turns. */
  readonly texts: TextReader
  /** Signals that did not take part in a turn because the watchdog cut them off, by turn. */
  readonly missing: ReadonlyMap<number, ReadonlySet<number>>
  /** Text injected at each turn. */
  readonly enrichments: readonly string[]
  /** Turn of a classified event, by `seq`. */
  readonly turnOf: ReadonlyMap<number, number>
  /** [U120] The recording of omitted texts; null if the texts are present. */
  readonly recorded: Recorded | null
  /** The state behind the last turn. */
  readonly end: BeliefState
}

/** The work of a replay: turn after turn, a slice at a time. */
interface ReplayRun {
  /** Sets all turns so far, beginning with those given before, and the recording of omitted texts. */
  turns(all: readonly SessionEvent[], texts: TextReader, recorded: Recorded | null): void
  /** Works for about one slice. */
  slice(): void
  done(): number
  finish(): FinishedRun
}

interface RunParts {
  readonly limit: TimeLimit
  readonly scans: ScanCache
  readonly cutOffs: CutOffRun
}

/** A run over the turns of one session. A slice that is cut off is committed up to the turn that hung, which then runs alone. */
export function createReplayRun(compiled: Compiled, parts: RunParts): ReplayRun {
  const { limit, scans, cutOffs } = parts
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

  /** Each turn is pushed completely or not at all, so the result of a cut-off slice is valid. */
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
        states,
        columns: { ...columns, warnings },
        compiled,
        turns,
        texts,
        missing,
        enrichments: enrichments.all.slice(),
        turnOf,
        recorded,
        end: state,
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
  /** The pipeline without the signals disabled so far. */
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
