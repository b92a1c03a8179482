import { EVENT_CODES, RULE_CODES, type ReplayColumns } from '../schema/replay.ts'
import type { Session } from '../schema/session.ts'

/** One session and what a replay of it came to. */
export interface Replayed {
  readonly session: Session
  readonly columns: ReplayColumns
}

type Cell = string | number
type Of = (of: Replayed, turn: number) => Cell

const name = (columns: ReplayColumns, place: number | undefined): string =>
  columns.domains[place ?? -1] ?? ''

/** The columns of the table, in their order, and where each cell comes from. */
const COLUMNS: Readonly<Record<string, Of>> = {
  session: ({ session }) => session.id,
  turn: (_, turn) => turn + 1,
  event: ({ columns }, turn) => columns.seq[turn] ?? '',
  kind: ({ session, columns }, turn) => session.events[columns.seq[turn] ?? -1]?.kind ?? '',
  at: ({ session, columns }, turn) => {
    const at = session.events[columns.seq[turn] ?? -1]?.at ?? null
    return at === null ? '' : new Date(at).toISOString()
  },
  primary: ({ columns }, turn) => name(columns, columns.primary[turn]),
  primary_score: ({ columns }, turn) => columns.primaryScore[turn] ?? '',
  secondary: ({ columns }, turn) => name(columns, columns.secondary[turn]),
  secondary_score: ({ columns }, turn) => columns.secondaryScore[turn] ?? '',
  scored_primary: ({ columns }, turn) => name(columns, columns.scoredPrimary[turn]),
  momentum: ({ columns }, turn) => columns.momentum[turn] ?? '',
  momentum_event: ({ columns }, turn) => EVENT_CODES[columns.event[turn] ?? -1] ?? '',
  rule: ({ columns }, turn) => RULE_CODES[columns.rule[turn] ?? -1] ?? '',
  resisted: ({ columns }, turn) => name(columns, columns.resisted[turn]),
  ambiguous: ({ columns }, turn) => competing(columns, turn),
}

/** [B23] Domains between which the text alone does not decide; empty also where the preset names no margin. */
function competing({ ambiguous = [], domains }: ReplayColumns, turn: number): string {
  const found = ambiguousAt(ambiguous, turn)
  return found?.between.map((place) => domains[place] ?? '').join(' or ') ?? ''
}

type Ambiguous = NonNullable<ReplayColumns['ambiguous']>

/** Marked turns stand in order: found by bisection, because a long session asks for every turn. */
function ambiguousAt(marked: Ambiguous, turn: number): Ambiguous[number] | null {
  let [low, high] = [0, marked.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const each = marked[middle]
    if (each === undefined || each.turn === turn) return each ?? null
    if (each.turn < turn) low = middle + 1
    else high = middle - 1
  }
  return null
}

/** [U129] The columns of a replay as CSV (RFC 4180), a line a turn. `redact` replaces secrets. */
export function* csvLines(
  sessions: Iterable<Replayed>,
  redact: (text: string) => string,
): Generator<string> {
  yield `${Object.keys(COLUMNS).join(',')}\r\n`
  for (const replayed of sessions) {
    for (let turn = 0; turn < replayed.columns.turns; turn += 1) {
      const cells = Object.values(COLUMNS).map((of) => written(of(replayed, turn), redact))
      yield `${cells.join(',')}\r\n`
    }
  }
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function written(cell: Cell, redact: (text: string) => string): string {
  if (typeof cell === 'number') return String(cell)
  const plain = redact(cell)
  const text = /^[=+\-@\t\r]/u.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
