import type { QueryColumns, ResponseColumns } from '../../../core/engine/schema/answer-columns.ts'
import { QueryType } from '../../../core/engine/schema/query.ts'
import { FallbackAction, SelfSignalType } from '../../../core/engine/schema/self-signal.ts'

/** Self-signals and queries of the session, one row an event; null while they are not known. */
export interface OracleSource {
  readonly responses: ResponseColumns
  readonly queries: QueryColumns
}

/** Nothing to say, silent or a fallback, stuck: the worst wins. */
export const ALERTS = ['none', 'fallback', 'stuck'] as const

/**
 * Self-signals and queries placed on turns. Responses are no turns: each stands at the turn that
 * precedes it (the first turn, when none does).
 */
export interface OracleLanes {
  /** Responses of the agent, and how many carried a self-signal. */
  readonly responses: number
  readonly emitted: number
  readonly queries: number
  /** Budget of the prompts in tokens. */
  readonly budget: number
  /** Index into SelfSignalType.options of the turn's last self-signal; -1 = none. */
  readonly signal: Int8Array
  /** 0 to 1. */
  readonly confidence: Float32Array
  /** 1 = something about a response of the turn has a diagnostic. */
  readonly flawed: Uint8Array
  /** Index into ALERTS. */
  readonly alert: Uint8Array
  /** Responses that stand at the turn. */
  readonly answers: Uint16Array
  /** Index into QueryType.options; -1 = no message of a person. */
  readonly query: Int8Array
  /** Confidence of that type. */
  readonly queryConfidence: Float32Array
  /** Token estimate of the composed prompt; -1 = there is none. */
  readonly tokens: Int32Array
}

const CONTINUE = FallbackAction.options.indexOf('continue')

/** Index into ALERTS of one response. An agent that never signals is quiet, not in trouble. */
function alertOf(responses: ResponseColumns, at: number): number {
  if (responses.stuck[at] === 1) return 2
  if (responses.quiet[at] === 1) return 0
  const fallback = responses.fallback[at] ?? -1
  return responses.silent[at] === 1 || (fallback >= 0 && fallback !== CONTINUE) ? 1 : 0
}

/** Calls back with every event and its turn: one walk over two rising columns. */
function eachPlaced(
  turnSeq: readonly number[],
  seqs: readonly number[],
  visit: (turn: number, at: number) => void,
): void {
  let turn = 0
  seqs.forEach((seq, at) => {
    while (turn + 1 < turnSeq.length && (turnSeq[turn + 1] ?? Infinity) <= seq) turn += 1
    visit(turn, at)
  })
}

/** Turns that events belong to, each once, rising: an event that is no turn stands at the one before it. */
export function turnsOfEvents(turnSeq: readonly number[], seqs: readonly number[]): Int32Array {
  const turns: number[] = []
  if (turnSeq.length > 0)
    eachPlaced(turnSeq, seqs, (turn) => {
      if (turns.at(-1) !== turn) turns.push(turn)
    })
  return new Int32Array(turns)
}

/** Places responses and queries on the turns of a replay. */
export function oracleLanes(turnSeq: readonly number[], source: OracleSource): OracleLanes {
  const turns = turnSeq.length
  const { responses, queries } = source
  const lanes = {
    responses: responses.seq.length,
    emitted: responses.type.filter((type) => type >= 0).length,
    queries: queries.seq.length,
    budget: queries.budget,
    signal: new Int8Array(turns).fill(-1),
    confidence: new Float32Array(turns),
    flawed: new Uint8Array(turns),
    alert: new Uint8Array(turns),
    answers: new Uint16Array(turns),
    query: new Int8Array(turns).fill(-1),
    queryConfidence: new Float32Array(turns),
    tokens: new Int32Array(turns).fill(-1),
  }
  if (turns === 0) return lanes
  eachPlaced(turnSeq, responses.seq, (turn, at) => {
    const type = responses.type[at] ?? -1
    if (type >= 0) {
      lanes.signal[turn] = type
      lanes.confidence[turn] = responses.confidence[at] ?? 0
    }
    if ((responses.diagnostics[at] ?? 0) > 0) lanes.flawed[turn] = 1
    lanes.alert[turn] = Math.max(lanes.alert[turn] ?? 0, alertOf(responses, at))
    lanes.answers[turn] = (lanes.answers[turn] ?? 0) + 1
  })
  eachPlaced(turnSeq, queries.seq, (turn, at) => {
    lanes.query[turn] = queries.type[at] ?? -1
    lanes.queryConfidence[turn] = queries.confidence[at] ?? 0
    lanes.tokens[turn] = queries.tokens[at] ?? -1
  })
  return lanes
}

