import { askedIn } from '../../../engine/coach/asked.ts'
import { traceResponse } from '../../../engine/answer-stage.ts'
import { draft } from '../../../engine/import/shared/drafts.ts'
import { scanUnder } from '../../../engine/pipeline.ts'
import { replayTurns } from '../../../engine/replay.ts'
import type {
  PromptTrace,
  QueryTrace,
  SelfSignalTrace,
} from '../../../engine/schema/answer-trace.ts'
import type { Verdict } from '../../../engine/schema/coach.ts'
import type { SessionEvent } from '../../../engine/schema/event.ts'
import type { EventKind } from '../../../engine/schema/event-kind.ts'
import { SCRATCH_EVENT, type ScratchText } from '../../../engine/schema/scratch.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { initialSelfSignalState } from '../../../engine/self-signal/state.ts'
import type { TurnTrace } from '../../../engine/schema/trace.ts'
import { turnsOf } from '../../../engine/turns.ts'
import { moreTime, watchText } from '../../platform/guard/guard.ts'
import { withoutSignals } from '../../platform/guard/watchdog.ts'
import { type ResponsesRead, responsesOf } from '../../turns/session/answers.ts'
import type { RulesJudge } from '../../coach/session/judge.ts'
import { type Composing, messagesOf, traceMessage } from '../../turns/session/messages.ts'
import { traceEvent } from '../../replay/session/trace-turn.ts'

/** Context for trying a text: an unchanged session, replayed. */
interface Around extends Composing {
  /** The self-signals of its agent's outputs. */
  readonly responses: ResponsesRead
  readonly judge: RulesJudge
  readonly signal: AbortSignal
}

/** Results of all stages for a text. */
export interface TriedText {
  readonly seq: number
  readonly kind: EventKind
  readonly trace: TurnTrace | null
  readonly query: QueryTrace | null
  readonly prompt: PromptTrace | null
  readonly selfSignal: SelfSignalTrace | null
  readonly verdict: Verdict | null
}

/** The session as it would be with the text in it. */
interface Imagined {
  readonly event: SessionEvent
  readonly session: Session
}

/**
 * [U160] Results of the stages for a text placed after `at` events of a session. Uses the functions of a replay, from
 * the replay's state at that place. The session does not change.
 */
export async function tryText(
  around: Around,
  at: number,
  { kind: written, text }: ScratchText,
): Promise<TriedText> {
  const kind = SCRATCH_EVENT[written]
  const { events } = around.session
  const seq = Math.min(at, events.length)
  const nowhere = { at: null, model: null, source: { offset: 0, length: 0, line: 1 } }
  const event = { ...draft(kind, text, nowhere), seq }
  const imagined = {
    event,
    session: { ...around.session, events: [...events.slice(0, seq), event, ...events.slice(seq)] },
  }
  const trace = traceAt(around, imagined)
  const asked = askedIn({ ...imagined.session, events: imagined.session.events.slice(0, seq + 1) })(
    seq,
  )
  const [verdict = null] =
    kind === 'agent' ? await around.judge.judge([{ text, asked }], around.signal) : []
  return {
    seq,
    kind,
    trace,
    verdict,
    ...(kind === 'user' ? messageAt(around, imagined, trace) : { query: null, prompt: null }),
    selfSignal: kind === 'agent' ? responseAt(around, imagined) : null,
  }
}

/** The decision; null if the event is not a turn. */
function traceAt({ replay, limit }: Around, { event, session }: Imagined): TurnTrace | null {
  const { compiled, states, missing } = replay
  const turns = turnsOf(session.events, compiled.classify, 0, event.seq + 1)
  if (turns.at(-1) !== event) return null
  // The next event decides whether an agent's output is a turn [L8], so the last turns before it may differ.
  let from = 0
  while (from < replay.turns.length && turns[from] === replay.turns[from]) from += 1
  const off = missing.get(from - 1) ?? new Set<number>()
  const { guard } = watchText(limit, () => moreTime.onePattern(event.chars))
  let state = states[from] ?? replay.end
  const between = replayTurns(withoutSignals(compiled.pipeline, off), turns.slice(0, -1), {
    from: { turn: from, state },
    scan: scanUnder(guard),
    texts: session.texts,
  })
  for (const { outcome } of between) state = outcome.state
  const turn = turns.length - 1
  return traceEvent({ compiled, event, texts: session.texts, turn, state, off }, limit)
}

function messageAt(around: Around, { event, session }: Imagined, trace: TurnTrace | null) {
  const { seq } = event
  const message = messagesOf(session, seq + 1).at(-1)
  if (message === undefined) return { query: null, prompt: null }
  const replay = {
    ...around.replay,
    turnOf: new Map(trace === null ? [] : [[seq, 0]]),
    enrichments: [trace?.enrichment ?? ''],
  }
  return traceMessage(message, { ...around, session, replay })
}

/** The self-signal of the output, from the state after the earlier ones. */
function responseAt(
  { replay, responses }: Around,
  { event, session }: Imagined,
): SelfSignalTrace | null {
  const { selfSignal } = replay.compiled.pipeline.preset
  const all = responsesOf(session)
  const place = all.findIndex(({ seq }) => seq === event.seq)
  const before = all[place - 1]
  const response = all[place]
  if (response === undefined) return null
  const known = before && responses.bySeq.get(before.seq)
  const state = known
    ? traceResponse(before, known.before, selfSignal).after
    : initialSelfSignalState
  return traceResponse(response, state, selfSignal)
}
