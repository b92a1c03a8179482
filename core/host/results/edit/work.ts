import { addTo } from '../../../engine/maps.ts'
import { type EditFlip, createEditFold } from '../../../engine/rows/edit-fold.ts'
import type { FoundInPart } from '../../../engine/rows/edit-session.ts'
import { lackingSignals } from '../../../engine/rows/edit-slots.ts'
import { lineLiterals } from '../../../engine/rows/line-literals.ts'
import { readMatches } from '../../../engine/rows/match-bytes.ts'
import { type Result, err } from '../../../engine/result.ts'
import { LONG_TEXT_BYTES, readBytes } from '../../platform/files/regular-file.ts'
import type { Compiled } from '../../rules/pipelines.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'
import { createQueue } from '../../platform/threads/shared-work.ts'
import { type StretchFound, type StretchTask, createStretchScanner } from './lines/scan-stretch.ts'
import { createTextScanner } from './text-scanner.ts'

/** Matches in a part, ascending: turn `places[at]` of the part matches signal `signals[at]` of the scanned ones. */
export interface FoundNumbers {
  readonly places: ArrayLike<number>
  readonly signals: ArrayLike<number>
}

/** [F146] A piece of the work of an edit: to look for its signals, or to fold a part. */
export type EditTask =
  | ({ readonly kind: 'look' } & StretchTask)
  | {
      readonly kind: 'fold'
      /** Number of the part, and its file of stored matches. */
      readonly part: number
      readonly path: string
      readonly found: FoundNumbers
    }

export type EditAnswer =
  | ({ readonly kind: 'looked'; readonly bytes: number } & StretchFound)
  | {
      readonly kind: 'folded'
      readonly part: number
      readonly turns: number
      readonly flips: readonly EditFlip[]
    }

/** Does pieces of the work of one edit. */
export interface EditWork {
  readonly run: (task: EditTask) => Promise<EditAnswer>
  /** Indexes of signals, among those that are looked for, that took too long. */
  readonly cut: ReadonlySet<number>
}

interface EditSides {
  readonly base: Compiled
  readonly side: Compiled
  /** Whether the stored states come from this engine. */
  readonly hasStates: boolean
}

export function createEditWork({ base, side, hasStates }: EditSides): EditWork {
  const lacking = lackingSignals(base.pipeline, side.pipeline)
  const { signals, preset } = side.pipeline
  const looked = lacking.numbers.flatMap((number) => signals[number] ?? [])
  const scanner = createTextScanner(looked, preset.belief)
  const scan = later(() => createStretchScanner(lineLiterals(looked, preset.belief), scanner))
  const fold = later(() => createEditFold(base.pipeline, side.pipeline, { lacking, hasStates }))
  const stored = base.pipeline.signals.length
  // All stretches are read into the same memory.
  const inTurn = createQueue()
  return {
    cut: scanner.cut,
    run: async (task) => {
      if (task.kind === 'look')
        return { kind: 'looked', bytes: task.to - task.from, ...(await inTurn(() => scan()(task))) }
      const bytes = await readBytes(task.path, LONG_TEXT_BYTES)
      const matches = valueOrRefuse(damaged(readMatches(bytes, stored), task.path))
      const flips: EditFlip[] = []
      const done = fold().part(matches, byTurn(task.found), (flip) => flips.push(flip))
      valueOrRefuse(damaged(done, task.path))
      return { kind: 'folded', part: task.part, turns: matches.turns, flips }
    },
  }
}

function byTurn({ places, signals }: FoundNumbers): FoundInPart {
  const found = new Map<number, number[]>()
  for (let at = 0; at < places.length; at += 1) addTo(found, places[at] ?? 0, signals[at] ?? 0)
  return found
}

/** Created on first use. */
function later<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** The same, with a message for a file that does not match the format of this version. */
function damaged<T>(read: Result<T, string>, where: string): Result<T> {
  if (read.ok) return read
  return err({ what: `stored matches: ${read.error}`, where, do: 'Run the batch again' })
}
