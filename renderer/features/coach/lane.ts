import { OutputType } from '../../../core/engine/schema/coach.ts'
import type { CoachColumns } from '../../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { eachPlaced } from '../../timeline/placed.ts'
import { joined } from '../../ui/format.ts'
import { VERDICT_WORDS } from '../../views/coach/verdict-words.ts'

/**
 * Verdicts placed on turns. An agent output is no turn. It is placed at the turn before it, or at the first turn if
 * none precedes. If a turn has several outputs, the last one gives the type. Rare and important states (sent back,
 * disagreement, failure) apply if any output has them.
 */
export type CoachLane = Readonly<ReturnType<typeof coachLane>>

const bump = (column: Uint16Array, at: number, by: number) => {
  column[at] = (column[at] ?? 0) + by
}

/** Places verdicts on the turns of a replay: one walk over two rising columns. */
export function coachLane(turnSeq: readonly number[], columns: Immutable<CoachColumns>) {
  const turns = turnSeq.length
  const total = (column: readonly number[]) => column.reduce((sum, value) => sum + value, 0)
  const lane = {
    outputs: columns.seq.length,
    back: columns.seq.length - total(columns.passes),
    /** Index into OutputType.options of the turn's last output; -1 = none. */
    type: new Int8Array(turns).fill(-1),
    confidence: new Float32Array(turns),
    /** Number of outputs at the turn, and of those sent back. */
    count: new Uint16Array(turns),
    sentBack: new Uint16Array(turns),
    /** 1 = rules and model, or two runs, disagree about one of them. */
    disagrees: new Uint8Array(turns),
    /** 1 = the model failed on one of them. */
    failed: new Uint8Array(turns),
    /** Index into OutputType.options of the last output's label; -1 = none. */
    label: new Int8Array(turns).fill(-1),
    /** 1 if the agent continued without user input after all of them (V23). */
    wentOn: new Uint8Array(turns).fill(1),
  }
  eachPlaced(turnSeq, columns.seq, (turn, at) => {
    lane.type[turn] = columns.type[at] ?? -1
    lane.confidence[turn] = columns.confidence[at] ?? 0
    lane.label[turn] = columns.label[at] ?? -1
    bump(lane.count, turn, 1)
    if (columns.wentOn[at] !== 1) lane.wentOn[turn] = 0
    if (columns.passes[at] === 0) bump(lane.sentBack, turn, 1)
    if (columns.disagrees[at] === 1) lane.disagrees[turn] = 1
    if (columns.failed[at] === 1) lane.failed[turn] = 1
  })
  return lane
}

/** A block of turns in one mark. */
export type CoachBlock = Readonly<ReturnType<typeof coachBlock>>

/**
 * Sums up turns `[from, to)`: the most frequent type of those that pass (-1 if none passes), and whether the agent
 * continued without user input after all of them.
 */
export function coachBlock(lane: CoachLane, from: number, to: number) {
  const times = new Uint32Array(OutputType.options.length)
  const block = { type: -1, count: 0, back: 0, disagrees: false, failed: false, wentOn: true }
  for (let turn = from; turn < Math.min(to, lane.type.length); turn++) {
    if (lane.count[turn] === 0) continue
    block.count += lane.count[turn] ?? 0
    block.back += lane.sentBack[turn] ?? 0
    block.disagrees ||= lane.disagrees[turn] === 1
    block.failed ||= lane.failed[turn] === 1
    block.wentOn &&= lane.wentOn[turn] === 1
    const type = lane.type[turn] ?? -1
    if (type >= 0 && OutputType.options[type] !== 'status') times[type] = (times[type] ?? 0) + 1
  }
  const most = Math.max(...times)
  if (most > 0) block.type = times.indexOf(most)
  return block
}

/** The lane's text for one turn; '' if the turn has no output. */
export function coachWords(lane: CoachLane, turn: number): string {
  const type = OutputType.options[lane.type[turn] ?? -1]
  if (type === undefined) return ''
  const confidence = lane.confidence[turn] ?? 0
  const count = lane.count[turn] ?? 0
  const label = OutputType.options[lane.label[turn] ?? -1]
  const parts = [
    `${VERDICT_WORDS[type].words} ${confidence.toFixed(2)}, ${type === 'status' ? 'sent back' : 'passes'}`,
    count > 1 ? `last of ${count} outputs, ${lane.sentBack[turn] ?? 0} sent back` : '',
    lane.wentOn[turn] === 1 ? 'the agent went on by itself' : '',
    label === undefined ? '' : `labelled ${label}`,
    lane.disagrees[turn] === 1 ? 'rules or runs disagree' : '',
    lane.failed[turn] === 1 ? 'the model failed' : '',
  ]
  return joined(parts, '; ')
}
