import { contextTokens } from '../../../engine/schema/context.ts'
import type { ContextCall } from '../../../engine/context/fold.ts'
import { partsOf, type CallParts } from '../../../engine/context/parts.ts'
import type { SessionEvent } from '../../../engine/schema/event.ts'
import type { ShownCall } from '../../../wire/context.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readContext, type ContextReading } from '../read-context.ts'

/** [X12] Parts of one answer. */
const MAX_PARTS = 300

interface Kept {
  readonly profile: string | null
  readonly reading: Promise<ContextReading>
}

/** What was in the context, of an opened session. A session that has grown has other events, and is read again. */
export function createContextHandlers(
  service: SessionService,
  workspace: Workspace,
): HandlersOf<SessionContract, 'context'> {
  const kept = new WeakMap<readonly SessionEvent[], Kept>()

  async function read(key: string, index: number, name: string | null): Promise<ContextReading> {
    const session = service.session({ key, session: index })
    const known = kept.get(session.events)
    if (known?.profile === name) return known.reading
    const loaded = name === null ? null : await workspace.profile(name)
    // A broken profile is reported by the replay; contexts need only two of its numbers.
    const profile = loaded?.ok === true ? loaded.value.value : null
    const reading = readContext(session, service.opened(key).transcript, profile)
    kept.set(session.events, { profile: name, reading })
    return reading
  }

  return {
    'context.call': async ({ key, session, seq, profile }) => {
      const reading = await read(key, session, profile)
      const { context, tokenizer } = reading
      const nth = callAt(context.calls, seq + context.before)
      const call = context.calls[nth]
      return {
        calls: context.calls.length,
        isRecorded: context.calls.some(({ recorded }) => recorded !== null),
        tokenizer,
        call: call === undefined ? null : shownCall(call, nth, reading),
      }
    },
  }
}

/** The call whose output begins at a place or before it without an input between; else the next one; else the last. */
function callAt(calls: readonly ContextCall[], place: number): number {
  const exact = calls.findIndex(({ to }) => to === place)
  if (exact >= 0) return exact
  const next = calls.findIndex(({ to }) => to > place)
  return next < 0 ? calls.length - 1 : next
}

function shownCall(call: ContextCall, nth: number, reading: ContextReading): ShownCall {
  const { context } = reading
  const found = partsOf(context, call)
  const { recorded, cut, to } = call
  return {
    nth,
    seq: to - context.before,
    model: reading.modelOf(call),
    tokens: recorded === null ? found.tokens : contextTokens(recorded),
    recorded,
    window: reading.windowOf(call),
    cut: cut === null ? null : { reason: cut.reason, events: cut.events, before: cut.before },
    ...largest(found),
    rest: found.rest,
  }
}

/** The largest parts, in their order. */
function largest({ parts }: CallParts): Pick<ShownCall, 'parts' | 'left'> {
  if (parts.length <= MAX_PARTS) return { parts, left: { parts: 0, tokens: 0 } }
  const sizes = parts.map(({ tokens }) => tokens).toSorted((a, b) => b - a)
  const least = sizes[MAX_PARTS - 1] ?? 0
  const kept = parts.filter(({ tokens }) => tokens >= least).slice(0, MAX_PARTS)
  const sum = (list: ReadonlyArray<{ readonly tokens: number }>) =>
    list.reduce((before, { tokens }) => before + tokens, 0)
  return {
    parts: kept,
    left: { parts: parts.length - kept.length, tokens: sum(parts) - sum(kept) },
  }
}
