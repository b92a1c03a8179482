import type { CoachColumns } from '../../../core/engine/schema/coach-wire.ts'
import {
  OutputType,
  VerdictFlag,
  VerdictSource,
  type VerdictSource as Source,
} from '../../../core/engine/schema/coach.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { remember } from '../../ui/remember.ts'

/** One output in the list of verdicts. */
export interface VerdictRow {
  readonly seq: number
  readonly type: OutputType
  readonly rules: OutputType
  readonly confidence: number
  readonly source: Source
  readonly back: boolean
  readonly disagrees: boolean
  readonly failed: boolean
  readonly gated: boolean
  /** The agent continued without user input. In a live run no user would have been asked (V23). */
  readonly wentOn: boolean
  readonly label: OutputType | null
  /** Of the rules. */
  readonly flags: readonly VerdictFlag[]
  /** Beginning of the output; null until it is known. */
  readonly preview: string | null
}

/** Columns as rows, in the order of events. */
export const verdictRows = remember(
  (columns: Immutable<CoachColumns>, previews: Previews | null): readonly VerdictRow[] => {
    const texts = new Map(previews?.seqs.map((seq, at) => [seq, wordsOf(previews.previews[at])]))
    return columns.seq.map((seq, at) => ({
      seq,
      type: OutputType.options[columns.type[at] ?? 0] ?? 'question',
      rules: OutputType.options[columns.rules[at] ?? 0] ?? 'question',
      confidence: columns.confidence[at] ?? 0,
      source: VerdictSource.options[columns.source[at] ?? 0] ?? 'rules',
      back: columns.passes[at] === 0,
      disagrees: columns.disagrees[at] === 1,
      failed: columns.failed[at] === 1,
      gated: columns.gated[at] === 1,
      wentOn: columns.wentOn[at] === 1,
      label: OutputType.options[columns.label[at] ?? -1] ?? null,
      flags: VerdictFlag.options.filter((_, bit) => ((columns.flags[at] ?? 0) >> bit) & 1),
      preview: texts.get(seq) ?? null,
    }))
  },
)

/** A blank output shows that it is one. */
function wordsOf(preview: string | undefined): string {
  return preview === undefined || preview === '' ? '(no text)' : preview
}

interface Previews {
  readonly seqs: readonly number[]
  readonly previews: readonly string[]
}

const ONLY = {
  any: () => true,
  back: ({ back }) => back,
  disagrees: ({ disagrees }) => disagrees,
  failed: ({ failed }) => failed,
  gated: ({ gated }) => gated,
  labelled: ({ label }) => label !== null,
  mislabelled: ({ label, type }) => label !== null && label !== type,
} as const satisfies Readonly<Record<string, (row: VerdictRow) => boolean>>

/** Row filters besides the type: a property of the row, or a flag of the rules. */
export type OnlyFilter = keyof typeof ONLY | VerdictFlag

/** Which verdicts the list shows. */
export interface VerdictFilter {
  /** Null = of any type. */
  readonly type: OutputType | null
  readonly only: OnlyFilter
  /** Words that the beginning of the output has. */
  readonly words: string
  /** Includes verdicts after which the agent continued without user input. */
  readonly hypothetical: boolean
}

const isNamed = (only: OnlyFilter): only is keyof typeof ONLY => Object.hasOwn(ONLY, only)

function passesOnly(row: VerdictRow, only: OnlyFilter): boolean {
  return isNamed(only) ? ONLY[only](row) : row.flags.includes(only)
}

/** Filters that match at least one row, with their counts. Flags are listed only if they occur. */
export function onlyChoices(
  rows: readonly VerdictRow[],
): ReadonlyArray<readonly [OnlyFilter, number]> {
  const named = Object.keys(ONLY).filter(isNamedKey)
  const all: readonly OnlyFilter[] = [...named, ...VerdictFlag.options]
  const counted = all.map((only) => [only, rows.filter((row) => passesOnly(row, only)).length])
  // Pairs, as the line before makes them.
  return (counted as Array<[OnlyFilter, number]>).filter(([only, n]) => isNamed(only) || n > 0)
}

function isNamedKey(name: string): name is keyof typeof ONLY {
  return Object.hasOwn(ONLY, name)
}

/** [V62] Verdicts at which the agent stopped, then, folded away, those after which it went on. */
export const filteredVerdicts = remember((rows: readonly VerdictRow[], filter: VerdictFilter) => {
  const words = filter.words.toLowerCase().split(/\s+/u).filter(Boolean)
  const shown = rows.filter(
    (row) =>
      (filter.type === null || row.type === filter.type) &&
      passesOnly(row, filter.only) &&
      words.every((word) => row.preview?.toLowerCase().includes(word)),
  )
  return {
    held: shown.filter(({ wentOn }) => !wentOn),
    hypothetical: shown.filter(({ wentOn }) => wentOn),
  }
})
