import { initialBeliefState } from '../belief/momentum.ts'
import { err, ok, type Result } from '../result.ts'
import type { EventKind } from '../schema/event-kind.ts'
import { isNotice } from '../notices.ts'
import type { ClassifyKinds } from '../schema/preset.ts'
import type { BeliefState } from '../schema/trace.ts'

/** A row that may be a turn of a session. */
export interface SessionRow {
  /** Equal keys: the same session. */
  readonly session: string
  readonly turn: number
  readonly kind: EventKind
  readonly message: string
}

/** State passed between the turns of one session. */
export interface SessionState {
  state: BeliefState
}

/** A row and its session; null if the row is not classified (L8). */
export interface PlacedRow<R> {
  readonly row: R
  readonly of: SessionState | null
}

/** Data kept for a session between two of its rows. */
interface Open<R> extends SessionState {
  turn: number
  /** [L8] An agent's output, which is a turn if the agent acts again before the user speaks. */
  held: R | null
}

/** Sessions whose rows come one by one, in any mixture. */
export interface OpenSessions<R extends SessionRow> {
  /**
   * Takes the next row and returns the rows that are ready, in the order of their answers. An agent's output waits for
   * the next row of its session. Fails if the session was already past this turn.
   */
  readonly take: (row: R) => Result<ReadonlyArray<PlacedRow<R>>, string>
  /** No row comes any more: those that waited, which are no turns. */
  readonly end: () => ReadonlyArray<PlacedRow<R>>
  /** Number of sessions evicted so far to stay within the limit. */
  readonly dropped: () => number
}

/** Next actor, by the kind of the session's next row. It settles the meaning of the agent's output before that row. */
const NEXT_ACT: Partial<Record<EventKind, 'person' | 'agent'>> = {
  user: 'person',
  agent: 'agent',
  tool_call: 'agent',
  tool_result: 'agent',
}

/** Nothing came that says that the agent acted again. */
function unsettled<R>(open: Open<R>): ReadonlyArray<PlacedRow<R>> {
  const { held } = open
  open.held = null
  return held === null ? [] : [{ row: held, of: null }]
}

/** [F112] Keeps at most `limit` sessions. Evicts the least recently used one, which restarts if it occurs again. */
export function createOpenSessions<R extends SessionRow>(
  classify: ClassifyKinds,
  limit: number,
): OpenSessions<R> {
  const sessions = new Map<string, Open<R>>()
  let dropped = 0

  function letGo(): ReadonlyArray<PlacedRow<R>> {
    if (sessions.size <= limit) return []
    const [first] = sessions
    if (first === undefined) return []
    const [oldest, open] = first
    sessions.delete(oldest)
    dropped += 1
    return unsettled(open)
  }

  /** Returns the waiting output, if this row determines its meaning. */
  function settle(open: Open<R>, kind: EventKind): ReadonlyArray<PlacedRow<R>> {
    const act = NEXT_ACT[kind]
    const { held } = open
    if (held === null || act === undefined) return []
    open.held = null
    return [{ row: held, of: act === 'agent' ? open : null }]
  }

  function place(open: Open<R>, row: R): ReadonlyArray<PlacedRow<R>> {
    const { kind, message } = row
    const before = settle(open, kind)
    if (kind === 'agent' && classify.agent && message.trim() !== '') {
      open.held = row
      return before
    }
    const isTurn =
      (kind === 'user' && classify.user) ||
      (kind === 'tool_result' &&
        classify.tool &&
        (classify.notices !== false || !isNotice(message)))
    return [...before, { row, of: isTurn ? open : null }]
  }

  return {
    take: (row) => {
      const known = sessions.get(row.session)
      if (known !== undefined && row.turn <= known.turn)
        return err(
          `turn ${row.turn} comes after turn ${known.turn} of the same session: sort the rows of a session by turn`,
        )
      const open = known ?? { state: initialBeliefState, turn: row.turn, held: null }
      open.turn = row.turn
      // Behind all others: its row is the newest.
      sessions.delete(row.session)
      sessions.set(row.session, open)
      return ok([...letGo(), ...place(open, row)])
    },
    end: () => [...sessions.values()].flatMap(unsettled),
    dropped: () => dropped,
  }
}
