import { columnsOf } from '../shared/columns.ts'
import { type AgentResponse, traceResponse } from '../../engine/answer-stage.ts'
import {
  type SessionEvent,
  textOf,
  type SessionTexts,
  type TextReader,
} from '../../engine/schema/event.ts'
import { ResponseColumns } from '../../engine/schema/answer-columns.ts'
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
