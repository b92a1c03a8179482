import { textOf } from '../../schema/event.ts'
import { draft, type EventDraft, type Origin } from './drafts.ts'
import type { SessionWriter } from './session-writer.ts'

/** Facts about a whole run as `meta` events; empty ones and what the last event says already are left out. */
export function runResult(
  facts: ReadonlyArray<readonly [name: string, text: string]>,
  { session, texts }: SessionWriter,
  origin: Origin,
): readonly EventDraft[] {
  const last = session.events.at(-1)
  return facts
    .filter(([, fact]) => fact.trim() !== '')
    .filter(([, fact]) => last?.chars !== fact.length || textOf(last, texts) !== fact)
    .map(([name, fact]) => draft('meta', fact, origin, { name }))
}
