import { readJson } from '../../json-read.ts'
import type { Stage, StageFlip } from '../../schema/compare.ts'
import { textOf, type SessionEvent, type TextReader } from '../../schema/event.ts'

/** Results of stages, by the event they concern: a message, or an output of the agent. */
export type StageFacts = ReadonlyMap<Stage, ReadonlyMap<number, string>>

/** Location of a stage's record: its field, the names of its value inside, and the event it concerns. */
interface RecordedField {
  readonly stage: Stage
  readonly fields: readonly string[]
  readonly inside: readonly string[]
  readonly about: 'user' | 'agent'
}

/** Objects of an event in which a recorder may have put its state. */
export const HOLDERS = ['extras_persistent', 'state', 'metadata', 'extras'] as const

const FIELDS: readonly RecordedField[] = [
  {
    stage: 'query',
    about: 'user',
    fields: ['_query_type', 'query_type', 'query'],
    inside: ['type', 'query_type'],
  },
  {
    stage: 'self-signal',
    about: 'agent',
    fields: ['_self_signal', 'self_signal', 'signal'],
    inside: ['type', 'signal_type'],
  },
  {
    stage: 'persona',
    about: 'user',
    fields: ['_active_persona', 'active_persona', '_probe', 'probe', 'probe_result'],
    inside: ['active_persona', 'persona'],
  },
  {
    stage: 'verdict',
    about: 'agent',
    fields: ['_verdict', 'verdict', 'classification'],
    inside: ['type', 'result', 'output_type', 'classification'],
  },
]

export function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  // Only plain values are read from it, each checked below.
  return typeof value === 'object' && value !== null ? { ...value } : null
}

function textOfValue(value: unknown, inside: readonly string[]): string | null {
  if (typeof value === 'string') return value === '' ? null : value.toLowerCase()
  const fields = objectOf(value)
  if (fields === null) return null
  const found = inside.map((key) => fields[key]).find((one) => typeof one === 'string')
  return typeof found === 'string' && found !== '' ? found.toLowerCase() : null
}

/** The value that an event has for a stage, in its own fields or in an object of a recorder. */
function inFields(extras: unknown, { fields, inside }: RecordedField): string | null {
  const own = objectOf(extras)
  if (own === null) return null
  for (const holder of [own, ...HOLDERS.map((key) => objectOf(own[key]))]) {
    const found = fields.map((name) => textOfValue(holder?.[name], inside)).find(Boolean)
    if (typeof found === 'string') return found
  }
  return null
}

/** [I82] The classification of an audit is the JSON of the `meta` named `verdict` behind the output. */
function verdictIn(event: SessionEvent, texts: TextReader): string | null {
  if (event.kind !== 'meta' || event.name !== 'verdict') return null
  try {
    return textOfValue(readJson(textOf(event, texts)), ['type', 'result'])
  } catch {
    return null
  }
}

/**
 * [L53] Query types, self-signals, personas and verdicts that a file recorded at run time, by the event that each
 * concerns: the event itself, else the last message or output before it. Of several records of one event the first
 * counts.
 */
export function recordedStages(events: readonly SessionEvent[], texts: TextReader): StageFacts {
  const facts = new Map<Stage, Map<number, string>>()
  const last = new Map<string, number>()
  const note = (stage: Stage, seq: number | undefined, value: string | null): void => {
    if (seq === undefined || value === null) return
    const known = facts.get(stage) ?? new Map<number, string>()
    facts.set(stage, known)
    if (!known.has(seq)) known.set(seq, value)
  }
  for (const event of events) {
    if (event.kind === 'user' || event.kind === 'agent') last.set(event.kind, event.seq)
    for (const field of FIELDS)
      note(field.stage, last.get(field.about), inFields(event.extras, field))
    note('verdict', last.get('agent'), verdictIn(event, texts))
  }
  return facts
}

/** Number of events of a stage that both sides know, and how many of them differ. */
export interface StageTotal {
  readonly stage: Stage
  readonly compared: number
  readonly flips: number
}

/** [L51] Events for which a stage says something else on the other side, in their order. */
export function stageFlips(
  here: StageFacts,
  there: StageFacts,
): { readonly flips: readonly StageFlip[]; readonly totals: readonly StageTotal[] } {
  const flips: StageFlip[] = []
  const totals: StageTotal[] = []
  for (const [stage, own] of here) {
    const other = there.get(stage)
    if (other === undefined) continue
    let compared = 0
    const before = flips.length
    for (const [seq, was] of own) {
      const is = other.get(seq)
      if (is === undefined) continue
      compared += 1
      if (was !== is) flips.push({ stage, seq, was, is })
    }
    totals.push({ stage, compared, flips: flips.length - before })
  }
  return { flips: flips.toSorted((a, b) => a.seq - b.seq), totals }
}
