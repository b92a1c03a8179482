import { type AgentResponse, traceResponse } from '../../engine/answer-stage.ts'
import {
  type SessionEvent,
  textOf,
  type SessionTexts,
  type TextReader,
} from '../../engine/schema/event.ts'
import type { ResponseColumns } from '../../engine/schema/answer-columns.ts'
import type { SelfSignalTrace } from '../../engine/schema/answer-trace.ts'
import {
  type SelfSignalOptions,
  type SelfSignalState,
  FallbackAction,
  SelfSignalType,
} from '../../engine/schema/self-signal.ts'
import { initialSelfSignalState } from '../../engine/self-signal/state.ts'
import type { Breath } from '../shared/yielding.ts'

/** All responses of a session read under one preset, with what a trace of any of them needs. */
export interface ResponsesRead {
  readonly columns: ResponseColumns
  readonly bySeq: ReadonlyMap<number, { response: AgentResponse; before: SelfSignalState }>
}

/** The agent's texts, each with the tool calls around it up to the person's messages. */
function responsesOf({ events, texts }: SessionTexts): readonly AgentResponse[] {
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

/** The text is fetched when it is asked for. */
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
  const rows: Array<readonly number[]> = []
  const bySeq = new Map<number, { response: AgentResponse; before: SelfSignalState }>()
  let before = initialSelfSignalState
  for (const response of responsesOf(session)) {
    const trace = traceResponse(response, before, options)
    rows.push(rowOf(trace))
    bySeq.set(response.seq, { response, before })
    before = trace.after
    await breath()
  }
  return { columns: columnsOf(rows), bySeq }
}

/** In the order of `columnsOf`. */
function rowOf(trace: SelfSignalTrace): readonly number[] {
  const { signal, fallback } = trace
  return [
    trace.seq,
    signal === null ? -1 : SelfSignalType.options.indexOf(signal.type),
    signal?.confidence ?? 0,
    trace.diagnostics.length,
    Number(trace.stuck),
    // An agent that never emitted one is quiet, which is no reason for alarm.
    Number(trace.silent && !trace.quiet),
    Number(trace.quiet),
    fallback === null ? -1 : FallbackAction.options.indexOf(fallback.action),
  ]
}

function columnsOf(rows: ReadonlyArray<readonly number[]>): ResponseColumns {
  const column = (index: number) => rows.map((row) => row[index] ?? 0)
  return {
    seq: column(0),
    type: column(1),
    confidence: column(2),
    diagnostics: column(3),
    stuck: column(4),
    silent: column(5),
    quiet: column(6),
    fallback: column(7),
  }
}
