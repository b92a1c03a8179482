import { createTokenCounts, type CountName } from './token-counts.ts'
import { eventsBefore } from '../../engine/context/before.ts'
import { foldContext, type ContextCall, type SessionContext } from '../../engine/context/fold.ts'
import { windowOf } from '../../engine/context/windows.ts'
import { contextTokens } from '../../engine/schema/context.ts'
import type { ModelProfile } from '../../engine/schema/profile.ts'
import type { Session, Transcript } from '../../engine/schema/session.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The contexts of one session, and the tokenizer they were estimated with. */
export interface ContextReading {
  readonly context: SessionContext
  readonly tokenizer: CountName
  /** The tokenizer of the profile that could not be used. */
  readonly unknownTokenizer: string | null
  /** The model of a call; null if not recorded. */
  readonly modelOf: (call: ContextCall) => string | null
  /** [X5] The context window of a call in tokens; null if unknown. */
  readonly windowOf: (call: ContextCall) => number | null
}

/** [X6] Reads the contexts of a session. Texts are counted only in sessions of up to `MAX_COUNTED` characters. */
export async function readContext(
  session: Session,
  { format, sessions }: Pick<Transcript, 'format' | 'sessions'>,
  profile: ModelProfile | null = null,
): Promise<ContextReading> {
  const before = eventsBefore(session, sessions)
  const { events, texts } = session
  const counts = await createTokenCounts([before, events], texts, profile?.tokenizer ?? null)
  const context = foldContext({ format, before, events, texts, tokens: counts.tokens })
  const modelOf = (call: ContextCall) => context.events[call.to]?.model ?? null
  const most = new Map<string | null, number>()
  for (const call of context.calls) {
    const model = modelOf(call)
    const tokens = call.recorded === null ? 0 : contextTokens(call.recorded)
    most.set(model, Math.max(most.get(model) ?? 0, tokens))
  }
  return {
    context,
    tokenizer: counts.name,
    unknownTokenizer: counts.unknown,
    modelOf,
    windowOf(call) {
      const model = modelOf(call)
      const given = call.recorded?.window ?? profile?.context_window
      return given ?? windowOf(model, most.get(model) ?? 0)
    },
  }
}

/** The profile of that name for contexts; null without one. A broken profile is reported by the replay. */
export async function profileOf(
  workspace: Pick<Workspace, 'profile'>,
  name: string | null,
): Promise<ModelProfile | null> {
  const loaded = name === null ? null : await workspace.profile(name)
  return loaded?.ok === true ? loaded.value.value : null
}
