import { passes } from '../../engine/coach/message.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import type { CoachEstimate, CoachOutput } from '../../engine/schema/coach-wire.ts'
import { styled } from '../../host/platform/terminal.ts'
import { type Column, createTable, firstWords } from '../kit/table.ts'

type Shown = Immutable<CoachOutput>

/** Columns of `coach`, in order. The last column takes the remaining width. */
const COLUMNS: ReadonlyArray<Column<Shown>> = [
  { title: 'event', width: 6, of: (one) => String(one.seq + 1) },
  { title: 'type', width: 10, of: (one) => one.verdict.type },
  { title: 'conf', width: 4, of: (one) => one.verdict.confidence.toFixed(2) },
  { title: '', width: 4, of: (one) => (passes(one.verdict) ? 'pass' : 'back') },
  { title: 'source', width: 6, of: (one) => one.verdict.source },
  { title: 'flags', width: 16, of: flagsOf },
  { title: 'output', width: 40, of: (one) => firstWords(one.text, 40) },
  { title: 'what the agent receives', width: 20, of: (one) => firstWords(said(one)) },
]

/** [V23] `went_on`: the agent did not stop there. */
function flagsOf({ verdict, wentOn }: Shown): string {
  return [...(wentOn ? ['went_on'] : []), ...verdict.flags].join(' ')
}

function said({ message, failure }: Shown): string {
  if (failure !== null) return `(${failure.what}) ${message ?? ''}`
  return message ?? ''
}

/** The table of one session. Outputs that go back to the agent are highlighted. */
export function coachTable(width: number) {
  const { head, row } = createTable(COLUMNS, width)
  return {
    head,
    row: (one: Shown) => (passes(one.verdict) ? row(one) : styled('yellow', row(one))),
  }
}

export interface CoachSums {
  outputs: number
  back: number
  /** Of the outputs that go back: those after which the agent continued unprompted (V23). */
  wentOn: number
  /** Of all outputs: those after which the agent continued unprompted. */
  hypothetical: number
}

export function coachSums(sums: Readonly<CoachSums>): string {
  const { outputs, back, wentOn, hypothetical } = sums
  const stopped = outputs - hypothetical
  const held = `${stopped} ${outputWord(stopped)} at which the agent stopped`
  const passed = stopped - (back - wentOn)
  const others = `after ${hypothetical} more it went on by itself, ${wentOn} of them would go back`
  const more = hypothetical === 0 ? '' : `; ${others}`
  return `${held}: ${passed} pass, ${back - wentOn} go back to the agent${more}\n`
}

const outputWord = (count: number) => (count === 1 ? 'output' : 'outputs')

/** [V62] One line that summarizes the verdicts that are not listed. */
export function foldedLine(folded: readonly Shown[]): string {
  const back = folded.filter(({ verdict }) => !passes(verdict)).length
  const what = `${folded.length} ${outputWord(folded.length)} after which the agent went on by itself are not listed`
  return `… ${what} (${back} would go back; --all lists them)\n`
}

/** Estimated requests and cost of a batch, shown before it sends anything. */
export function estimateLine(estimate: CoachEstimate): string {
  const { calls, cached, gated, inputTokens, outputTokens, dollars } = estimate
  const tokens = `about ${inputTokens} tokens in, at most ${outputTokens} out`
  const price = dollars === null ? 'price unknown' : `at most ${dollars.toFixed(4)} dollars`
  return `${calls} calls (${cached} cached, ${gated} decided by a gate): ${tokens}, ${price}`
}
