import { EVENT_CODES, RULE_CODES, type ReplayColumns } from '../schema/replay.ts'
import type { Session } from '../schema/session.ts'

/** One session and the result of its replay. */
export interface Replayed {
  readonly session: Session
  readonly columns: ReplayColumns
}

/** Source data for the cells of a session's turns. */
interface Row extends Replayed {
  /** Names of the domains that compete, by turn. */
  readonly competing: ReadonlyMap<number, string>
}

type Cell = string | number
type Of = (of: Row, turn: number) => Cell

const name = (columns: ReplayColumns, place: number | undefined): string =>
  columns.domains[place ?? -1] ?? ''

/** The columns of the table, in their order, and where each cell comes from. */
const COLUMNS: Readonly<Record<string, Of>> = {
  session: ({ session }) => session.id,
  turn: (_, turn) => turn + 1,
  seq: ({ columns }, turn) => columns.seq[turn] ?? '',
  kind: ({ session, columns }, turn) => session.events[columns.seq[turn] ?? -1]?.kind ?? '',
  at: ({ session, columns }, turn) => {
    const at = session.events[columns.seq[turn] ?? -1]?.at ?? null
    return at === null ? '' : new Date(at).toISOString()
  },
  primary: ({ columns }, turn) => name(columns, columns.primary[turn]),
  confidence: ({ columns }, turn) => columns.primaryScore[turn] ?? '',
  secondary: ({ columns }, turn) => name(columns, columns.secondary[turn]),
  secondary_confidence: ({ columns }, turn) =>
    name(columns, columns.secondary[turn]) === '' ? '' : (columns.secondaryScore[turn] ?? ''),
  scored: ({ columns }, turn) => name(columns, columns.scoredPrimary[turn]),
  momentum: ({ columns }, turn) => columns.momentum[turn] ?? '',
  event: ({ columns }, turn) => EVENT_CODES[columns.event[turn] ?? -1] ?? '',
  rule: ({ columns }, turn) => RULE_CODES[columns.rule[turn] ?? -1] ?? '',
  resisted: ({ columns }, turn) => name(columns, columns.resisted[turn]),
  ambiguous: ({ competing }, turn) => competing.get(turn) ?? '',
}

/** [B23] Turns whose text alone does not decide, with the competing domains; none if the preset sets no margin. */
function competingIn({ ambiguous = [], domains }: ReplayColumns): Row['competing'] {
  return new Map(
    ambiguous.map(({ turn, between }) => [
      turn,
      between.map((place) => domains[place] ?? '').join(' or '),
    ]),
  )
}

/** [U129] The columns of a replay as CSV (RFC 4180), a line a turn. `redact` replaces secrets. */
export function* csvLines(
  sessions: Iterable<Replayed>,
  redact: (text: string) => string,
): Generator<string> {
  yield `${Object.keys(COLUMNS).join(',')}\r\n`
  for (const replayed of sessions) {
    const row = { ...replayed, competing: competingIn(replayed.columns) }
    for (let turn = 0; turn < replayed.columns.turns; turn += 1) {
      const cells = Object.values(COLUMNS).map((of) => written(of(row, turn), redact))
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
