import type { SessionStrip } from '../schema/picture.ts'
import { EVENT_CODES, type Flip, type ReplayColumns } from '../schema/replay.ts'
import { NONE } from './looks.ts'
import { binsOf, bySize, tally } from './scale.ts'

/** [U152] Columns of a small picture at most. */
const MOST_BINS = 136
const BREAK = EVENT_CODES.indexOf('break')

/** [U152] Domains of a column at most; the rarest are drawn as one. */
const MOST_DOMAINS = 5

/** Triples of one column: the domains that it was held as most, in the order of their numbers. */
function heldIn(primary: readonly number[], bin: number): readonly number[] {
  const counts = tally(primary)
  const shown = bySize(counts)
    .slice(0, MOST_DOMAINS)
    .toSorted((a, b) => a - b)
  const triples = shown.flatMap((place) => [bin, place, counts.get(place) ?? 0])
  const told = shown.reduce((sum, place) => sum + (counts.get(place) ?? 0), 0)
  return told === primary.length ? triples : [...triples, bin, NONE, primary.length - told]
}

/** [U155] One session as a line. `flips` come from a comparison; null without one. */
export function stripOf(
  title: string,
  columns: ReplayColumns,
  flips: readonly Flip[] | null,
): SessionStrip {
  const bins = binsOf(0, columns.turns, MOST_BINS)
  const causes = new Map((flips ?? []).map(({ turn, cause }) => [turn, cause]))
  const countIn = (cause: Flip['cause']) =>
    flips === null
      ? []
      : bins.map(({ from, to }) => {
          let count = 0
          for (let turn = from; turn < to; turn += 1) if (causes.get(turn) === cause) count += 1
          return count
        })
  return {
    title,
    turns: columns.turns,
    domains: columns.domains,
    bins: bins.length,
    breaks: columns.event.filter((code) => code === BREAK).length,
    held: bins.flatMap(({ from, to }, bin) => heldIn(columns.primary.slice(from, to), bin)),
    direct: countIn('direct'),
    carried: countIn('momentum'),
  }
}
