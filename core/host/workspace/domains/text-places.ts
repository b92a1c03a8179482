import type { DomainFile } from '../../../engine/schema/domain.ts'
import type { DraftProblem } from '../../../engine/schema/lab.ts'
import type { Translated } from '../../../engine/skills/translate.ts'
import type { Extent } from './domain-nodes.ts'
import type { JsonNode } from './json-tree.ts'

/** Lines and columns from 1, as editors and people count. */
export type TextPlace = Pick<DraftProblem, 'line' | 'column' | 'endLine' | 'endColumn'>

/** The text of a domain file with its meaning and its places. */
export interface DomainText {
  readonly text: string
  /** Of the text; the same texts have the same. */
  readonly fingerprint: string
  /** Null if the text is not a domain file; `problems` states why. */
  readonly value: DomainFile | null
  readonly problems: readonly DraftProblem[]
  /** The place of a domain, of one of its signals, or of unit `column` (from 1) of its pattern. */
  place(domain: number, signal?: number, column?: number): TextPlace
  /** The place of a part of the file, by its path in the value. */
  placeAt(path: readonly PropertyKey[]): TextPlace
  /** [K10] The parsed tree if the text is skill rules; null: a domain file. */
  readonly skills: SkillTree | null
}

/** A text of skill rules as it is written, and as domains. */
export interface SkillTree {
  readonly root: JsonNode
  readonly translated: Translated
}

/** Offsets at which the lines of a text begin. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** An extent as lines and columns. */
export function placeOf(starts: readonly number[], { from, to }: Extent): TextPlace {
  const begin = lineOf(starts, from)
  const end = lineOf(starts, to)
  return {
    line: begin + 1,
    column: from - (starts[begin] ?? 0) + 1,
    endLine: end + 1,
    endColumn: to - (starts[end] ?? 0) + 1,
  }
}

/** Index of the last line that begins at or before the offset. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const mid = (low + high + 1) >> 1
    if ((starts[mid] ?? 0) <= offset) low = mid
    else high = mid - 1
  }
  return low
}
