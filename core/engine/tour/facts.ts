import type { TourExpects } from '../schema/tour.ts'
import type { TurnTrace } from '../schema/trace.ts'

type Field = Exclude<keyof TourExpects, 'flips'>

/** The actual value of a turn for each field that a stop may expect. */
const FACTS: Readonly<Record<Field, (trace: TurnTrace) => unknown>> = {
  primary: ({ primary }) => primary.domain,
  score: ({ primary }) => primary.confidence,
  secondary: ({ secondary }) => secondary?.domain ?? null,
  alone: ({ scored }) => scored.primary.domain,
  momentum: ({ momentum }) => momentum.after.momentum,
  event: ({ momentum }) => momentum.event,
  fired: ({ domains }) =>
    domains.flatMap(({ signals }) => signals.flatMap(({ id, fired }) => (fired ? (id ?? []) : []))),
  text: ({ text }) => text,
}

/** [U132] Expectations of a stop that its turn does not meet, in sentences. */
export function tourFaults(expects: TourExpects, trace: TurnTrace): readonly string[] {
  return FIELDS.flatMap((field) => {
    const wanted = expects[field]
    if (wanted === undefined) return []
    const is = FACTS[field](trace)
    return holds(field, wanted, is) ? [] : [`${field}: expected ${told(wanted)}, it is ${told(is)}`]
  })
}

// The keys of FACTS, in display order.
const FIELDS = Object.keys(FACTS) as readonly Field[]

function holds(field: Field, wanted: unknown, is: unknown): boolean {
  // A quotation may be anywhere in the message.
  if (field === 'text') return String(is).includes(String(wanted))
  if (Array.isArray(wanted)) return Array.isArray(is) && wanted.every((each) => is.includes(each))
  return wanted === is
}

function told(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ')
  const text = typeof value === 'string' ? value : value === null ? 'none' : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)} …` : text
}
