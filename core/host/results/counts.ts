import type {
  FlipsOf,
  PANELS_BY,
  PANELS_OF,
  ResultsCounts,
  ResultsFilter,
  ResultsPair,
  ResultsPanel,
} from '../../engine/schema/results.ts'
import { type Condition, SAID, flipTable, flipsWhere, turnsWhere } from './conditions.ts'
import type { Results } from './results.ts'

interface Asked {
  readonly filter: ResultsFilter
  readonly flips: FlipsOf
  /** The dimension and the measure of the small multiples. */
  readonly by: (typeof PANELS_BY)[number]
  readonly of: (typeof PANELS_OF)[number]
}

/** Maximum small multiples. */
const MOST_PANELS = 60

/**
 * [F140] Counts of the rows that pass a filter. Lists for choosing a value ignore the filter on that value, so that the
 * other choices are visible: domains without `domain`, pairs without `from` and `to`.
 */
export async function countResults(
  results: Results,
  asked: Asked,
  signal?: AbortSignal,
): Promise<ResultsCounts> {
  const { filter } = asked
  const ask = (sql: string, { values }: Pick<Condition, 'values'>) =>
    results.ask(sql, values, signal)
  const table = flipTable(results, asked.flips)

  const these = turnsWhere(filter)
  const [[turns, textless] = []] = await ask(
    `SELECT count(*) FILTER (${SAID})::DOUBLE, count(*) FILTER (NOT (${SAID}))::DOUBLE FROM turns WHERE ${these.sql}`,
    these,
  )
  const anyDomain = turnsWhere({ ...filter, domain: null })
  const domains = await ask(
    `SELECT "primary", count(*)::DOUBLE AS turns FROM turns WHERE ${SAID} AND ${anyDomain.sql} GROUP BY 1 ORDER BY turns DESC, 1`,
    anyDomain,
  )
  const pairs = table === null ? [] : await pairsOf(ask, table, filter)
  const panels = await panelsOf(ask, table, asked)
  return {
    turns: Number(turns),
    textless: Number(textless),
    domains: domains.map(([domain, count]) => ({ domain: String(domain), turns: Number(count) })),
    flips: table === null ? null : await flipCounts(ask, table, filter),
    pairs,
    panels: panels.slice(0, MOST_PANELS),
    otherPanels: Math.max(0, panels.length - MOST_PANELS),
  }
}

type Ask = (sql: string, condition: Pick<Condition, 'values'>) => ReturnType<Results['ask']>

async function flipCounts(ask: Ask, table: string, filter: ResultsFilter) {
  const { sql, values } = flipsWhere(filter)
  const [[total, direct] = []] = await ask(
    `SELECT count(*)::DOUBLE, count(*) FILTER (cause = 'direct')::DOUBLE FROM ${table} WHERE ${sql}`,
    { values },
  )
  const counts = { total: Number(total), direct: Number(direct) }
  return { ...counts, momentum: counts.total - counts.direct }
}

async function pairsOf(ask: Ask, table: string, filter: ResultsFilter): Promise<ResultsPair[]> {
  const where = flipsWhere({ ...filter, from: null, to: null })
  const rows = await ask(
    `SELECT primary_was, primary_is, count(*) FILTER (cause = 'direct')::DOUBLE,
       count(*) FILTER (cause <> 'direct')::DOUBLE
     FROM ${table} WHERE ${where.sql} GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2`,
    where,
  )
  return rows.map(([from, to, direct, momentum]) => ({
    from: String(from),
    to: String(to),
    direct: Number(direct),
    momentum: Number(momentum),
  }))
}

/** Column that a panel is of, and the one that its bars are of. */
const TURN_PANELS = { file: ['file', '"primary"'], domain: ['"primary"', 'secondary'] } as const
const FLIP_PANELS = { file: ['file', 'primary_is'], domain: ['primary_was', 'primary_is'] } as const

/** Panels with most turns first (or flips, where these are shown). */
async function panelsOf(
  ask: Ask,
  table: string | null,
  { filter, by, of }: Asked,
): Promise<readonly ResultsPanel[]> {
  const flips = table === null ? [] : await barsOf(ask, table, flipsWhere(filter), FLIP_PANELS[by])
  const turns = await barsOf(ask, `turns`, said(turnsWhere(filter)), TURN_PANELS[by])
  const sums = (bars: typeof turns) => {
    const found = new Map<string, number>()
    for (const { name, count } of bars) found.set(name, (found.get(name) ?? 0) + count)
    return found
  }
  const ofTurns = sums(turns)
  const ofFlips = sums(flips)
  const shown = Map.groupBy(of === 'turns' ? turns : flips, ({ name }) => name)
  return [...shown]
    .map(([name, bars]) => ({
      name,
      turns: ofTurns.get(name) ?? 0,
      flips: ofFlips.get(name) ?? 0,
      bars: bars.map(({ domain, count }) => ({ domain, count })),
    }))
    .toSorted((a, b) => b[of] - a[of] || (a.name < b.name ? -1 : 1))
}

const said = ({ sql, values }: Condition): Condition => ({ sql: `${SAID} AND ${sql}`, values })

async function barsOf(
  ask: Ask,
  table: string,
  { sql, values }: Condition,
  [panel, bar]: readonly [string, string],
) {
  const rows = await ask(
    `SELECT ${panel}, coalesce(${bar}, ''), count(*)::DOUBLE AS count FROM ${table} WHERE ${sql}
     GROUP BY 1, 2 ORDER BY count DESC, 1, 2`,
    { values },
  )
  return rows.map(([name, domain, count]) => ({
    name: String(name),
    domain: String(domain),
    count: Number(count),
  }))
}
