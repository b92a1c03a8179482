import { decisionCells } from '../../engine/rows/decision.ts'
import type { MatchWriter } from '../../engine/rows/match-writer.ts'
import { type PlacedRow, createOpenSessions } from '../../engine/rows/open-sessions.ts'
import {
  type Classified,
  type TurnClassifier,
  createTurnClassifier,
} from '../rows/classify-turns.ts'
import { type CutOff, createCutOffRun } from '../platform/guard/cut-off-run.ts'
import type { TimeLimit } from '../platform/guard/guard.ts'
import type { Compiled } from '../rules/pipelines.ts'
import type { PartRow } from './part-rows.ts'
import { type Cells, placeCells } from './part-tables.ts'
import { diffReplays } from '../../engine/lab/flips/diff.ts'
import { createReplayBuilder } from '../../engine/replay.ts'

/** Receives the rows of a part. */
interface PartResults {
  readonly turn: (cells: Cells) => void
  /** [F145] Which signals matched, and the state behind it, turn by turn. */
  readonly matches: Pick<MatchWriter, 'turn' | 'endSession'>
  /** Null: one configuration only. */
  readonly flip: ((cells: Cells) => void) | null
}

interface PartCounts {
  sessions: number
  /** Rows that could be used. */
  rows: number
  turns: number
}

interface PartOptions {
  readonly files: readonly string[]
  readonly base: Compiled
  readonly other: Compiled | null
  readonly limit: TimeLimit
  readonly results: PartResults
  /** A pattern was cut off; it is off for the rest of the part. */
  readonly onCutOff: (what: CutOff) => void
}

/** Classifies the rows of a part, which come session by session in the order of their turns. */
interface PartClassifier {
  readonly add: (rows: readonly PartRow[]) => void
  readonly end: () => PartCounts
}

/** [F116] Each part has its own run (T61), so that its rows do not depend on earlier work of the thread. */
export function createPartClassifier(options: PartOptions): PartClassifier {
  const { files, base, other, limit, results, onCutOff } = options
  const counts: PartCounts = { sessions: 0, rows: 0, turns: 0 }
  const cutOffs = createCutOffRun(onCutOff)
  const sideOf = (compiled: Compiled) =>
    createSide(compiled, createTurnClassifier(compiled, { limit, cutOffs }))
  const left = sideOf(base)
  const right = other === null ? null : sideOf(other)
  const pairs =
    right === null || results.flip === null ? null : createFlipPairs(base, right.compiled)
  let session: string | null = null
  /** Turns of the session up to now. */
  let turns = 0

  function endSession(): void {
    results.matches.endSession()
    if (session === null || pairs === null || results.flip === null) return
    for (const cells of pairs.flips(files)) results.flip(cells)
  }

  function beginSession(name: string): void {
    endSession()
    session = name
    turns = 0
    counts.sessions += 1
  }

  /** Rows of one session or of several, in their order. */
  function addRows(rows: readonly PartRow[]): void {
    const answers = left.answer(rows)
    const others = right?.answer(rows)
    for (const run of runsOf(rows)) {
      const [{ session: name } = { session }] = run
      if (name === null) continue
      if (name !== session) beginSession(name)
      counts.rows += run.length
      for (const [row, classified] of answers.get(name) ?? []) {
        turns += 1
        counts.turns += 1
        results.turn(turnCells(files, row, turns, classified))
        results.matches.turn(classified.outcome.fired, classified.outcome.state)
        pairs?.add('base', row, classified)
      }
      for (const [row, classified] of others?.get(name) ?? []) pairs?.add('other', row, classified)
    }
  }

  return {
    add: (rows) => {
      // Scanning texts of many sessions under one watchdog limit is cheaper. Two configurations share cut-offs, so both
      // process a session before either sees the next.
      for (const some of right === null ? [rows] : runsOf(rows)) addRows(some)
    },
    // An agent's output that still waits is no turn.
    end: () => {
      endSession()
      return counts
    },
  }
}

/** Rows of one session each. */
function runsOf(rows: readonly PartRow[]): ReadonlyArray<readonly PartRow[]> {
  const starts = rows.flatMap(({ session }, at) => (rows[at - 1]?.session === session ? [] : [at]))
  return starts.map((start, at) => rows.slice(start, starts[at + 1]))
}

type Answers = ReadonlyMap<string, ReadonlyArray<readonly [PartRow, Classified]>>

/** One configuration: processes the sessions one after the other and returns the results of their turns. */
function createSide(compiled: Compiled, classifier: TurnClassifier) {
  let sessions = createOpenSessions<PartRow>(compiled.classify, 1)
  let session: string | null = null

  function take(row: PartRow): ReadonlyArray<PlacedRow<PartRow>> {
    if (row.session !== session) {
      session = row.session
      sessions = createOpenSessions<PartRow>(compiled.classify, 1)
    }
    const taken = sessions.take(row)
    // Numbers are given by us, ascending.
    if (!taken.ok) throw new Error(taken.error)
    return taken.value
  }

  return {
    compiled,
    /** The next rows that are turns, by session, with their results. */
    answer: (rows: readonly PartRow[]): Answers => {
      const found = rows
        .flatMap(take)
        .flatMap(({ row, of }) => (of === null ? [] : [{ row, of, message: row.message }]))
      const classified = classifier.run(found)
      const pairs = found.flatMap(({ row }, at): Array<[PartRow, Classified]> => {
        const each = classified[at]
        return each === undefined ? [] : [[row, each]]
      })
      return Map.groupBy(pairs, ([row]) => row.session)
    },
  } as const
}

function turnCells(
  files: readonly string[],
  row: PartRow,
  turn: number,
  decided: Classified,
): Cells {
  return [...placeCells(files, row, turn), row.kind, row.message.length, ...decisionCells(decided)]
}

interface FlipPairs {
  readonly add: (side: 'base' | 'other', row: PartRow, classified: Classified) => void
  /** Flips of the session that was added; begins the next one. */
  readonly flips: (files: readonly string[]) => readonly Cells[]
}

/** [F117] Both answers to a session, until it is over and can be compared (T8). */
function createFlipPairs(base: Compiled, other: Compiled): FlipPairs {
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
      const was = sides.base.builder.finish()
      const is = sides.other.builder.finish()
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
              fields,
              cause,
              since + 1,
              nameOf(was, from[0].primary, turn),
              nameOf(is, from[1].primary, at),
              nameOf(was, from[0].secondary, turn),
              nameOf(is, from[1].secondary, at),
            ],
          ]
        },
      )
      sides = { base: begin(base), other: begin(other) }
      return cells
    },
  }
}
