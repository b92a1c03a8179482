import { createTokenCounts, type CountName } from './token-counts.ts'
import { eventsBefore } from '../../engine/context/before.ts'
import { foldContext, type ContextCall, type SessionContext } from '../../engine/context/fold.ts'
import { windowOf } from '../../engine/context/windows.ts'
import { contextTokens } from '../../engine/schema/context.ts'
import type { ModelProfile } from '../../engine/schema/profile.ts'
import type { Session, Transcript } from '../../engine/schema/session.ts'

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
