import type { z } from 'zod'
import type { QueryColumns } from '../../engine/schema/answer-columns.ts'
import type { PromptOptions } from '../../engine/schema/prompt.ts'
import type { Session } from '../../engine/schema/session.ts'
import { loadO200k } from '../../engine/tokens-o200k.ts'
import type { CallContext } from '../../wire/rpc.ts'
import type { TimeLimit } from '../shared/guard.ts'
import { type Composing, readQueries } from './messages.ts'
import { type PromptSources, readPromptSources } from '../files/prompt-files.ts'
import { type ResponsesRead, readResponses } from './responses.ts'
import { type SharedWork, createSharedWork } from '../shared/shared-work.ts'
import { createBreath } from '../shared/yielding.ts'
import type { WorkerContract } from './contract.ts'
import type { Desk } from './service.ts'

type Asked = Pick<z.output<WorkerContract['session.oracle']['in']>, 'key' | 'session' | 'config'>

/** Configurations whose answers are kept for each session. */
const KEPT = 8

/** Kept as long as the session is open. */
interface Kept {
  readonly responses: SharedWork<ResponsesRead>
  readonly queries: SharedWork<QueryColumns>
}

/** Self-signals and prompts of opened sessions, computed when asked for and kept. */
export interface OracleDesk {
  responses(asked: Asked, context: CallContext): Promise<ResponsesRead>
  queries(asked: Asked, context: CallContext): Promise<QueryColumns>
  /** What prompts of a session are composed with, without a tokenizer. */
  composing(asked: Asked, context: CallContext): Promise<Composing>
}

export function createOracleDesk(
  desk: Desk,
  roots: readonly string[],
  limit: TimeLimit,
): OracleDesk {
  const known = new WeakMap<Session, Kept>()

  function kept(session: Session): Kept {
    const found = known.get(session) ?? {
      responses: createSharedWork<ResponsesRead>(KEPT),
      queries: createSharedWork<QueryColumns>(KEPT),
    }
    known.set(session, found)
    return found
  }

  async function responses(asked: Asked, { signal }: CallContext): Promise<ResponsesRead> {
    const session = desk.session(asked)
    const { preset } = (await desk.compiled(asked.config)).pipeline
    return kept(session).responses.get(JSON.stringify(preset.selfSignal), {
      signal,
      start: (stop) => readResponses(session, preset.selfSignal, createBreath(stop)),
    })
  }

  async function composing(
    asked: Asked,
    { signal }: CallContext,
    sources: PromptSources = readPromptSources(roots),
  ): Promise<Composing> {
    const session = desk.session(asked)
    const replay = await desk.replay(asked, asked.config, { signal })
    return { session, replay, sources, estimators: {}, limit }
  }

  async function queries(asked: Asked, { signal }: CallContext): Promise<QueryColumns> {
    const session = desk.session(asked)
    const { key, pipeline } = await desk.compiled(asked.config)
    const sources = readPromptSources(roots)
    return kept(session).queries.get(`${sources.fingerprint} ${key}`, {
      signal,
      start: async (stop) => {
        const ready = await composing(asked, { signal: stop }, sources)
        const estimators = await estimatorsFor(pipeline.preset.prompt)
        return readQueries({ ...ready, estimators }, createBreath(stop))
      },
    })
  }

  return { responses, queries, composing }
}

/** The timeline needs the preset's own estimator only; the tokenizer's table is large. */
async function estimatorsFor({ estimator }: PromptOptions) {
  return estimator === 'o200k_base' ? { o200k_base: await loadO200k() } : {}
}
