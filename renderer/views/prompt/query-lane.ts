import type { QueryColumns } from '../../../core/engine/schema/answer-columns.ts'
import { QueryType } from '../../../core/engine/schema/query.ts'
import { eachPlaced } from '../../timeline/placed.ts'

/** User messages and their prompts, placed on turns. */
export type QueryLane = Readonly<ReturnType<typeof queryLane>>

/** Places queries on the turns of a replay. */
export function queryLane(turnSeq: readonly number[], columns: QueryColumns) {
  const turns = turnSeq.length
  const lane = {
    queries: columns.seq.length,
    /** Budget of the prompts in tokens. */
    budget: columns.budget,
    /** Index into QueryType.options; -1 if no user message. */
    query: new Int8Array(turns).fill(-1),
    /** Confidence of that type. */
    confidence: new Float32Array(turns),
    /** Token estimate of the composed prompt; -1 if there is no prompt. */
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

/** The lane's text for one turn; '' if it has no user message. */
export function queryWords(lane: QueryLane, turn: number): string {
  const type = queryTypeAt(lane, turn)
  if (type === undefined) return ''
  const sure = `${type} ${(lane.confidence[turn] ?? 0).toFixed(2)}`
  const tokens = lane.tokens[turn] ?? -1
  if (tokens < 0) return `${sure}, no prompt`
  return `${sure}, prompt ${tokens.toLocaleString('en-US')} of ${lane.budget.toLocaleString('en-US')} tokens`
}
