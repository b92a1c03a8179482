import { prepareScan } from '../../engine/matcher/scan.ts'
import { stepTurn, type TurnOutcome } from '../../engine/pipeline.ts'
import type { Decided } from '../../engine/rows/decision.ts'
import type { SessionState } from '../../engine/rows/open-sessions.ts'
import type { BeliefState } from '../../engine/schema/trace.ts'
import { signalNames } from '../../engine/lab/corpus/signal-name.ts'
import { keepAutomaton, offerAutomaton } from '../automata/current.ts'
import type { CutOffRun } from '../platform/guard/cut-off-run.ts'
import { type TimeLimit, createSlices, moreTime, watchText } from '../platform/guard/guard.ts'
import type { Compiled } from '../rules/pipelines.ts'
import { signalNumber } from '../platform/guard/watchdog.ts'

/** A text and the session that it is the next turn of. */
export interface TurnIn {
  readonly message: string
  readonly of: SessionState
}

/** A turn that was classified, and the state before it. */
export interface Classified extends Decided {
  readonly before: BeliefState
}

/** Classifies turns of many sessions, in the order in which they come. */
export interface TurnClassifier {
  /** Moves the states of the sessions on. One answer a turn, in order. */
  readonly run: (turns: readonly TurnIn[]) => readonly Classified[]
  /** Saves the learned pattern states for the next run (C14). */
  readonly end: () => void
}

interface Parts {
  readonly limit: TimeLimit
  readonly cutOffs: CutOffRun
}

/** UTF-16 units of text after which signals are looked for with the automaton that was made before. */
const WORTH_READING = 30_000

/** Turns run together under one limit: starting one costs more than most turns do. */
const SLICE_MS = 50

/**
 * A classifier under the same watchdog as replays: a slice that is cut off is taken up to the turn that hung,
 * which then runs alone, so that the pattern can be named.
 */
export function createTurnClassifier(
  { pipeline: whole }: Pick<Compiled, 'pipeline'>,
  { limit, cutOffs }: Parts,
): TurnClassifier {
  const names = signalNames(whole)
  const slices = createSlices(limit, cutOffs.budget, SLICE_MS)
  let unread = WORTH_READING

  /** [C14] Reading the automaton takes a fifth of a second: a filter that is given a few lines is done by then. */
  function countText(turns: readonly TurnIn[]): void {
    if (unread <= 0) return
    unread -= turns.reduce((sum, { message }) => sum + message.length, 0)
    if (unread <= 0) offerAutomaton(whole.signals)
  }

  /** Outcomes from turn `from` on, each pushed whole or not at all; what hung leaves no trace in the states. */
  function runSlice(turns: readonly TurnIn[], from: number, into: TurnOutcome[]): void {
    const pipeline = cutOffs.without(whole)
    const until = performance.now() + SLICE_MS
    const moved = new Map<SessionState, BeliefState>()
    for (let at = from; at < turns.length; at += 1) {
      const turn = turns[at]
      if (turn === undefined) return
      const outcome = stepTurn(pipeline, moved.get(turn.of) ?? turn.of.state, turn.message)
      into.push(outcome)
      moved.set(turn.of, outcome.state)
      if (performance.now() >= until) return
    }
  }

  /** One turn that took too long beside others. */
  function runAlone({ message, of }: TurnIn): TurnOutcome {
    const watch = watchText(limit, () => moreTime.onePattern(message.length), cutOffs.budget)
    const outcome = stepTurn(cutOffs.without(whole), of.state, message, watch.guard)
    for (const cut of outcome.cutOffs) {
      const what = { ...cut, elapsedMs: watch.elapsedMs() }
      cutOffs.cutOff(whole, signalNumber(whole, cut), what)
    }
    return outcome
  }

  function decide(outcome: TurnOutcome, { of }: TurnIn): Classified {
    const before = of.state
    of.state = outcome.state
    return { outcome, before, names, off: cutOffs.offIn(whole) }
  }

  return {
    run: (turns) => {
      const decisions: Classified[] = []
      countText(turns)
      while (decisions.length < turns.length) {
        const from = decisions.length
        const outcomes: TurnOutcome[] = []
        prepareScan(cutOffs.without(whole).signals)
        const ran = slices(() => runSlice(turns, from, outcomes))
        for (const outcome of outcomes) {
          const turn = turns[decisions.length]
          if (turn !== undefined) decisions.push(decide(outcome, turn))
        }
        const hung = ran === 'cut off' ? turns[decisions.length] : undefined
        if (hung !== undefined) decisions.push(decide(runAlone(hung), hung))
      }
      return decisions
    },
    end: () => keepAutomaton(whole.signals),
  }
}
