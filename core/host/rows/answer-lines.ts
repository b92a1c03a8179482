import { type Decision, decisionOf } from '../../engine/rows/decision.ts'
import { type PlacedRow, createOpenSessions } from '../../engine/rows/open-sessions.ts'
import { type RowIn, readTurnRow } from '../../engine/rows/turn-row.ts'
import type { ClassifyKinds } from '../../engine/schema/preset.ts'
import { plainJson } from '../platform/terminal.ts'
import type { TurnClassifier, TurnIn } from './classify-turns.ts'
import type { FedLine } from './line-feed.ts'

/** A line that could not be used. */
export interface BadLine {
  /** 1-based. */
  readonly line: number
  readonly error: string
}

export interface LineAnswers {
  /** JSON lines, each with its line feed. */
  readonly text: string
  readonly bad: readonly BadLine[]
}

/** Answers rows of JSON lines, in any portions; the answers do not depend on how the lines are divided. */
interface LineAnswerer {
  readonly answer: (lines: readonly FedLine[]) => LineAnswers
  /** Rows that waited for another row of their session. */
  readonly end: () => LineAnswers
  readonly dropped: () => number
}

interface AnswerOptions {
  readonly classifier: TurnClassifier
  readonly classify: ClassifyKinds
  readonly maxOpen: number
  /** Prefix of each name added to a row. */
  readonly prefix: string
  /** Hash of the configuration, and version of the engine: the same in each row. */
  readonly config: string
  readonly engine: string
}

const TOO_LONG = 'is longer than 64 million characters'

/** [F110] A classifier as a filter of JSON lines: one row out for each row in that could be used. */
export function createLineAnswerer(options: AnswerOptions): LineAnswerer {
  const { classifier, classify, maxOpen, prefix, config, engine } = options
  const sessions = createOpenSessions<RowIn>(classify, maxOpen)
  const noTurn = decisionOf(null)

  /** A row with its decision, the names with their prefix. */
  function written({ passed }: RowIn, decision: Decision): string {
    const added = JSON.stringify({ ...decision, config, engine })
    const named = prefix === '' ? added : withPrefix(added, prefix)
    return `{${passed},${named.slice(1)}\n`
  }

  function answerRows(placed: ReadonlyArray<PlacedRow<RowIn>>): string {
    const turns = placed.flatMap(({ row, of }): TurnIn[] =>
      of === null ? [] : [{ message: row.message, of }],
    )
    const decisions = classifier.run(turns)
    let next = 0
    return plainJson(
      placed
        .map(({ row, of }) => {
          const decision = of === null ? noTurn : decisionOf(decisions[next] ?? null)
          if (of !== null) next += 1
          return written(row, decision)
        })
        .join(''),
    )
  }

  return {
    answer: (lines) => {
      const bad: BadLine[] = []
      const placed: Array<PlacedRow<RowIn>> = []
      for (const { line, text } of lines) {
        if (text?.trim() === '') continue
        const row = text === null ? null : readTurnRow(text, prefix)
        const taken = row?.ok === true ? sessions.take(row.value) : row
        if (taken?.ok === true) placed.push(...taken.value)
        else bad.push({ line, error: taken?.error ?? TOO_LONG })
      }
      return { text: answerRows(placed), bad }
    },
    end: () => ({ text: answerRows(sessions.end()), bad: [] }),
    dropped: sessions.dropped,
  }
}

function withPrefix(object: string, prefix: string): string {
  const entries = Object.entries(JSON.parse(object) as Record<string, unknown>)
  return JSON.stringify(Object.fromEntries(entries.map(([name, value]) => [prefix + name, value])))
}
