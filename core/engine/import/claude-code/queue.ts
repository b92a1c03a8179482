import {
  draft,
  freshText,
  setEvents,
  type EventDraft,
  type Origin,
  type SessionDraft,
} from '../shared/drafts.ts'
import { textAt, type JsonObject } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { partsOfUserText, typedAs } from '../shared/user-text.ts'

/** Texts that wait at most; an older one is settled. Keeps a hostile file from costing square time. */
const MAX_WAITING = 50

/** What a queued text becomes when it is sent. */
const SENT: ReadonlySet<string> = new Set(['user', 'command', 'notification', 'injected'])

interface Waiting {
  readonly content: string
  readonly session: SessionDraft
  /** Its events. They are removed from the session if the text is found elsewhere. */
  readonly events: readonly EventDraft[]
}

/**
 * [I6] What a person typed while the agent worked is written as an `enqueue` operation, and normally
 * again as a record when it is sent. It is kept where it was typed only if it turns up nowhere else
 * and was not taken back into the prompt (`popAll`).
 */
export interface Queue {
  operation(record: JsonObject, origin: Origin, session: SessionDraft): void
  seen(events: readonly EventDraft[]): void
  settle(): void
}

export function createQueue(log: ImportLog): Queue {
  let waiting: Waiting[] = []
  const removed = new Set<EventDraft>()
  const touched = new Set<SessionDraft>()

  const drop = (item: Waiting): void => {
    for (const event of item.events) removed.add(event)
    touched.add(item.session)
    log.skip('queue-operation/enqueue')
  }
  const dropWhere = (isIt: (item: Waiting) => boolean): void => {
    const gone = waiting.filter(isIt)
    if (gone.length === 0) return
    waiting = waiting.filter((item) => !gone.includes(item))
    gone.forEach(drop)
  }

  return {
    operation(record, origin, session) {
      const operation = textAt(record, 'operation') ?? 'unknown'
      const content = textAt(record, 'content')?.trim() ?? ''
      if (operation !== 'enqueue' || content === '') {
        log.skip(`queue-operation/${operation}`)
        if (operation === 'popAll') dropWhere((item) => item.content === content)
        return
      }
      const parts = partsOfUserText(content, typedAs('user'))
      const events = parts.map((part) =>
        draft(part.kind, part.text, origin, { name: part.rule ?? 'queued' }),
      )
      session.events.push(...events)
      waiting.push({ content, session, events })
      if (waiting.length > MAX_WAITING) waiting.shift()
    },
    seen(events) {
      if (waiting.length === 0) return
      const texts = events.filter((event) => SENT.has(event.kind)).map(freshText)
      dropWhere((item) => texts.some((text) => text.includes(item.content)))
    },
    settle() {
      for (const session of touched)
        setEvents(
          session,
          session.events.filter((event) => !removed.has(event)),
        )
    },
  }
}
