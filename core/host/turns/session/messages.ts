import { basename } from 'node:path'
import { tracePrompt, traceQuery } from '../../../engine/answer-stage.ts'
import { SEGMENT_REGISTRY } from '../../../engine/prompt/registry.ts'
import {
  type SessionEvent,
  textOf,
  type SessionTexts,
  type TextReader,
} from '../../../engine/schema/event.ts'
import type { QueryColumns } from '../../../engine/schema/answer-columns.ts'
import type { PromptTrace, QueryTrace } from '../../../engine/schema/answer-trace.ts'
import { QueryType } from '../../../engine/schema/query.ts'
import type { Session } from '../../../engine/schema/session.ts'
import type { TokenEstimator } from '../../../engine/tokens.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import type { PromptSources } from '../../workspace/prompt-files.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'
import type { Breath } from '../../platform/threads/yielding.ts'

/** Composing takes about a millisecond; a template that runs this long hangs. */
export const COMPOSE_LIMIT_MS = 2000

/** A user message, and the text before it. */
export interface Message {
  readonly seq: number
  readonly text: string
  readonly at: number | null
  /** [Q8] The agent's last text before it, else the user message before; null = nothing. */
  readonly previous: string | null
}

/** Texts are fetched on first access, because a session has more of them than fit into memory. */
function messageOf(event: SessionEvent, before: SessionEvent | null, texts: TextReader): Message {
  const { seq, at } = event
  return {
    seq,
    at,
    get text() {
      return textOf(event, texts)
    },
    get previous() {
      return before === null ? null : textOf(before, texts)
    },
  }
}

/** The messages of a session, or those among its first `to` events. */
export function messagesOf({ events, texts }: SessionTexts, to?: number): readonly Message[] {
  const messages: Message[] = []
  let answer: SessionEvent | null = null
  let last: SessionEvent | null = null
  for (const event of to === undefined ? events : events.slice(0, to)) {
    if (event.kind === 'agent' && !event.blank) answer = event
    if (event.kind !== 'user') continue
    messages.push(messageOf(event, answer ?? last, texts))
    last = event
  }
  return messages
}

/** Inputs for composing the prompts of a session. */
export interface Composing {
  readonly session: Session
  readonly replay: SessionReplay
  readonly sources: PromptSources
  readonly estimators: Readonly<Record<string, TokenEstimator>>
  readonly limit: TimeLimit
}

/**
 * The query of one message, and the prompt that would have answered it.
 * @param probeContext the probe's findings for it; null = none, or not probed
 */
export function traceMessage(
  message: Message,
  composing: Composing,
  probeContext: string | null = null,
): { readonly query: QueryTrace; readonly prompt: PromptTrace } {
  const { replay, limit, sources, session, estimators } = composing
  const { preset } = replay.compiled.pipeline
  const query = traceQuery(message, preset.query)
  const { seq } = message
  const enrichment = enrichmentOf(replay, seq)
  const composed = limit(
    () =>
      tracePrompt(
        { seq, queryType: query.classification.type },
        { enrichment, probeContext },
        {
          registry: SEGMENT_REGISTRY,
          files: sources.files,
          options: preset.prompt,
          context: variablesOf(session, message.at),
          estimators,
        },
      ),
    COMPOSE_LIMIT_MS,
  )
  return { query, prompt: composed.ok ? composed.value : { ...TOO_SLOW, seq } }
}

const TOO_SLOW: Omit<PromptTrace, 'seq'> = {
  prompt: null,
  error: {
    what: `composing was cut off after ${COMPOSE_LIMIT_MS / 1000} s`,
    where: 'prompts/oracle',
    do: 'Look for a loop in the templates',
  },
  placements: [],
}

/** The text that belief tracking injects at this message. Null if it is not a turn or nothing is injected. */
export function enrichmentOf(replay: SessionReplay, seq: number): string | null {
  const turn = replay.turnOf.get(seq)
  return turn === undefined ? null : (replay.enrichments[turn] ?? null)
}

/** Template variables that a transcript knows: the project's folder, and the day (UTC). */
export function variablesOf(session: Session, at: number | null): Readonly<Record<string, string>> {
  const project = basename(session.cwd ?? '')
  const today = at === null ? '' : new Date(at).toISOString().slice(0, 10)
  return {
    ...(project === '' ? {} : { project_name: project }),
    ...(today === '' ? {} : { today }),
  }
}

/** Query types and prompt sizes of all messages. Equal prompts are composed once. */
export async function readQueries(composing: Composing, breath: Breath): Promise<QueryColumns> {
  const { session, replay } = composing
  const { preset } = replay.compiled.pipeline
  const rows = { seq: [] as number[], type: [] as number[], confidence: [] as number[] }
  const tokens: number[] = []
  const sizes = new Map<string, number>()
  for (const message of messagesOf(session)) {
    const { type, confidence } = traceQuery(message, preset.query).classification
    const { seq, at } = message
    const key = JSON.stringify([type, enrichmentOf(replay, seq), variablesOf(session, at)])
    const size =
      sizes.get(key) ?? traceMessage(message, composing).prompt.prompt?.tokenEstimate ?? -1
    sizes.set(key, size)
    rows.seq.push(seq)
    rows.type.push(QueryType.options.indexOf(type))
    rows.confidence.push(confidence)
    tokens.push(size)
    await breath()
  }
  return { ...rows, tokens, budget: preset.prompt.budget }
}
