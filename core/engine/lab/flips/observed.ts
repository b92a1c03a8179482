import { initialBeliefState } from '../../belief/momentum.ts'
import type { Replay } from '../../replay.ts'
import { textOf, type SessionEvent, type TextReader } from '../../schema/event.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import { HOLDERS, objectOf } from './recorded.ts'

/** [I90] Decisions that a file itself recorded for one turn, made by the rules at that time, not by these. */
export interface Observed {
  readonly primary: string
  /** Null: none was recorded, or the record does not say. */
  readonly secondary: string | null
  /** Event that has the record, and how it is written there. */
  readonly seq: number
  readonly from: '_bst_compound' | 'log line' | '_bst_domain'
}

/** Kinds that a harness writes. Text of the user, the agent or a tool may quote a log. */
const WRITTEN: ReadonlySet<EventKind> = new Set(['meta', 'system', 'injected', 'notification'])
/** Log lines are near the beginning. A longer text is other content that includes a log. */
const LONGEST = 20_000
const LINE =
  /^.{0,80}\[BST\] ([\w.-]+) \(\d+(?:\.\d+)? signals?\)(?: \+ ([\w.-]+) \(\d+(?:\.\d+)? signals?\))? \| sig=/mu
type Found = Omit<Observed, 'seq'>

function textIn(value: unknown, ...keys: readonly string[]): string | null {
  const fields = objectOf(value)
  const found = keys.map((key) => fields?.[key]).find((each) => typeof each === 'string')
  return typeof found === 'string' && found !== '' ? found : null
}

/** The document writes `primary: {domain, …}`; others its attributes, or the name alone. */
function partOf(
  compound: Readonly<Record<string, unknown>> | null,
  part: 'primary' | 'secondary',
): string | null {
  return textIn(compound?.[part], 'domain') ?? textIn(compound, `${part}_domain`, part)
}

/** Fields `_bst_compound` and `_bst_domain`, of the event or of an object in it. */
function inFields(extras: unknown): Found | null {
  const fields = objectOf(extras)
  if (fields === null) return null
  for (const holder of [fields, ...HOLDERS.map((key) => objectOf(fields[key]))]) {
    const compound = objectOf(holder?.['_bst_compound'])
    const primary = partOf(compound, 'primary')
    if (primary !== null)
      return { primary, secondary: partOf(compound, 'secondary'), from: '_bst_compound' }
    const domain = textIn(holder, '_bst_domain')
    if (domain !== null) return { primary: domain, secondary: null, from: '_bst_domain' }
  }
  return null
}

function inText(event: SessionEvent, texts: TextReader): Found | null {
  if (!WRITTEN.has(event.kind) || event.chars > LONGEST) return null
  const line = LINE.exec(textOf(event, texts))
  if (line?.[1] === undefined) return null
  return { primary: line[1], secondary: line[2] ?? null, from: 'log line' }
}

const RANK: ReadonlyArray<Observed['from']> = ['_bst_domain', 'log line', '_bst_compound']

/**
 * [I90] Recorded decisions, by the event of their turn: a turn's own fields, else the fields and log lines of the
 * events until the next turn. Of several records the most complete one counts, and of equal ones the first.
 * @param turns events of the turns, in order
 */
export function observedOf(
  events: readonly SessionEvent[],
  turns: readonly number[],
  texts: TextReader,
): ReadonlyMap<number, Observed> {
  const isTurn = new Set(turns)
  const observed = new Map<number, Observed>()
  let turn: number | null = null
  for (const event of events) {
    if (isTurn.has(event.seq)) turn = event.seq
    const found = inFields(event.extras) ?? inText(event, texts)
    if (found === null || turn === null) continue
    const known = observed.get(turn)
    const isFuller = known === undefined || RANK.indexOf(found.from) > RANK.indexOf(known.from)
    if (isFuller) observed.set(turn, { ...found, seq: event.seq })
  }
  return observed
}

/**
 * [I91] [L50] The recorded run as the other side of a comparison: the turns with a record, and the domains that it
 * names. It is paired and compared like any replay (`diff.ts`). Data missing from the record counts as equal to this
 * side: enrichment, momentum, and the secondary domain if only `_bst_domain` is recorded.
 */
export function observedReplay(
  { columns, states }: Replay,
  observed: ReadonlyMap<number, Observed>,
): Replay {
  const found = columns.seq.flatMap((seq, turn) => {
    const record = observed.get(seq)
    return record === undefined ? [] : [{ turn, record }]
  })
  const domains = [...columns.domains]
  const place = (name: string): number => {
    const known = domains.indexOf(name)
    return known < 0 ? domains.push(name) - 1 : known
  }
  const primary = found.map(({ record }) => place(record.primary))
  const secondary = found.map(({ turn, record }) => {
    if (record.from === '_bst_domain') return columns.secondary[turn] ?? -1
    return record.secondary === null ? -1 : place(record.secondary)
  })
  const kept = (column: readonly number[]) => found.map(({ turn }) => column[turn] ?? 0)
  const nothing = found.map(() => 0)
  return {
    states: found.map(({ turn }) => states[turn] ?? initialBeliefState),
    columns: {
      ...columns,
      domains,
      primary,
      secondary,
      turns: found.length,
      scoredPrimary: primary,
      seq: kept(columns.seq),
      enriched: kept(columns.enriched),
      momentum: kept(columns.momentum),
      event: nothing,
      rule: nothing,
      primaryScore: nothing,
      secondaryScore: nothing,
      resisted: found.map(() => -1),
      scoreStart: [0, ...nothing],
      scorePairs: [],
      cutOffs: [],
      warnings: [],
    },
  }
}
