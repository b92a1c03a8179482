import type { SessionTexts } from '../../../engine/schema/event.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { turnsOf } from '../../../engine/turns.ts'
import { keepAutomaton, offerAutomaton } from '../../automata/current.ts'
import { type CutOffRun, createCutOffRun } from '../../platform/guard/cut-off-run.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import type { Compiled } from '../../rules/pipelines.ts'
import { createBreath } from '../../platform/threads/yielding.ts'
import { type FinishedRun, createReplayRun } from './replay-run.ts'
import { type ScanCache, createScanCache } from './scan-cache.ts'
import { recordedOf } from './textless.ts'

/** A finished replay of one session, with all that a trace of any of its turns needs. */
export interface SessionReplay extends FinishedRun {
  /** [K24] All events of the session as it was replayed. */
  readonly session: ReplayedSession
  /** Number of events when the turns were chosen. The session may have grown since. */
  readonly events: number
}

interface ReplayOptions {
  readonly limit: TimeLimit
  readonly signal: AbortSignal
  /** Scan results of earlier replays of the same session. */
  readonly scans?: ScanCache
  /** Pattern costs so far; without it, the replay is a separate run. */
  readonly cutOffs?: CutOffRun
  /** Turns done, turns in all. */
  readonly onProgress?: (done: number, total: number) => void
}

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

/** A replay that resumes from its last state when its session has grown. */
export interface GrowingReplay {
  /**
   * [I57] Replays the new events; the result equals a full replay. The events given before must be at the beginning.
   * One call at a time; a cancelled call is resumed by the next.
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
  const run = createReplayRun(compiled, { limit, scans, cutOffs })
  return {
    extend: async (session, { signal, onProgress }) => {
      const { events, texts, ...head } = session
      const seen = events.length
      // New turns only follow earlier ones: the last output of the agent is not a turn until the agent acts again.
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
      return { ...run.finish(), session, events: seen }
    },
  }
}
