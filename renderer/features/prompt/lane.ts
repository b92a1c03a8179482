import type { QueryColumns } from '../../../core/engine/schema/answer-columns.ts'
import { QueryType } from '../../../core/engine/schema/query.ts'
import { eachPlaced } from '../../timeline/placed.ts'

/** Messages of a person and their prompts, placed on turns. */
export interface QueryLane {
  readonly queries: number
  /** Budget of the prompts in tokens. */
  readonly budget: number
  /** Index into QueryType.options; -1 = no message of a person. */
  readonly query: Int8Array
  /** Confidence of that type. */
  readonly confidence: Float32Array
  /** Token estimate of the composed prompt; -1 = there is none. */
  readonly tokens: Int32Array
}

/** Places queries on the turns of a replay. */
export function queryLane(turnSeq: readonly number[], columns: QueryColumns): QueryLane {
  const turns = turnSeq.length
  const lane = {
    queries: columns.seq.length,
    budget: columns.budget,
    query: new Int8Array(turns).fill(-1),
    confidence: new Float32Array(turns),
    tokens: new Int32Array(turns).fill(-1),
  }
  eachPlaced(turnSeq, columns.seq, (turn, at) => {
    lane.query[turn] = columns.type[at] ?? -1
    lane.confidence[turn] = columns.confidence[at] ?? 0
    lane.tokens[turn] = columns.tokens[at] ?? -1
  })
  return lane
}

export const QUERY_LETTERS: Readonly<Record<QueryType, string>> = {
  code: 'C',
  documentation: 'D',
  research: 'R',
  conversational: 'V',
  action: 'A',
}

export function queryTypeAt(lane: QueryLane, turn: number): QueryType | undefined {
  return QueryType.options[lane.query[turn] ?? -1]
}

/** What the lane says of one turn; '' where no message of a person is. */
export function queryWords(lane: QueryLane, turn: number): string {
  const type = queryTypeAt(lane, turn)
  if (type === undefined) return ''
  const sure = `${type} ${(lane.confidence[turn] ?? 0).toFixed(2)}`
  const tokens = lane.tokens[turn] ?? -1
  if (tokens < 0) return `${sure}, no prompt`
  return `${sure}, prompt ${tokens.toLocaleString('en-US')} of ${lane.budget.toLocaleString('en-US')} tokens`
}
