import type { z } from 'zod'
import { type AgentResponse, traceResponse } from '../../../engine/answer-stage.ts'
import { type QueryColumns, ResponseColumns } from '../../../engine/schema/answer-columns.ts'
import type { SelfSignalTrace } from '../../../engine/schema/answer-trace.ts'
import {
  type SessionEvent,
  type SessionTexts,
  type TextReader,
  textOf,
} from '../../../engine/schema/event.ts'
import type { PromptOptions } from '../../../engine/schema/prompt.ts'
import {
  type SelfSignalOptions,
  type SelfSignalState,
  FallbackAction,
  SelfSignalType,
} from '../../../engine/schema/self-signal.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { initialSelfSignalState } from '../../../engine/self-signal/state.ts'
import { loadO200k } from '../../../engine/tokens-o200k.ts'
import type { CallContext } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { type PromptSources, readPromptSources } from '../../workspace/prompt-files.ts'
import { columnsOf } from '../../platform/columns.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { type SharedWork, createSharedWork } from '../../platform/threads/shared-work.ts'
import { type Breath, createBreath } from '../../platform/threads/yielding.ts'
import { type Composing, readQueries } from './messages.ts'
import type { SessionService } from '../../sessions/session/service.ts'

type Asked = Pick<z.output<SessionContract['session.answers']['in']>, 'key' | 'session' | 'config'>

/** Configurations whose answers are kept for each session. */
const KEPT = 8

/** Kept as long as the session is open. */
interface Kept {
  readonly responses: SharedWork<ResponsesRead>
  readonly queries: SharedWork<QueryColumns>
}

/** Self-signals and prompts of opened sessions, computed on request and cached. */
interface AnswerService {
  responses(asked: Asked, context: CallContext): Promise<ResponsesRead>
  queries(asked: Asked, context: CallContext): Promise<QueryColumns>
  /** Returns the inputs for composing prompts of a session, without a tokenizer. */
  composing(asked: Asked, context: CallContext): Promise<Composing>
}

export function createAnswerService(
  service: SessionService,
  roots: readonly string[],
  limit: TimeLimit,
): AnswerService {
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
    const session = service.session(asked)
    const { preset } = (await service.compiled(asked.config)).pipeline
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
    const session = service.session(asked)
    const replay = await service.replay(asked, asked.config, { signal })
    return { session, replay, sources, estimators: {}, limit }
  }

  async function queries(asked: Asked, { signal }: CallContext): Promise<QueryColumns> {
    const session = service.session(asked)
    const { key, pipeline } = await service.compiled(asked.config)
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

/** All responses of a session read under one preset, with the data for a trace of any of them. */
export interface ResponsesRead {
  readonly columns: ResponseColumns
  readonly bySeq: ReadonlyMap<number, { response: AgentResponse; before: SelfSignalState }>
}

/** The agent's texts, each with the tool calls around it up to the user messages. */
export function responsesOf({ events, texts }: SessionTexts): readonly AgentResponse[] {
  const responses: AgentResponse[] = []
  let open: Array<{ readonly event: SessionEvent; readonly before: number }> = []
  let calls = 0
  const close = () => {
    for (const { event, before } of open) {
      const around = { toolCallsBefore: before, toolCallsAfter: calls - before }
      responses.push(responseOf(event, texts, around))
    }
    open = []
    calls = 0
  }
  for (const event of events) {
    if (event.kind === 'user') close()
    else if (event.kind === 'tool_call') calls += 1
    else if (event.kind === 'agent') open.push({ event, before: calls })
  }
  close()
  return responses
}

/** The text is fetched on first access. */
function responseOf(
  event: SessionEvent,
  texts: TextReader,
  around: Pick<AgentResponse, 'toolCallsBefore' | 'toolCallsAfter'>,
): AgentResponse {
  const { seq, at } = event
  return {
    seq,
    at,
    ...around,
    get text() {
      return textOf(event, texts)
    },
  }
}

/** Reads every response and folds the state from one to the next. */
export async function readResponses(
  session: SessionTexts,
  options: SelfSignalOptions,
  breath: Breath,
): Promise<ResponsesRead> {
  const rows: Array<ReturnType<typeof rowOf>> = []
  const bySeq = new Map<number, { response: AgentResponse; before: SelfSignalState }>()
  let before = initialSelfSignalState
  for (const response of responsesOf(session)) {
    const trace = traceResponse(response, before, options)
    rows.push(rowOf(trace))
    bySeq.set(response.seq, { response, before })
    before = trace.after
    await breath()
  }
  return { columns: columnsOf(ResponseColumns.keyof().options, rows), bySeq }
}

function rowOf(trace: SelfSignalTrace): Readonly<Record<keyof ResponseColumns, number>> {
  const { seq, signal, fallback, diagnostics, stuck, silent, quiet } = trace
  return {
    seq,
    type: signal === null ? -1 : SelfSignalType.options.indexOf(signal.type),
    confidence: signal?.confidence ?? 0,
    diagnostics: diagnostics.length,
    stuck: Number(stuck),
    // An agent that never emitted one is quiet, which is no reason for alarm.
    silent: Number(silent && !quiet),
    quiet: Number(quiet),
    fallback: fallback === null ? -1 : FallbackAction.options.indexOf(fallback.action),
  }
}
