import { contextTokens } from '../../../engine/schema/context.ts'
import { isOfAnswer, type ContextCall, type SessionContext } from '../../../engine/context/fold.ts'
import { partsOf, type CallParts } from '../../../engine/context/parts.ts'
import { stacksOf } from '../../../engine/context/stacks.ts'
import type { SessionEvent } from '../../../engine/schema/event.ts'
import type { ContextColumns, ShownCall } from '../../../wire/context.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { profileOf, readContext, type ContextReading } from '../read-context.ts'

/** [X12] Parts of one answer. */
const MAX_PARTS = 300

interface Kept {
  /** The parts of the profile that contexts depend on. */
  readonly of: string
  readonly reading: Promise<ContextReading>
}

/** Handlers for the context of an opened session. A session that has grown has other events, and is read again. */
export function createContextHandlers(
  service: SessionService,
  workspace: Workspace,
): HandlersOf<SessionContract, 'context'> {
  const kept = new WeakMap<readonly SessionEvent[], Kept>()

  async function read(key: string, index: number, name: string | null): Promise<ContextReading> {
    const session = service.session({ key, session: index })
    const profile = await profileOf(workspace, name)
    const of = `${profile?.tokenizer ?? ''} ${profile?.context_window ?? ''}`
    const known = kept.get(session.events)
    if (known?.of === of) return known.reading
    const reading = readContext(session, service.opened(key).transcript, profile)
    reading.catch(() => kept.delete(session.events))
    kept.set(session.events, { of, reading })
    return reading
  }

  return {
    'context.call': async ({ key, session, seq, profile }) => {
      const reading = await read(key, session, profile)
      const { context, tokenizer } = reading
      const nth = callAt(context, seq + context.before)
      const call = context.calls[nth]
      return {
        calls: context.calls.length,
        isRecorded: context.calls.some(({ recorded }) => recorded !== null),
        tokenizer,
        call: call === undefined ? null : shownCall(call, nth, reading),
      }
    },
    'context.calls': async ({ key, session, profile }) =>
      columnsOf(await read(key, session, profile)),
  }
}

function columnsOf({ context, tokenizer, windowOf }: ContextReading): ContextColumns {
  const { calls, before } = context
  return {
    isRecorded: calls.some(({ recorded }) => recorded !== null),
    tokenizer,
    seq: calls.map(({ to }) => to - before),
    window: calls.map((call) => windowOf(call) ?? 0),
    ...stacksOf(context),
    cuts: calls.flatMap(({ cut }, call) =>
      cut === null ? [] : [{ call, reason: cut.reason, before: cut.before }],
    ),
  }
}

/** The call that made an event; for an event that no call made, the next call; else the last. */
function callAt({ calls, events }: SessionContext, place: number): number {
  const begun = calls.findLastIndex(({ to }) => to <= place)
  let at = calls[begun]?.to ?? place + 1
  while (at <= place && isOfAnswer(events[at]?.kind ?? 'user')) at += 1
  if (begun >= 0 && at > place) return begun
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
