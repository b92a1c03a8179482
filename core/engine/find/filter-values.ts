import { answerFor, firesIn, isForbidden, isRight, type Judgeable } from '../lab/metrics/label.ts'
import { classifyQuery } from '../query/classify.ts'
import { OutputType } from '../schema/coach.ts'
import { textOf, type SessionTexts } from '../schema/event.ts'
import type { TurnLabel } from '../schema/label.ts'
import { type QueryOptions, QueryType } from '../schema/query.ts'
import { EVENT_CODES, type ReplayColumns } from '../schema/replay.ts'
import type { KnownField } from './query.ts'

/** Facts about events from outside their replay: for each `seq`, the filter values that hold for the event. */
export interface KnownWords {
  readonly bySeq: ReadonlyMap<number, readonly string[]>
  /** Every value that the filter has here. */
  readonly values: readonly string[]
}

/** Filters that are left out are unavailable here; a query that uses one gets an error. */
export type KnownFacts = Readonly<Partial<Record<KnownField, KnownWords>>>

const ANY = 'any'
type Domains = Pick<ReplayColumns, 'domains' | 'seq' | 'primary' | 'secondary'>

const nameIn = ({ domains }: Pick<Domains, 'domains'>, number: number | undefined) =>
  domains[number ?? -1] ?? null

/** [F70] `label:` how a label judges the turn's decision, and the labelled primary. */
export function labelWords(
  labels: ReadonlyMap<number, TurnLabel>,
  columns: Domains & Parameters<typeof firesIn>[0],
  turnOf: ReadonlyMap<number, number>,
): KnownWords {
  const bySeq = new Map<number, readonly string[]>()
  for (const [seq, label] of labels) {
    const turn = turnOf.get(seq)
    if (turn === undefined) continue
    const primary = nameIn(columns, columns.primary[turn]) ?? ''
    const secondary = nameIn(columns, columns.secondary[turn])
    const fires = firesIn(columns, turn)
    bySeq.set(seq, [ANY, ...verdictWords(label, { primary, secondary, fires }), label.primary])
  }
  const own = [...labels.values()].map(({ primary }) => primary)
  const values = new Set([
    ANY,
    'wrong',
    'right',
    'accepted',
    'forbidden',
    ...columns.domains,
    ...own,
  ])
  return { bySeq, values: [...values] }
}

function verdictWords(
  label: TurnLabel,
  given: Judgeable & { readonly secondary: string | null },
): string[] {
  const { primary, secondary, fires } = given
  if (isForbidden(label, primary, secondary, fires)) return ['wrong', 'forbidden']
  const answer = answerFor(label, given)
  if (!isRight(label, answer)) return ['wrong']
  return label.primary === answer ? ['right'] : ['right', 'accepted']
}

const HELD: ReadonlySet<string> = new Set(['hold', 'resist'])

/** [F72] `held:` turns whose own text did not decide, by the domain that momentum kept. */
export function heldWords(columns: ReplayColumns): KnownWords {
  const bySeq = new Map<number, readonly string[]>()
  columns.seq.forEach((seq, turn) => {
    if (!HELD.has(EVENT_CODES[columns.event[turn] ?? 0] ?? '')) return
    bySeq.set(seq, [ANY, nameIn(columns, columns.primary[turn]) ?? ''])
  })
  return { bySeq, values: [ANY, ...columns.domains] }
}

/** [B23] `ambiguous:` turns whose text alone does not decide, by the domains that compete; null: the preset names no margin. */
export function wordsOfAmbiguous({ ambiguous, domains, seq }: ReplayColumns): KnownWords | null {
  if (ambiguous === undefined) return null
  const bySeq = new Map<number, readonly string[]>()
  for (const { turn, between } of ambiguous)
    bySeq.set(seq[turn] ?? -1, [ANY, ...between.map((one) => nameIn({ domains }, one) ?? '')])
  return { bySeq, values: [ANY, ...domains] }
}

/** [F73] `compare:` the compound of the second configuration at the same event. */
export function compareWords(other: Domains): KnownWords {
  const bySeq = new Map<number, readonly string[]>()
  other.seq.forEach((seq, turn) => {
    const pair = [other.primary[turn], other.secondary[turn]].map((one) => nameIn(other, one))
    bySeq.set(seq, [ANY, ...pair.filter((name) => name !== null)])
  })
  return { bySeq, values: [ANY, ...other.domains] }
}

/** [F74] `query:` the query type of a user message. */
export function queryWords({ events, texts }: SessionTexts, options: QueryOptions): KnownWords {
  const bySeq = new Map<number, readonly string[]>()
  let previous: string | null = null
  for (const event of events) {
    if (event.kind === 'agent' && !event.blank) previous = 'said'
    if (event.kind !== 'user') continue
    // Of the previous message only its existence matters (Q8).
    bySeq.set(event.seq, [ANY, classifyQuery(textOf(event, texts), previous, options).type])
    previous = 'said'
  }
  return { bySeq, values: [ANY, ...QueryType.options] }
}

/** [F75] `verdict:` the verdict of the coach's rules on an agent's output. */
export function coachWords(
  rows: ReadonlyArray<{ readonly seq: number; readonly type: OutputType }>,
): KnownWords {
  return {
    bySeq: new Map(rows.map(({ seq, type }) => [seq, [ANY, type]])),
    values: [ANY, ...OutputType.options],
  }
}

/** [F76] `persona:` the persona in force after a user message that was probed. */
export function personaWords(
  rows: ReadonlyArray<{ readonly seq: number; readonly persona: string | null }>,
): KnownWords {
  const names = rows.flatMap(({ persona }) => persona ?? [])
  return {
    bySeq: new Map(
      rows.map(({ seq, persona }) => [seq, persona === null ? ['none'] : [ANY, persona]]),
    ),
    values: [...new Set([ANY, 'none', ...names])],
  }
}
