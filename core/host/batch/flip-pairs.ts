import { diffReplays } from '../../engine/lab/flips/diff.ts'
import { createReplayBuilder } from '../../engine/replay.ts'
import type { Classified } from '../rows/classify-turns.ts'
import type { Compiled } from '../rules/pipelines.ts'
import type { PartRow } from './part-rows.ts'
import { type Cells, placeCells } from './part-tables.ts'

interface FlipPairs {
  readonly add: (side: 'base' | 'other', row: PartRow, classified: Classified) => void
  /** Flips of the session that was added; begins the next one. */
  readonly flips: (files: readonly string[]) => readonly Cells[]
}

/** [F117] Both answers to a session, until it is over and can be compared (T8). */
export function createFlipPairs(base: Compiled, other: Compiled): FlipPairs {
  const begin = (compiled: Compiled) => ({
    builder: createReplayBuilder(compiled.pipeline, compiled.config),
    rows: [] as PartRow[],
  })
  let sides = { base: begin(base), other: begin(other) }
  return {
    add: (name, row, { outcome, before }) => {
      const side = sides[name]
      side.builder.add({ turn: side.rows.length, seq: row.turn, state: before, outcome })
      side.rows.push(row)
    },
    flips: (files) => {
      const [was, is] = [sides.base.builder.finish(), sides.other.builder.finish()]
      const { rows } = sides.base
      const nameOf = ({ columns }: typeof was, places: readonly number[], turn: number) =>
        columns.domains[places[turn] ?? -1] ?? null
      const cells = diffReplays(was, is).flatMap(
        ({ turn, other: at, fields, cause, since }): Cells[] => {
          const row = rows[turn]
          if (row === undefined) return []
          const from = [was.columns, is.columns] as const
          return [
            [
              ...placeCells(files, row, turn + 1),
              ...[fields, cause, since + 1],
              ...[nameOf(was, from[0].primary, turn), nameOf(is, from[1].primary, at)],
              ...[nameOf(was, from[0].secondary, turn), nameOf(is, from[1].secondary, at)],
            ],
          ]
        },
      )
      sides = { base: begin(base), other: begin(other) }
      return cells
    },
  }
}
