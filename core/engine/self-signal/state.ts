import type {
  Fallback,
  SelfSignal,
  SelfSignalOptions,
  SelfSignalState,
} from '../schema/self-signal.ts'

export const initialSelfSignalState: SelfSignalState = {
  emitted: 0,
  last: null,
  consecutiveSameReason: 0,
  turnsWithoutSignal: 0,
}

/** The part of a self-signal that the state needs. */
type Emitted = Pick<SelfSignal, 'type' | 'fields'>

/** The state after one response: with its self-signal, or null when there was none. */
export function advance(state: SelfSignalState, signal: Emitted | null): SelfSignalState {
  if (signal === null)
    return {
      ...state,
      consecutiveSameReason: 0,
      turnsWithoutSignal: state.turnsWithoutSignal + 1,
    }
  const given = signal.fields['reason']
  const reason = typeof given === 'string' ? given : ''
  const repeats =
    signal.type === 'need_turn' && state.last?.type === 'need_turn' && state.last.reason === reason
  const first = signal.type === 'need_turn' ? 1 : 0
  return {
    emitted: state.emitted + 1,
    last: { type: signal.type, reason },
    consecutiveSameReason: repeats ? state.consecutiveSameReason + 1 : first,
    turnsWithoutSignal: 0,
  }
}

/** The same `need_turn` reason that many times in a row. */
export function isStuckLoop(state: SelfSignalState, stuckAfter: number): boolean {
  return state.consecutiveSameReason >= stuckAfter
}

/** No self-signal for that many responses in a row. */
export function needsFallback(state: SelfSignalState, fallbackAfter: number): boolean {
  return state.turnsWithoutSignal >= fallbackAfter
}

/** Other facts about a response that are known when a fallback is chosen. */
interface ResponseFacts {
  /** Tool calls that the agent made with this response. */
  readonly toolCalls: number
  /** The response without its self-signal. */
  readonly text: string
}

type Rule = (given: {
  readonly state: SelfSignalState
  readonly signal: SelfSignal | null
  readonly options: SelfSignalOptions
  readonly facts: ResponseFacts
}) => Fallback | null

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

const stuckSignal: Rule = ({ signal }) => {
  if (signal?.type !== 'stuck') return null
  const blocker =
    typeof signal.fields['blocker'] === 'string' ? signal.fields['blocker'] : 'unknown'
  const suggestions = texts(signal.fields['suggestions'])
  const trigger = 'stuck_signal'
  if (suggestions.length === 0)
    return {
      action: 'escalate',
      trigger,
      reason: `the agent is stuck (${blocker}) and suggests nothing`,
      hint: null,
    }
  return {
    action: 'retry_with_hint',
    trigger,
    reason: `the agent is stuck (${blocker}) and names something to try`,
    hint: `Try next: ${suggestions.join('; ')}.`,
  }
}

const stuckLoop: Rule = ({ state, options }) => {
  if (!isStuckLoop(state, options.stuckAfter)) return null
  const count = state.consecutiveSameReason
  const said = `the same reason for another turn ${count} times in a row`
  const trigger = 'stuck_loop'
  // A hint is worth trying as long again as it took to notice the loop.
  if (count >= options.stuckAfter * 2)
    return { action: 'escalate', trigger, reason: `${said}, also after a hint`, hint: null }
  return {
    action: 'retry_with_hint',
    trigger,
    reason: said,
    hint: 'You have asked for another turn with the same reason. Change the approach, or answer with what you have and say what is missing.',
  }
}

const lowConfidence: Rule = ({ signal, options }) => {
  if (signal === null || signal.confidence >= options.lowConfidence) return null
  const reason = `confidence ${signal.confidence} is below ${options.lowConfidence}`
  const trigger = 'low_confidence'
  if (signal.type === 'need_turn' || signal.type === 'delegation_recommended')
    return {
      action: 'continue',
      trigger,
      reason: `${reason}, and the agent wants to go on`,
      hint: null,
    }
  return {
    action: 'retry_with_hint',
    trigger,
    reason,
    hint: 'You were not sure. Check the weakest point of your answer once more before you finish.',
  }
}

const noSignal: Rule = ({ state, options, facts }) => {
  if (!needsFallback(state, options.fallbackAfter)) return null
  const turns = state.turnsWithoutSignal
  const trigger = 'no_signal'
  const silent = `no self-signal in ${turns} responses`
  // An agent that never emitted a self-signal was not instructed to. It is judged by its actions.
  if (facts.toolCalls > 0)
    return { action: 'continue', trigger, reason: `${silent}, but it is calling tools`, hint: null }
  if (state.emitted === 0)
    return {
      action: 'continue',
      trigger,
      reason: `${silent}: this agent does not use them`,
      hint: null,
    }
  if (facts.text.trim() === '')
    return {
      action: 'force_response',
      trigger,
      reason: `${silent}, no tool call and no text`,
      hint: null,
    }
  if (turns >= options.fallbackAfter * 2)
    return { action: 'force_response', trigger, reason: `${silent}, also after a hint`, hint: null }
  return {
    action: 'retry_with_hint',
    trigger,
    reason: `${silent}, though it used them before`,
    hint: 'End your response with a self-signal, so that it is clear whether you are done.',
  }
}

const RULES: readonly Rule[] = [stuckSignal, stuckLoop, lowConfidence, noSignal]

/**
 * [L16] What to do after a response, and why; null when its self-signal says enough.
 * First rule that applies: stuck, loop, low confidence, silence.
 * @param state after the response.
 */
export function heuristicFallback(
  state: SelfSignalState,
  signal: SelfSignal | null,
  options: SelfSignalOptions,
  facts: ResponseFacts,
): Fallback | null {
  for (const rule of RULES) {
    const fallback = rule({ state, signal, options, facts })
    if (fallback !== null) return fallback
  }
  return null
}