/** A block of turns in one mark. */
export interface OracleBlock {
  /** The most frequent type; -1 = none. */
  readonly signal: number
  /** The highest in the block. */
  readonly confidence: number
  readonly flawed: boolean
  readonly alert: number
  readonly query: number
  /** Messages of a person in the block. */
  readonly queries: number
}

function mostFrequent(column: Int8Array, [from, to]: readonly [number, number], kinds: number) {
  const counts = new Uint32Array(kinds)
  let best = -1
  let total = 0
  for (let turn = from; turn < to; turn++) {
    const value = column[turn] ?? -1
    if (value < 0 || value >= kinds) continue
    total += 1
    counts[value] = (counts[value] ?? 0) + 1
    if (best < 0 || (counts[value] ?? 0) > (counts[best] ?? 0)) best = value
  }
  return { best, total }
}

/** Sums up turns `[from, to)`: what is rare and matters (an alert, a diagnostic) never disappears. */
export function oracleBlock(lanes: OracleLanes, from: number, to: number): OracleBlock {
  const range = [from, Math.min(to, lanes.signal.length)] as const
  const signals = mostFrequent(lanes.signal, range, SelfSignalType.options.length)
  const queries = mostFrequent(lanes.query, range, QueryType.options.length)
  let confidence = 0
  let flawed = false
  let alert = 0
  for (let turn = range[0]; turn < range[1]; turn++) {
    confidence = Math.max(confidence, lanes.confidence[turn] ?? 0)
    flawed ||= lanes.flawed[turn] === 1
    alert = Math.max(alert, lanes.alert[turn] ?? 0)
  }
  return {
    signal: signals.best,
    confidence,
    flawed,
    alert,
    query: queries.best,
    queries: queries.total,
  }
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

export const QUERY_LETTERS: Readonly<Record<QueryType, string>> = {
  code: 'C',
  documentation: 'D',
  research: 'R',
  conversational: 'V',
  action: 'A',
}

/** What the lanes say of one turn; null where they say nothing. */
export interface OracleWords {
  readonly self: string | null
  readonly signal: SelfSignalType | null
  readonly confidence: number
  readonly alert: (typeof ALERTS)[number]
  readonly query: string | null
  readonly queryType: QueryType | null
}

export function oracleWords(lanes: OracleLanes, turn: number): OracleWords {
  const signal = SelfSignalType.options[lanes.signal[turn] ?? -1] ?? null
  const queryType = QueryType.options[lanes.query[turn] ?? -1] ?? null
  const alert = ALERTS[lanes.alert[turn] ?? 0] ?? 'none'
  const confidence = lanes.confidence[turn] ?? 0
  const self = [
    signal === null ? '' : `${SELF_WORDS[signal].words} ${confidence.toFixed(2)}`,
    alert === 'stuck' ? 'going in circles' : '',
    alert === 'fallback' ? 'fallback' : '',
    lanes.flawed[turn] === 1 ? 'with diagnostics' : '',
  ].filter((part) => part !== '')
  return {
    self: self.length === 0 ? null : self.join(', '),
    signal,
    confidence,
    alert,
    query: queryType === null ? null : queryText(lanes, turn, queryType),
    queryType,
  }
}

function queryText(lanes: OracleLanes, turn: number, type: QueryType): string {
  const sure = `${type} ${(lanes.queryConfidence[turn] ?? 0).toFixed(2)}`
  const tokens = lanes.tokens[turn] ?? -1
  if (tokens < 0) return `${sure}, no prompt`
  return `${sure}, prompt ${tokens.toLocaleString('en-US')} of ${lanes.budget.toLocaleString('en-US')} tokens`
}
