import type { z } from 'zod'
import type { EventIndex, Grown, Opened } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import { emptyLink } from './link.ts'
import { idle, ready, valueOf } from './async-data.ts'
import { failureOf, host } from './host.ts'
import { replayGrown, startSession } from './replay.ts'
import { selectedTurn } from './selectors.ts'
import { patchDocument, patchSession, patchView, store } from './store.ts'
import { alone } from './timing.ts'

/**
 * [U2] Handles new content of the opened file. Another generation means a different file, and everything is read again.
 */
export function onGrown(message: Immutable<z.infer<typeof Grown>>): void {
  const { document } = store.getState()
  const before = valueOf(document.opened)
  if (!before) return
  const { generation } = message
  const opened: Immutable<Opened> = { ...before, ...message, kind: 'opened' }
  const moreProblems = opened.problems !== before.problems
  patchDocument({ opened: ready(opened), ...(moreProblems ? { problems: idle } : {}) })
  if (generation === document.generation) void extendIndex()
  else startAgain(generation, opened)
}

/** [U3] Drops all results computed for the old file. The selection stays at the same turn, if it still exists. */
function startAgain(generation: number, opened: Immutable<Opened>): void {
  const state = store.getState()
  const turn = selectedTurn(state)
  const { index } = state.session
  patchDocument({ generation, problems: idle })
  if (opened.sessions.length > 0)
    startSession(opened.sessions[index] ? index : 0, {
      ...emptyLink,
      turn: turn === null ? null : turn + 1,
    })
}

/** Fetches the index of events that came since; one question at a time. */
const extendIndex = alone(async () => {
  try {
    while (await extendOnce()) {
      // Until nothing is new.
    }
  } catch (error) {
    patchView({ notice: failureOf(error, 'New events') })
  }
})

/** True when events were added. */
async function extendOnce(): Promise<boolean> {
  const { document, session } = store.getState()
  const opened = valueOf(document.opened)
  const events = valueOf(session.events)
  const head = opened?.sessions[session.index]
  if (!opened || !events || !head || head.events <= events.kind.length) return false
  const from = events.kind.length
  const more = await host().call('session.index', { key: opened.key, session: session.index, from })
  const now = store.getState()
  const same =
    valueOf(now.document.opened)?.key === opened.key &&
    now.document.generation === document.generation &&
    now.session.events === session.events
  if (!same) return now.session.index === session.index
  if (more.kind.length === 0) return false
  patchSession({ events: ready(joined(events, more)) })
  replayGrown()
  return true
}

function joined(events: EventIndex, more: EventIndex): EventIndex {
  return {
    kind: events.kind.concat(more.kind),
    at: events.at.concat(more.at),
    chars: events.chars.concat(more.chars),
    exchange: events.exchange.concat(more.exchange),
  }
}
