import type { SessionEvent } from '../schema/event.ts'

/** A tool by its name, and how many events have it. */
interface NamedTool {
  readonly name: string
  readonly count: number
}

/** Names that are listed: a session with more tools than that writes them itself. */
const MOST = 500

/**
 * [F8] Names that `tool:` can find, most often used first, then by name. Results count only for a tool without calls,
 * so that a call and its result are one use.
 */
export function toolNames(
  events: ReadonlyArray<Pick<SessionEvent, 'kind' | 'name'>>,
): readonly NamedTool[] {
  const calls = new Map<string, number>()
  const results = new Map<string, number>()
  for (const { kind, name } of events) {
    if (name === null || name === '') continue
    const counts = kind === 'tool_call' ? calls : kind === 'tool_result' ? results : null
    counts?.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...new Map([...results, ...calls])]
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
}
