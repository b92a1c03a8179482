import { OTHERS, shareText } from '../../../core/engine/schema/context.ts'
import type { ContextColumns } from '../../../core/wire/context.ts'
import { turnBefore } from '../../timeline/placed.ts'
import { count, joined } from '../../ui/format.ts'
import { bisect } from '../../ui/sorted.ts'

type Cut = ContextColumns['cuts'][number]
/** [X8] Why text left the context before a call. */
export type Reason = Cut['reason']

/** [X15] One call of the model as a column of layers. */
export interface CallBar {
  /** From 0. */
  readonly nth: number
  /** Middle, in turns; the calls of a turn share its column. */
  readonly position: number
  /** Share of the turn's column, in turns. */
  readonly slot: number
  readonly turn: number
  /** Its first output. */
  readonly seq: number
  /** Tokens of all layers together. */
  readonly total: number
  /** Context window in tokens; 0 = unknown. */
  readonly window: number
  readonly cut: Cut | null
}

/** [X15] The context lane of a session. */
export interface ContextLane {
  readonly columns: ContextColumns
  /** In order of position. */
  readonly bars: readonly CallBar[]
  /** Tokens at the top of the lane. A window beyond it is marked as such. */
  readonly top: number
}

/** Sign and words of each cut. The sign has the shape that the timeline draws. */
export const CUT_WORDS: Readonly<
  Record<Reason, { readonly sign: string; readonly words: string }>
> = {
  compacted: { sign: '▼', words: 'compacted' },
  cleared: { sign: '✕', words: 'cleared' },
  shrank: { sign: '▽', words: 'fell, the file does not say why' },
}

/** A window up to this many times the highest column is on the scale. */
const WITHIN = 2.5

/** Places the calls on the turns of a replay: each in the column of the turn before it. Null without calls or turns. */
export function contextLane(
  turnSeq: readonly number[],
  columns: ContextColumns,
): ContextLane | null {
  if (turnSeq.length === 0 || columns.seq.length === 0) return null
  const turns = columns.seq.map((seq) => turnBefore(turnSeq, seq))
  const inTurn = new Map<number, number>()
  for (const turn of turns) inTurn.set(turn, (inTurn.get(turn) ?? 0) + 1)
  const cuts = new Map(columns.cuts.map((cut) => [cut.call, cut]))
  let at = 0
  const bars = turns.map((turn, nth): CallBar => {
    at = turns[nth - 1] === turn ? at + 1 : 0
    const slot = 1 / (inTurn.get(turn) ?? 1)
    return {
      nth,
      turn,
      slot,
      position: turn + (at + 0.5) * slot,
      seq: columns.seq[nth] ?? 0,
      total: layersOf(columns, nth).reduce((sum, tokens) => sum + tokens, 0),
      window: columns.window[nth] ?? 0,
      cut: cuts.get(nth) ?? null,
    }
  })
  return { columns, bars, top: topOf(bars) }
}

function topOf(bars: readonly CallBar[]): number {
  let high = 1
  for (const { total } of bars) high = Math.max(high, total)
  let top = high
  for (const { window } of bars) if (window <= high * WITHIN) top = Math.max(top, window)
  return top
}

/** [X15] Place of a layer's colour in the palette, or the theme's colour of the remainder and of the others. */
export function layerLook(name: string, layer: number): number | 'line2' | 'ink3' {
  if (layer === 0) return 'line2'
  return name === OTHERS ? 'ink3' : layer - 1
}

/** Tokens of each layer of a call, from the bottom up. */
export function layersOf({ layers, tokens }: ContextColumns, nth: number): readonly number[] {
  return tokens.slice(nth * layers.length, (nth + 1) * layers.length)
}

/** Index of the first column at or after a position, by bisection. */
export function firstBarFrom(bars: readonly CallBar[], position: number): number {
  return bisect(bars.length, (at) => (bars[at]?.position ?? 0) < position)
}

/** The column at a position, within its slot or `reach` turns; null if there is none. */
export function barAt({ bars }: ContextLane, position: number, reach: number): CallBar | null {
  const at = firstBarFrom(bars, position)
  let best: CallBar | null = null
  for (const bar of [bars[at - 1], bars[at]]) {
    if (bar === undefined) continue
    const away = Math.abs(bar.position - position)
    if (away > Math.max(bar.slot / 2, reach)) continue
    if (best === null || away < Math.abs(best.position - position)) best = bar
  }
  return best
}

/** Columns in view. Those that are narrower than a pixel share it: a cut stays visible, then the highest. */
export function visibleBars(
  { bars }: ContextLane,
  view: { readonly from: number; readonly to: number },
  pixelOf: (position: number) => number,
  width: number,
): readonly CallBar[] {
  const from = firstBarFrom(bars, view.from - 1)
  const end = firstBarFrom(bars, view.to + 1)
  if (end - from <= width) return bars.slice(from, end)
  const kept = new Map<number, CallBar>()
  for (let at = from; at < end; at += 1) {
    const bar = bars[at]
    if (bar === undefined) continue
    const pixel = pixelOf(bar.position)
    const other = kept.get(pixel)
    if (other === undefined || rank(bar) > rank(other)) kept.set(pixel, bar)
  }
  return [...kept.values()]
}

function rank({ cut, total }: CallBar): number {
  return total + (cut === null ? 0 : Number.MAX_SAFE_INTEGER / 2)
}

/** The calls of a turn, in order. */
export function barsOfTurn({ bars }: ContextLane, turn: number): readonly CallBar[] {
  return bars.slice(firstBarFrom(bars, turn), firstBarFrom(bars, turn + 1))
}

/** A cut in a few words: `compacted from 180,000`. */
export function cutWords({ reason, before }: Pick<Cut, 'reason' | 'before'>): string {
  const from = before === null ? '' : ` from ${count(before)}`
  return `${CUT_WORDS[reason].words}${from}`
}

/** The lane's text for one turn: its last call, how many there are, and the cuts. '' without a call. */
export function contextWords(lane: ContextLane, turn: number): string {
  const bars = barsOfTurn(lane, turn)
  const last = bars.at(-1)
  if (last === undefined) return ''
  const { total, window } = last
  const about = lane.columns.isRecorded ? '' : 'about '
  const share = window > 0 ? ` (${shareText(total, window)} of the window)` : ''
  const cuts = bars.flatMap(({ cut }) => (cut === null ? [] : cutWords(cut)))
  return joined(
    [
      `${about}${count(total)} tokens${share}`,
      bars.length > 1 ? `${bars.length} calls` : '',
      ...cuts,
    ],
    ', ',
  )
}
