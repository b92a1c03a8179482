import { recommendedBundle } from '../../bundle/options.ts'
import { recommendedProbe } from '../../probe/options.ts'
import type { FlipCause } from '../../schema/compare.ts'
import type { Preset } from '../../schema/preset.ts'

/** Parts of a preset, in the order of the file. */
const PARTS = ['belief', 'query', 'selfSignal', 'prompt', 'probe', 'bundle'] as const
export type Part = (typeof PARTS)[number]

/** One option that two presets set differently. */
export interface OptionChange extends Pick<FlipCause, 'name' | 'from' | 'to'> {
  readonly part: Part
  readonly option: string
}

type Entries = Readonly<Record<string, unknown>>

/** Parts that a preset may leave out are as recommended then. */
function entriesOf(preset: Preset, part: Part): Entries {
  if (part === 'probe') return preset.probe ?? recommendedProbe
  return part === 'bundle' ? (preset.bundle ?? recommendedBundle) : preset[part]
}

const MOST_CHARS = 60

/** A map as its names with their values. Lists and nested values are JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const isMap = typeof value === 'object' && !Array.isArray(value)
  const entries = isMap ? Object.entries({ ...value }) : []
  if (entries.length === 0 || entries.some(([, each]) => typeof each === 'object' && each !== null))
    return JSON.stringify(value)
  return entries.map(([name, each]) => `${name} ${shownValue(each)}`).join(', ')
}

/** A value in readable form, shortened if it is long. */
function shownValue(value: unknown): string {
  if (value === null || value === undefined) return 'off'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const text = textOf(value)
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS - 1)}…` : text
}

/** [L52] Every option that two presets set differently, in the order of the file. */
export function optionChanges(a: Preset, b: Preset): readonly OptionChange[] {
  return PARTS.flatMap((part) => partChanges(part, entriesOf(a, part), entriesOf(b, part)))
}

/** The same of one part alone. */
export function partChanges(part: Part, here: Entries, there: Entries): readonly OptionChange[] {
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])]
  return names
    .filter((option) => JSON.stringify(here[option]) !== JSON.stringify(there[option]))
    .map((option) => ({
      part,
      option,
      name: `${part}.${option}`,
      from: shownValue(here[option]),
      to: shownValue(there[option]),
    }))
}

/** The preset `a` with some options from `b`. The result is a valid preset, because options are independent. */
export function withOptions(a: Preset, b: Preset, changes: readonly OptionChange[]): Preset {
  let made = a
  for (const { part, option } of changes) {
    const value = entriesOf(b, part)[option]
    // The type of one part out of six is lost; both values are of the same option.
    made = { ...made, [part]: { ...entriesOf(made, part), [option]: value } }
  }
  return made
}

/** Differences from this side: the new value, by its subject. */
export type Outcome = ReadonlyMap<string, string>

function isSame(a: Outcome, b: Outcome): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}

export interface Causes {
  /** Flips by each change alone, in the order of the changes. */
  readonly alone: readonly number[]
  /** Numbers of the changes of a smallest set with which everything is as on the other side. */
  readonly needed: ReadonlySet<number>
}

/** Maximum number of outcomes that the search requests. */
export function stepsOfSearch(changes: number): number {
  return 2 * changes + 1
}

/**
 * [L52] Finds the changes that together cause all flips. Yields the numbers of the changes to switch together, and
 * receives the differences. First switches each change alone. Then takes those that flip something (or all, if these
 * together do not produce all flips) and drops each one that can be spared, the weakest first. The remaining set
 * produces all flips, and each of its changes is necessary.
 * @param whole the differences with all changes
 */
export function* searchCauses(
  changes: number,
  whole: Outcome,
): Generator<ReadonlySet<number>, Causes, Outcome> {
  const alone: number[] = []
  for (let one = 0; one < changes; one += 1) alone.push((yield new Set([one])).size)
  const all = [...alone.keys()]
  if (whole.size === 0) return { alone, needed: new Set() }
  const effective = new Set(all.filter((one) => (alone[one] ?? 0) > 0))
  const isWhole = effective.size > 0 && isSame(yield effective, whole)
  let needed = isWhole ? effective : new Set(all)
  const weakestFirst = [...needed].toSorted((a, b) => (alone[a] ?? 0) - (alone[b] ?? 0))
  for (const one of weakestFirst) {
    const without = new Set([...needed].filter((each) => each !== one))
    if (without.size > 0 && isSame(yield without, whole)) needed = without
  }
  return { alone, needed }
}
