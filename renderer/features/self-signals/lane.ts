import type { ResponseColumns } from '../../../core/engine/schema/answer-columns.ts'
import { FallbackAction, SelfSignalType } from '../../../core/engine/schema/self-signal.ts'
import { eachPlaced, mostFrequent } from '../../timeline/placed.ts'
import { joined } from '../../ui/format.ts'

/** Nothing to say, silent or a fallback, stuck: the worst wins. */
export const ALERTS = ['none', 'fallback', 'stuck'] as const

/**
 * Self-signals placed on turns. Responses are no turns: each is placed at the turn before it, or at the first turn if
 * none precedes.
 */
export type SelfLane = Readonly<ReturnType<typeof selfLane>>

const CONTINUE = FallbackAction.options.indexOf('continue')

/** Index into ALERTS of one response. An agent that never signals is quiet, not in trouble. */
function alertOf(responses: ResponseColumns, at: number): number {
  if (responses.stuck[at] === 1) return 2
  if (responses.quiet[at] === 1) return 0
  const fallback = responses.fallback[at] ?? -1
  return responses.silent[at] === 1 || (fallback >= 0 && fallback !== CONTINUE) ? 1 : 0
}

/** Places responses on the turns of a replay. */
export function selfLane(turnSeq: readonly number[], responses: ResponseColumns) {
  const turns = turnSeq.length
  const lane = {
    /** Responses of the agent, and how many carried a self-signal. */
    responses: responses.seq.length,
    emitted: responses.type.filter((type) => type >= 0).length,
    /** Index into SelfSignalType.options of the turn's last self-signal; -1 = none. */
    signal: new Int8Array(turns).fill(-1),
    /** 0 to 1. */
    confidence: new Float32Array(turns),
    /** 1 = something about a response of the turn has a diagnostic. */
    flawed: new Uint8Array(turns),
    /** Index into ALERTS. */
    alert: new Uint8Array(turns),
    /** Number of responses at the turn. */
    answers: new Uint16Array(turns),
  }
  eachPlaced(turnSeq, responses.seq, (turn, at) => {
    const type = responses.type[at] ?? -1
    if (type >= 0) {
      lane.signal[turn] = type
      lane.confidence[turn] = responses.confidence[at] ?? 0
    }
    if ((responses.diagnostics[at] ?? 0) > 0) lane.flawed[turn] = 1
    lane.alert[turn] = Math.max(lane.alert[turn] ?? 0, alertOf(responses, at))
    lane.answers[turn] = (lane.answers[turn] ?? 0) + 1
  })
  return lane
}

/** A block of turns in one mark. */
export type SelfBlock = Readonly<ReturnType<typeof selfBlock>>

/** Sums up turns `[from, to)`. Rare and important states (an alert, a diagnostic) are always kept. */
export function selfBlock(lane: SelfLane, from: number, to: number) {
  const block = {
    /** The most frequent type; -1 = none. */
    signal: mostFrequent(lane.signal.subarray(from, to)).best,
    /** The highest in the block. */
    confidence: 0,
    flawed: false,
    alert: 0,
  }
  for (let turn = from; turn < Math.min(to, lane.signal.length); turn++) {
    block.confidence = Math.max(block.confidence, lane.confidence[turn] ?? 0)
    block.flawed ||= lane.flawed[turn] === 1
    block.alert = Math.max(block.alert, lane.alert[turn] ?? 0)
  }
  return block
}

/** Sign and words of each self-signal; the sign has the shape that the timeline draws. */
export const SELF_WORDS: Readonly<
  Record<SelfSignalType, { readonly sign: string; readonly words: string; readonly about: string }>
> = {
  need_turn: { sign: '▶', words: 'need turn', about: 'wants to go on for another turn' },
  context_sufficient: { sign: '●', words: 'context sufficient', about: 'knows enough to answer' },
  stuck: { sign: '✕', words: 'stuck', about: 'says it cannot get further' },
  need_capability: { sign: '◆', words: 'need capability', about: 'lacks a tool or an access' },
  partial_answer: { sign: '◐', words: 'partial answer', about: 'answers a part of the question' },
  delegation_recommended: {
    sign: '▼',
    words: 'delegation recommended',
    about: 'proposes that another agent takes over',
  },
}

/** The lane's text for one turn; '' if it has no signal. */
export function selfWords(lane: SelfLane, turn: number): string {
  const signal = SelfSignalType.options[lane.signal[turn] ?? -1]
  const alert = ALERTS[lane.alert[turn] ?? 0]
  const parts = [
    signal ? `${SELF_WORDS[signal].words} ${(lane.confidence[turn] ?? 0).toFixed(2)}` : '',
    alert === 'stuck' ? 'going in circles' : '',
    alert === 'fallback' ? 'fallback' : '',
    lane.flawed[turn] === 1 ? 'with diagnostics' : '',
  ]
  return joined(parts, ', ')
}
