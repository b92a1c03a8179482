import type { QueryColumns } from '../../../core/engine/schema/answer-columns.ts'
import { QueryType } from '../../../core/engine/schema/query.ts'
import { valueOf } from '../../app/async-data.ts'
import { useApp } from '../../app/use-store.ts'
import { lane, type LabelProps } from '../../timeline/lane.tsx'
import type { Row } from '../../timeline/layout.ts'
import { mostFrequent } from '../../timeline/placed.ts'
import { blocksOf, eachBlock, type Context, type Drawn, type Scene } from '../../timeline/scene.ts'
import {
  QUERY_LETTERS,
  queryLane,
  queryTypeAt,
  queryWords,
  type QueryLane,
} from '../../views/prompt/query-lane.ts'

/** Width that a letter in its box needs. */
const LETTER_PX = 13

function drawLetter(ctx: Context, scene: Scene, row: Row, at: { x: number; type: QueryType }) {
  const { x, type } = at
  const size = LETTER_PX - 1
  ctx.fillStyle = scene.paint.own(`query-${type}`)
  ctx.globalAlpha = scene.paint.tint
  ctx.beginPath()
  ctx.roundRect(x - size / 2, row.y, size, row.height, 3)
  ctx.fill()
  ctx.globalAlpha = 1
  ctx.fillStyle = scene.paint.ink
  ctx.font = `600 9.5px ${scene.paint.font}`
  const letter = QUERY_LETTERS[type]
  ctx.fillText(letter, x - ctx.measureText(letter).width / 2, row.y + row.height / 2 + 0.5)
}

interface Block {
  readonly type: QueryType
  /** Number of user messages in the block. */
  readonly queries: number
}

/** Sums up turns `[from, to)`; null if they contain no user message. */
export function queryBlock(lane: QueryLane, from: number, to: number): Block | null {
  const { best, total } = mostFrequent(lane.query.subarray(from, to))
  const type = QueryType.options[best]
  return type === undefined ? null : { type, queries: total }
}

/** The type of each message: a letter if it fits, else a bar in the type's color. */
function drawQueries(ctx: Context, scene: Scene, row: Row, lane: QueryLane): void {
  const { size } = blocksOf(scene).level
  const found: Array<Drawn<Block>> = []
  const sumUp = (from: number, to: number) => queryBlock(lane, from, to)
  eachBlock(scene, sumUp, (drawn) => found.push(drawn))
  found.forEach(({ x, width, middle, block: { type, queries } }, at) => {
    const before = found[at - 1]?.middle ?? -Infinity
    const after = found[at + 1]?.middle ?? Infinity
    const free = Math.min(middle - before, after - middle)
    if (size === 1 && free >= LETTER_PX) {
      drawLetter(ctx, scene, row, { x: middle, type })
      return
    }
    ctx.fillStyle = scene.paint.own(`query-${type}`)
    const height = row.height * Math.max(0.5, Math.sqrt(Math.min(1, queries / size)))
    const wide = Math.max(1, Math.min(width - 0.5, 8))
    ctx.fillRect(x, row.y + row.height - height, wide, height)
  })
}

/** Name of the lane of query types, with the type of the told turn. */
function Label({ data, told }: LabelProps<QueryLane>) {
  const type = told && queryTypeAt(data, told.turn)
  return (
    <>
      <span
        className="tl-name"
        title="Type of each message: C code, D documentation, R research, V conversational, A action"
      >
        query
      </span>
      {type && <span className="tl-value">{type}</span>}
    </>
  )
}

/** Lane of the query type of each user message. */
export const queriesLane = lane<QueryLane, QueryColumns>({
  id: 'query',
  place: 'below',
  useSource: () => useApp(({ session }) => valueOf(session.answers)?.queries ?? null),
  prepare: ({ source }, columns) =>
    columns.seq.length > 0 ? queryLane(source.columns.seq, columns) : null,
  size: () => ({ height: 13, gap: 4, drop: 3.5 }),
  draw: drawQueries,
  Label,
  term: 'query',
  words: queryWords,
  spoken: (data, turn) => {
    const words = queryWords(data, turn)
    return words === '' ? '' : `query ${words}`
  },
  isOptional: true,
  legend: {
    name: 'query',
    text: 'Type of a message: C code, D documentation, R research, V conversation, A action.',
  },
  // Screen readers hear the query before its answer.
  order: -1,
})
