import { type Decision, decisionOf } from '../../engine/rows/decision.ts'
import type { MatchWriter } from '../../engine/rows/match-bytes.ts'
import { type PlacedRow, createOpenSessions } from '../../engine/rows/open-sessions.ts'
import {
  type Classified,
  type TurnClassifier,
  createTurnClassifier,
} from '../rows/classify-turns.ts'
import { type CutOff, createCutOffRun } from '../shared/cut-off-run.ts'
import type { TimeLimit } from '../shared/guard.ts'
import type { Compiled } from '../shared/pipelines.ts'
import type { PartRow } from './part-rows.ts'
import { createFlipPairs } from './flip-pairs.ts'
import { type Cells, TURN_COLUMNS, placeCells } from './part-tables.ts'

/** Where the rows of a part go. */
export interface PartResults {
  readonly turn: (cells: Cells) => void
  /** [F145] Which signals matched, turn by turn. */
  readonly matches: Pick<MatchWriter, 'turn' | 'endSession'>
  /** Null: one configuration only. */
  readonly flip: ((cells: Cells) => void) | null
}

export interface PartCounts {
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
export interface PartClassifier {
  readonly add: (rows: readonly PartRow[]) => void
  readonly end: () => PartCounts
}

/** [F116] One part has a run of its own (T61), so that its rows do not depend on what else a thread did. */
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

  function endSession(): void {
    results.matches.endSession()
    if (session === null || pairs === null || results.flip === null) return
    for (const cells of pairs.flips(files)) results.flip(cells)
  }

  function addSame(rows: readonly PartRow[], isLast: boolean): void {
    for (const [row, classified] of left.answer(rows, isLast)) {
      counts.turns += 1
      results.turn(turnCells(files, row, left.number(), classified))
      results.matches.turn(classified.outcome.fired)
      pairs?.add('base', row, classified)
    }
    if (right === null) return
    for (const [row, classified] of right.answer(rows, isLast)) pairs?.add('other', row, classified)
  }

  /** Rows of one session after those of another one: the last session is over. */
  function addRun(rows: readonly PartRow[]): void {
    const [first] = rows
    if (first === undefined) return
    if (first.session !== session) {
      addSame([], true)
      endSession()
      session = first.session
      counts.sessions += 1
      left.begin()
      right?.begin()
    }
    counts.rows += rows.length
    addSame(rows, false)
  }

  return {
    add: (rows) => {
      for (const run of runsOf(rows)) addRun(run)
    },
    end: () => {
      addSame([], true)
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

/** One configuration: the rows of a session, and the numbers of its turns. */
function createSide(compiled: Compiled, classifier: TurnClassifier) {
  let sessions = createOpenSessions<PartRow>(compiled.classify, 1)
  let turns = 0

  /** Rows that can be answered; behind the last row of the session, also what waited. */
  function take(rows: readonly PartRow[], isLast: boolean): ReadonlyArray<PlacedRow<PartRow>> {
    const placed = rows.flatMap((row) => {
      const taken = sessions.take(row)
      // Numbers are given by us, ascending.
      if (!taken.ok) throw new Error(taken.error)
      return taken.value
    })
    return isLast ? [...placed, ...sessions.end()] : placed
  }

  return {
    compiled,
    begin: () => {
      sessions = createOpenSessions<PartRow>(compiled.classify, 1)
      turns = 0
    },
    /** The next rows of the session that are turns, with what they came to. */
    answer: (rows: readonly PartRow[], isLast: boolean): ReadonlyArray<[PartRow, Classified]> => {
      const found = take(rows, isLast).flatMap(({ row, of }) =>
        of === null ? [] : [{ row, of, message: row.message }],
      )
      const classified = classifier.run(found)
      return found.flatMap(({ row }, at): Array<[PartRow, Classified]> => {
        const each = classified[at]
        return each === undefined ? [] : [[row, each]]
      })
    },
    /** 1-based number of the next turn. */
    number: (): number => {
      turns += 1
      return turns
    },
  } as const
}

function turnCells(
  files: readonly string[],
  row: PartRow,
  turn: number,
  decided: Classified,
): Cells {
  const decision: Decision = decisionOf(decided)
  return [
    ...placeCells(files, row, turn),
    ...[row.kind, row.message.length],
    ...TURN_COLUMNS.slice(6).map(({ name }) => decision[name as keyof Decision] ?? null),
  ]
}
