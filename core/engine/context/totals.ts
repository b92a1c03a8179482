import type { SessionContext } from './fold.ts'
import { NOT_IN_FILE } from '../schema/context.ts'
import { sizeOf } from './parts.ts'
import { partLabel, sourceOf } from './source.ts'

/** [X13] Total of the texts that entered contexts under one name. */
export interface SourceTotal {
  readonly label: string
  /** Sessions in which it was in the context of a call. */
  readonly sessions: number
  readonly tokens: number
  /** [X21] In which of the sessions with calls it was loaded; null for parts that are not injected. */
  readonly loaded: 'every' | 'some' | 'never' | null
  /** [X21] Sessions in which the same source was loaded twice or more. */
  readonly repeated: number
}

/** [X13] Sums sources over sessions. */
export interface SourceTotals {
  readonly add: (context: SessionContext) => void
  /** The largest first, then those of `known` that no session loaded. */
  readonly list: (known?: readonly string[]) => readonly SourceTotal[]
}

interface Sum {
  sessions: number
  tokens: number
  repeated: number
  isInjected: boolean
}

/** Each text counts once. Content that is not in the file counts once per session, with its first call. */
export function createTotals(): SourceTotals {
  const totals = new Map<string, Sum>()
  let sessions = 0
  return {
    add(context) {
      sessions += 1
      for (const [label, own] of ofSession(context)) {
        const total = totals.get(label) ?? {
          sessions: 0,
          tokens: 0,
          repeated: 0,
          isInjected: own.loads.size > 0,
        }
        total.sessions += 1
        total.tokens += own.tokens
        if ([...own.loads.values()].some((loads) => loads > 1)) total.repeated += 1
        totals.set(label, total)
      }
    },
    list: (known = []) => [
      ...[...totals]
        .map(([label, { isInjected, tokens, ...sum }]): SourceTotal => ({
          label,
          sessions: sum.sessions,
          tokens: Math.round(tokens),
          loaded: isInjected ? (sum.sessions === sessions ? 'every' : 'some') : null,
          repeated: sum.repeated,
        }))
        .toSorted((a, b) => b.tokens - a.tokens || (a.label < b.label ? -1 : 1)),
      ...[...new Set(known)]
        .filter((label) => !totals.has(label))
        .toSorted()
        .map((label): SourceTotal => ({
          label,
          sessions: 0,
          tokens: 0,
          loaded: 'never',
          repeated: 0,
        })),
    ],
  }
}

interface OfSession {
  tokens: number
  /** Loads of injected texts by the path of their source: two files may share a name. */
  readonly loads: Map<string, number>
}

function ofSession(context: SessionContext): ReadonlyMap<string, OfSession> {
  const { events, before, sums, calls } = context
  const found = new Map<string, OfSession>()
  const at = (label: string): OfSession => {
    const own = found.get(label) ?? { tokens: 0, loads: new Map() }
    found.set(label, own)
    return own
  }
  const [first] = calls
  const end = calls.at(-1)?.to ?? 0
  // Texts before a branch count with the session that contains them.
  for (let place = before; place < end; place += 1) {
    const event = events[place]
    const size = (sums[place + 1] ?? 0) - (sums[place] ?? 0)
    if (event === undefined || size === 0) continue
    const own = at(partLabel(event))
    own.tokens += size
    if (event.kind !== 'injected') continue
    const path = sourceOf(event).path ?? ''
    own.loads.set(path, (own.loads.get(path) ?? 0) + 1)
  }
  const rest = first === undefined || before > 0 ? 0 : sizeOf(context, first).rest
  if (rest > 0) at(NOT_IN_FILE).tokens += rest
  return found
}
