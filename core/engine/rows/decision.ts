import type { TurnOutcome } from '../pipeline.ts'

/** Source of a decision's columns: the outcome of the turn, and the names of all signals by number. */
export interface Decided {
  readonly outcome: TurnOutcome
  /** As `signalNames` gives them. */
  readonly names: readonly string[]
  /** Numbers of the signals that are off since the watchdog cut them off, on this turn or before. */
  readonly off: ReadonlySet<number>
}

interface DecisionColumn {
  /** Description for `docs/scale.md` and `--help`. */
  readonly says: string
  /** Type of the column in a Parquet file. */
  readonly type: 'VARCHAR' | 'INTEGER' | 'DOUBLE' | 'VARCHAR[]'
  readonly cell: (decided: Decided) => string | number | null | readonly string[]
}

/**
 * [F110] The columns that a decision adds to a row, in their order. A row that is no turn has null in each,
 * and empty lists.
 */
export const DECISION_COLUMNS = {
  primary: {
    says: 'domain in force, after momentum',
    type: 'VARCHAR',
    cell: ({ outcome }) => outcome.primary.domain,
  },
  secondary: {
    says: 'second domain of the compound, or null',
    type: 'VARCHAR',
    cell: ({ outcome }) => outcome.secondary?.domain ?? null,
  },
  confidence: {
    says: 'score of the primary',
    type: 'DOUBLE',
    cell: ({ outcome }) => outcome.primary.confidence,
  },
  secondary_confidence: {
    says: 'score of the secondary, or null',
    type: 'DOUBLE',
    cell: ({ outcome }) => outcome.secondary?.confidence ?? null,
  },
  signature: {
    says: 'names of the compound, sorted, with + between them',
    type: 'VARCHAR',
    cell: ({ outcome }) => outcome.signature,
  },
  momentum: {
    says: 'turns that the signature has been in force',
    type: 'INTEGER',
    cell: ({ outcome }) => outcome.state.momentum,
  },
  event: {
    says: 'what momentum did: same, accept, hold, resist, widen or break',
    type: 'VARCHAR',
    cell: ({ outcome }) => outcome.event,
  },
  ambiguous: {
    says: 'domains between which the text alone does not decide, where the preset names a margin',
    type: 'VARCHAR[]',
    cell: ({ outcome }) => outcome.ambiguous?.between ?? [],
  },
  fired: {
    says: 'signals that matched, as domain/id, or domain/number counted from 1',
    type: 'VARCHAR[]',
    cell: ({ outcome, names }) => outcome.fired.map((number) => names[number] ?? ''),
  },
  cut_off: {
    says: 'signals that took too long, on this turn or before, and count as not matched',
    type: 'VARCHAR[]',
    cell: ({ names, off }) => [...off].map((number) => names[number] ?? ''),
  },
} as const satisfies Readonly<Record<string, DecisionColumn>>

export type DecisionName = keyof typeof DECISION_COLUMNS
export type Decision = Readonly<
  Record<DecisionName, ReturnType<(typeof DECISION_COLUMNS)[DecisionName]['cell']>>
>

const COLUMNS: ReadonlyArray<readonly [string, DecisionColumn]> = Object.entries(DECISION_COLUMNS)

/** The cells of one turn, in the order of the columns. */
export function decisionCells(decided: Decided): ReadonlyArray<Decision[DecisionName]> {
  return COLUMNS.map(([, { cell }]) => cell(decided))
}

/** The columns of one turn; of a row that is no turn where `decided` is null. */
export function decisionOf(decided: Decided | null): Decision {
  const cells = COLUMNS.map(([name, { type, cell }]) => {
    if (decided !== null) return [name, cell(decided)] as const
    return [name, type === 'VARCHAR[]' ? [] : null] as const
  })
  // The table has every name.
  return Object.fromEntries(cells) as Decision
}
