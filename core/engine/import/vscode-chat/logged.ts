import { setEvents, type SessionDraft } from '../shared/drafts.ts'
import { listAt } from '../shared/guards.ts'
import type { RawRecord } from '../source.ts'
import { addTurn, newChat, takeFacts } from './chat.ts'
import { createChatState, type Change, type ChatState } from './state.ts'
import { turnOf, type Turn } from './turn.ts'

const LIST = 'requests'

/** [I121] A chat that is kept as a log of changes. Its requests are read when somebody looks. */
export interface LoggedChat {
  readonly main: SessionDraft
  /** False for a change that does not fit what is there. */
  readonly apply: (change: Change, record: RawRecord) => boolean
  /** Puts the events in order, after changes. */
  readonly settle: () => void
  readonly others: () => readonly SessionDraft[]
  /** Kinds of what its requests have and do not show, once each time they occur. */
  readonly skipped: () => readonly string[]
}

interface ReadTurn {
  readonly turn: Turn
  readonly skipped: readonly string[]
}

export function createLoggedChat(main: SessionDraft): LoggedChat {
  const state = createChatState()
  // What a request was read as, until it changes.
  let turns: Array<ReadTurn | undefined> = []
  let others: readonly SessionDraft[] = []
  let changed = false

  const forget = ([root, index]: Change['path']): void => {
    if (root !== undefined && root !== LIST) return
    if (typeof index === 'number') turns[index] = undefined
    else turns = []
  }
  return {
    main,
    apply(change, record) {
      if (!state.apply(change, record)) return false
      changed = true
      forget(change.path)
      return true
    },
    settle() {
      if (!changed) return
      changed = false
      const requests = listAt(state.value, LIST)
      const collected = newChat({ ...main, events: [] })
      // A change may take them back.
      main.title = null
      main.startedAt = null
      takeFacts(state.value, main)
      for (const [at, request] of requests.entries()) {
        const read = turns[at] ?? readTurn(request, state)
        turns[at] = read
        addTurn(collected, read.turn)
      }
      turns.length = requests.length
      setEvents(main, collected.main.events)
      others = collected.others
    },
    others: () => others,
    skipped: () => turns.flatMap((read) => read?.skipped ?? []),
  }
}

function readTurn(request: unknown, state: ChatState): ReadTurn {
  const skipped: string[] = []
  const ref = state.placeOf(request, { offset: 0, length: 0, line: 1 })
  const turn = turnOf(request, ref, {
    skip: (type) => skipped.push(type),
    placeOf: state.placeOf,
    // Counted, not listed: a log is read again when it grew, and a problem would be listed twice.
    unknown: (_part, _ref, kind) => skipped.push(`response/${kind} (unknown)`),
  })
  return { turn, skipped }
}
