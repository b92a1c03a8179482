import type { CorpusLabels } from '../../../engine/lab/corpus/corpus.ts'
import type { SessionOutcome, TextLabel, TurnLabel } from '../../../engine/schema/label.ts'
import { countingLabel, withReading } from '../../../engine/lab/readers/readings.ts'
import type { LabelFile } from '../../labels/label-store.ts'
import {
  type Labelled,
  type LabelFinder,
  createLabelFinder,
  hashOf,
  isOutcome,
  isTextLabel,
  isTurnLabel,
} from '../../labels/label-file.ts'

/** A label whose turn could not be found, or a line that says nothing. */
export interface LostLabel {
  readonly file: string
  readonly line: number
  readonly what: string
}

/** A session of the corpus as labels see it. */
export interface LabelTarget {
  readonly id: string
  /** Its number in the corpus. */
  readonly index: number
  /** True for the first session of its file. Labels that name no session mean this one. */
  readonly isFirst: boolean
  /** Number of its first turn in the corpus. */
  readonly first: number
  readonly turns: readonly Labelled[]
}

/** Labels of several readers, by turn of the corpus. */
export type CorpusReadings = ReadonlyMap<number, readonly TurnLabel[]>

export interface FoundLabels {
  /** By turn of the corpus. */
  readonly labels: CorpusLabels
  /** [L86] All that readers said, by turn of the corpus. */
  readonly readings: CorpusReadings
  /** By session of the corpus. */
  readonly outcomes: ReadonlyMap<number, SessionOutcome>
  readonly lost: readonly LostLabel[]
  /** Text labels, which need no session. */
  readonly texts: ReadonlyArray<{
    readonly file: string
    readonly line: number
    readonly label: TextLabel
  }>
}

const NO_TURN = 'no turn of the session has this text, or more than one has'
export const NO_SESSION = 'the file has no such session'

/** [T1] Finds the turns that the labels of one transcript mean. */
export function findLabels(
  files: readonly LabelFile[],
  targets: readonly LabelTarget[],
): FoundLabels {
  const readings = new Map<number, readonly TurnLabel[]>()
  const outcomes = new Map<number, SessionOutcome>()
  const lost: LostLabel[] = []
  const texts: Array<FoundLabels['texts'][number]> = []
  const finders = new Map<LabelTarget, LabelFinder>()
  const finderOf = (target: LabelTarget): LabelFinder => {
    const finder = finders.get(target) ?? createLabelFinder(target.turns)
    finders.set(target, finder)
    return finder
  }
  const meant = (id: string | undefined): number =>
    targets.findIndex((target) => (id === undefined ? target.isFirst : target.id === id))

  for (const { path, lines } of files) {
    for (const { line, value, problem } of lines) {
      const lose = (what: string) => lost.push({ file: path, line, what })
      if (problem !== null) lose(problem)
      if (value === null) continue
      if (isTextLabel(value)) {
        texts.push({ file: path, line, label: value })
        continue
      }
      const index = meant(value.session)
      const target = targets[index]
      if (target === undefined) {
        lose(NO_SESSION)
        continue
      }
      if (isOutcome(value)) outcomes.set(target.index, value)
      else if (isTurnLabel(value)) {
        const seq = finderOf(target).find(value)
        const turn = seq === null ? -1 : target.turns.findIndex((each) => each.seq === seq)
        if (turn < 0) lose(NO_TURN)
        else {
          const at = target.first + turn
          readings.set(at, withReading(readings.get(at) ?? [], value))
        }
      }
    }
  }
  return { labels: countingLabels(readings), readings, outcomes, lost, texts }
}

/** [L86] The label of each turn that counts. */
function countingLabels(readings: CorpusReadings): CorpusLabels {
  return new Map(
    [...readings].flatMap(([turn, all]) => {
      const label = countingLabel(all)
      return label === undefined ? [] : [[turn, label] as const]
    }),
  )
}

/** Converts a text label to the label of the single turn made from it. */
export function turnLabelOf({ text, type: _, source: __, ...judgement }: TextLabel): TurnLabel {
  return { type: 'turn', event: 0, sha256: hashOf(text), ...judgement }
}
