import type { SessionContext } from './fold.ts'
import { NOT_IN_FILE } from '../schema/context.ts'
import { sizeOf } from './parts.ts'
import { partLabel } from './source.ts'

/** [X13] Total of the texts that entered contexts under one name. */
export interface SourceTotal {
  readonly label: string
  /** Sessions in which it was in the context of a call. */
  readonly sessions: number
  readonly tokens: number
}

/** [X13] Sums sources over sessions. */
export interface SourceTotals {
  readonly add: (context: SessionContext) => void
  /** The largest first. */
  readonly list: () => readonly SourceTotal[]
}

/** Each text counts once. Content that is not in the file counts once per session, with its first call. */
export function createTotals(): SourceTotals {
  const totals = new Map<string, { sessions: number; tokens: number }>()
  return {
    add(context) {
      for (const [label, tokens] of ofSession(context)) {
        const total = totals.get(label) ?? { sessions: 0, tokens: 0 }
        total.sessions += 1
        total.tokens += tokens
        totals.set(label, total)
      }
    },
    list: () =>
      [...totals]
        .map(([label, { sessions, tokens }]) => ({ label, sessions, tokens: Math.round(tokens) }))
        .toSorted((a, b) => b.tokens - a.tokens || (a.label < b.label ? -1 : 1)),
  }
}

function ofSession(context: SessionContext): ReadonlyMap<string, number> {
  const { events, before, sums, calls } = context
  const found = new Map<string, number>()
  const [first] = calls
  const end = calls.at(-1)?.to ?? 0
  // Texts before a branch count with the session that contains them.
  for (let place = before; place < end; place += 1) {
    const event = events[place]
    const size = (sums[place + 1] ?? 0) - (sums[place] ?? 0)
    if (event === undefined || size === 0) continue
    const label = partLabel(event)
    found.set(label, (found.get(label) ?? 0) + size)
  }
  const rest = first === undefined || before > 0 ? 0 : sizeOf(context, first).rest
  if (rest > 0) found.set(NOT_IN_FILE, rest)
  return found
}
