import { EVENT_CODES, type ReplayColumns } from '../schema/replay.ts'
import type { Look } from './looks.ts'
import type { Paper } from './paper.ts'
import type { Bin } from './scale.ts'
import type { Drawn } from './svg.ts'

/** Context shared by the rows of a timeline. */
export interface Scene {
  readonly columns: ReplayColumns
  readonly bins: readonly Bin[]
  /** Left edge of the area in which turns are drawn. */
  readonly left: number
  readonly width: number
  /** Of one bin. */
  readonly step: number
  readonly paper: Paper
  readonly look: (name: string) => Look
}

type EventName = (typeof EVENT_CODES)[number]

/** A row of a picture. */
export interface Part {
  readonly body: readonly Drawn[]
  readonly bottom: number
}

/** Momentum event of a turn. */
export const eventOf = ({ event }: ReplayColumns, turn: number): EventName | undefined =>
  EVENT_CODES[event[turn] ?? 0]

/** Room between columns that are wide enough to be told apart. */
export const gapOf = (step: number): number => (step >= 6 ? 0.75 : 0)
