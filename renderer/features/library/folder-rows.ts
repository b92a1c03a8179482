import type { ColumnName, Entry, Sort } from '../../app/folders-state.ts'
import { remember } from '../../ui/remember.ts'

/** A line of the table: the folder inside the folder, or a file. */
export type TableRow =
  | {
      readonly kind: 'group'
      readonly inside: string
      readonly files: number
      readonly turns: number
    }
  | { readonly kind: 'entry'; readonly entry: Entry }

/** Sort key of each column. Null means unknown and sorts last in either direction. */
const KEYS: Readonly<Record<ColumnName, (entry: Entry) => string | number | null>> = {
  name: (entry) => nameOf(entry).toLowerCase(),
  format: (entry) => entry.formatLabel?.toLowerCase() ?? null,
  turns: (entry) => entry.stats?.turns ?? null,
  domains: (entry) => entry.stats?.domains[0]?.name ?? null,
  flips: (entry) => entry.stats?.flips ?? null,
  breaks: (entry) => entry.stats?.breaks ?? null,
  held: (entry) => entry.stats && entry.stats.held + entry.stats.resisted,
  signals: (entry) => entry.stats?.signals ?? null,
  errors: (entry) => entry.stats?.errors ?? null,
  problems: (entry) => (entry.state === 'read' ? entry.problems : null),
  modified: (entry) => entry.modifiedAt,
}

/** Name of a file for people: the title of its session, else its file name. */
export function nameOf(entry: Entry): string {
  return entry.title !== null && entry.title !== '' ? entry.title : entry.name
}

function compareBy({ column, down }: Sort): (a: Entry, b: Entry) => number {
  const key = KEYS[column]
  const sign = down ? -1 : 1
  return (a, b) => {
    const left = key(a)
    const right = key(b)
    if (left === right) return a.path < b.path ? -1 : 1
    if (left === null) return 1
    if (right === null) return -1
    return (left < right ? -1 : 1) * sign
  }
}

/** A row matches if every word of the filter occurs in its texts. */
function matcher(filter: string): (entry: Entry) => boolean {
  const words = filter
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
  if (words.length === 0) return () => true
  return (entry) => {
    const { title, name, inside, formatLabel, stats, problem } = entry
    const domains = stats?.domains.map((domain) => domain.name) ?? []
    const said = [title, name, inside, formatLabel, problem?.what, ...domains]
      .join('\n')
      .toLowerCase()
    return words.every((word) => said.includes(word))
  }
}

/**
 * [U7] [U62] The table with filter, order and grouping applied. A group takes the position of its first file, so that
 * the first rows of the order are on top. When sorted by name, groups are sorted by their own names.
 */
export const tableRows = remember(
  (
    entries: ReadonlyMap<string, Entry>,
    filter: string,
    sort: Sort,
    grouped: boolean,
  ): readonly TableRow[] => {
    const shown = [...entries.values()].filter(matcher(filter)).toSorted(compareBy(sort))
    const groups = grouped ? Map.groupBy(shown, ({ inside }) => inside) : new Map([['', shown]])
    const plain = groups.size < 2
    return orderedGroups([...groups.keys()], sort).flatMap((inside) => {
      const files = groups.get(inside) ?? []
      const rows = files.map((entry) => ({ kind: 'entry' as const, entry }))
      const turns = files.reduce((sum, { stats }) => sum + (stats?.turns ?? 0), 0)
      const head = { kind: 'group' as const, inside, files: files.length, turns }
      return plain ? rows : [head, ...rows]
    })
  },
)

/** @param groups in the order of their first files */
function orderedGroups(groups: readonly string[], { column, down }: Sort): readonly string[] {
  if (column !== 'name') return groups
  const byName = groups.toSorted()
  return down ? byName.toReversed() : byName
}

/** Names of all domains that occur, for their colours. */
export const domainsOf = remember((entries: ReadonlyMap<string, Entry>): readonly string[] => {
  const names = new Set<string>()
  for (const { stats } of entries.values())
    for (const { name } of stats?.domains ?? []) names.add(name)
  return [...names].toSorted()
})
