import { draft, type EventDraft, type Origin } from './drafts.ts'

/** Facts about a whole run as `meta` events; empty ones and what the last event says already are left out. */
export function runResult(
  facts: ReadonlyArray<readonly [name: string, text: string]>,
  events: readonly EventDraft[],
  origin: Origin,
): readonly EventDraft[] {
  const last = events.at(-1)
  return facts
    .filter(([, fact]) => fact.trim() !== '')
    .filter(([, fact]) => last?.chars !== fact.length || last.text !== fact)
    .map(([name, fact]) => draft('meta', fact, origin, { name }))
}
