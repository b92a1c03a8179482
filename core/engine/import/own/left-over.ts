import { compact, isList, isObject } from '../shared/guards.ts'
import { nameStep, placeOf, type Spot } from './values.ts'

/** Limits: distinct fields, members inspected per record, and levels. */
const MOST_FIELDS = 400
const MOST_MEMBERS = 2000
const DEEPEST = 12
/** Characters of an example. */
const EXAMPLE = 80

/** A field that no path of a mapping takes. */
export interface LeftField {
  readonly path: string
  /** Lines, items or documents that have it. */
  readonly records: number
  readonly example: string
}

/** [I142] Collects which fields a file has, and which of them a mapping takes. */
export interface LeftOver {
  /** Called when a value was used, including everything inside it. */
  readonly taken: (spot: Spot) => void
  /** Called with one unmodified line, item or document. */
  readonly seen: (value: unknown) => void
  readonly fields: () => readonly LeftField[]
}

export function createLeftOver(): LeftOver {
  const taken = new Set<string>()
  const seen = new Map<string, { records: number; readonly example: string }>()

  function look(value: unknown): void {
    let members = 0
    const here = new Set<string>()
    const visit = (at: unknown, path: string, depth: number): void => {
      members += 1
      if (members > MOST_MEMBERS) return
      const inside = depth < DEEPEST ? membersOf(at) : []
      if (inside.length === 0 && at !== null) {
        if (here.has(path) || path === '$') return
        here.add(path)
        const known = seen.get(path)
        if (known !== undefined) known.records += 1
        else if (seen.size < MOST_FIELDS)
          seen.set(path, { records: 1, example: compact(at).slice(0, EXAMPLE) })
      }
      for (const [step, member] of inside) visit(member, `${path}${step}`, depth + 1)
    }
    visit(value, '$', 0)
  }

  return {
    taken: (spot) => void taken.add(placeOf(spot)),
    seen: look,
    fields: () =>
      [...seen]
        .filter(([path]) => !isTaken(path, taken))
        .map(([path, { records, example }]) => ({ path, records, example })),
  }
}

function membersOf(value: unknown): ReadonlyArray<readonly [string, unknown]> {
  if (isList(value)) return value.slice(0, MOST_MEMBERS).map((item) => ['[*]', item] as const)
  if (!isObject(value)) return []
  const names = Object.keys(value).slice(0, MOST_MEMBERS)
  return names.map((name) => [nameStep(name), value[name]] as const)
}

/** A field counts as taken if an enclosing value is taken. */
function isTaken(path: string, taken: ReadonlySet<string>): boolean {
  if (taken.has(path)) return true
  for (const each of taken) {
    const next = path.charAt(each.length)
    if ((next === '.' || next === '[') && path.startsWith(each)) return true
  }
  return false
}
