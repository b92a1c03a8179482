/** Fields of a turn, with their descriptions, in the order of the table in docs/surfaces.md. */
export const TURN_FIELDS = {
  turn: 'number of the turn in its session, from 1',
  seq: 'number of the event in its session, from 0, as labels name it',
  kind: 'kind of the event: user, agent or tool_result',
  at: 'time of the event',
  text: 'text of the event',
  primary: 'domain in force, after momentum',
  confidence: 'score of the primary on this text',
  secondary: 'second domain of the compound; none if it is not one',
  secondary_confidence: 'score of the secondary on this text',
  signature: 'names of the compound, sorted, with + between them',
  scored: 'primary of the text alone, before momentum',
  momentum: 'turns that the signature has been in force',
  event: 'what momentum did: same, accept, hold, resist, widen or break',
  rule: 'rule of the momentum: M1 to M5',
  resisted: 'domain that momentum kept out',
  ambiguous: 'domains between which the text alone does not decide, if the preset names a margin',
  fired: 'signals that matched, as domain/id, or domain/number counted from 1',
  enrichment: 'text that is injected',
  query: 'type of query of a message',
  prompt: 'composed prompt of a message',
  probe: 'what the probe finds for a message',
  output: 'event of the output that belongs to the turn',
  self_signals: 'what the outputs up to the next turn say of themselves',
  verdicts: 'what the coach’s rules say of the outputs up to the next turn',
  context: 'context of the model call that follows',
} as const

export type TurnField = keyof typeof TURN_FIELDS

/** Paths of fields in a trace, if they differ from the name. */
const IN_TRACES: Readonly<Partial<Record<TurnField, string>>> = {
  primary: 'primary.domain',
  confidence: 'primary.confidence',
  secondary: 'secondary.domain',
  secondary_confidence: 'secondary.confidence',
  scored: 'scored.primary.domain',
  momentum: 'momentum.after.momentum',
  event: 'momentum.event',
  rule: 'momentum.rule',
  resisted: 'momentum.resisted.domain',
  ambiguous: 'scored.ambiguous.between',
  fired: 'domains',
}

const camel = (name: string) =>
  name.replaceAll(/_(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase())

/** [F241] How a kind of surface writes the name of a field: there is one name, in one spelling for each kind. */
const SPELLINGS = {
  trace: (field: TurnField) => IN_TRACES[field] ?? field,
  row: (field: TurnField) => field,
  script: camel,
  span: (field: TurnField) => `turnscope.${field}`,
} as const

/** A command, export form or interface that reports turns. */
export interface TurnSurface {
  /** As docs/surfaces.md names it. */
  readonly title: string
  readonly spelling: keyof typeof SPELLINGS
  readonly fields: readonly TurnField[]
  /** Why the other fields are omitted. */
  readonly omits: string
}

const TRACE: readonly TurnField[] = [
  'turn',
  'seq',
  'kind',
  'text',
  'primary',
  'confidence',
  'secondary',
  'secondary_confidence',
  'signature',
  'scored',
  'momentum',
  'event',
  'rule',
  'resisted',
  'ambiguous',
  'fired',
  'enrichment',
]
const PARTS: readonly TurnField[] = ['query', 'prompt', 'output', 'self_signals', 'verdicts']
const DECIDED: readonly TurnField[] = [
  'primary',
  'confidence',
  'secondary',
  'secondary_confidence',
  'signature',
  'momentum',
  'event',
  'ambiguous',
  'fired',
]

/** [F242] Every surface that reports turns, and what it reports. A test asks all of them and compares. */
export const TURN_SURFACES = {
  replay: {
    title: '`replay --json`',
    spelling: 'trace',
    fields: [...TRACE, ...PARTS, 'probe'],
    omits: 'Times are in the transcript, at `seq`; `context --json` lists model calls.',
  },
  exportJsonl: {
    title: '`export --jsonl`',
    spelling: 'trace',
    fields: [...TRACE, ...PARTS, 'probe', 'context'],
    omits: 'Times are in the transcript, at `seq`. Export of the window leaves out the probe.',
  },
  explain: {
    title: '`explain --json`, `explain` of the package',
    spelling: 'trace',
    fields: TRACE,
    omits: 'It explains one decision; `replay --json` has prompt, probe and outputs.',
  },
  window: {
    title: 'window, exported page',
    spelling: 'trace',
    fields: TRACE,
    omits: 'The tabs Prompt, Probe, Signals and Coach ask for the rest when they are open.',
  },
  mcp: {
    title: '`explain_turn` of MCP',
    spelling: 'row',
    fields: TRACE.filter((field) => field !== 'ambiguous' && field !== 'fired'),
    omits:
      'An answer has 8 KB: matched signals are in `domains`, the best of each. Long texts end with ….',
  },
  script: {
    title: '`replay` of the package',
    spelling: 'script',
    fields: ['at', ...TRACE.filter((field) => field !== 'ambiguous' && field !== 'fired')],
    omits: '`explain` of the package has the signals.',
  },
  csv: {
    title: '`export --csv`',
    spelling: 'row',
    fields: [
      'turn',
      'seq',
      'kind',
      'at',
      'primary',
      'confidence',
      'secondary',
      'secondary_confidence',
      'scored',
      'momentum',
      'event',
      'rule',
      'resisted',
      'ambiguous',
    ],
    omits: 'A table of short cells: no texts and no lists of signals.',
  },
  spans: {
    title: '`export --otel`',
    spelling: 'span',
    fields: [
      'turn',
      'primary',
      'confidence',
      'secondary',
      'secondary_confidence',
      'scored',
      'momentum',
      'event',
      'rule',
    ],
    omits: 'Text, time and output are in the attributes of the span that the convention names.',
  },
  pipe: {
    title: '`pipe`',
    spelling: 'row',
    fields: ['turn', 'kind', ...DECIDED],
    omits: 'Rows by the million: members of the input pass through, `explain` has the reasons.',
  },
  batch: {
    title: '`batch`, read with `sql`',
    spelling: 'row',
    fields: ['turn', 'kind', ...DECIDED],
    omits: 'Rows by the million: members of the input pass through, `explain` has the reasons.',
  },
} as const satisfies Readonly<Record<string, TurnSurface>>

export type TurnSurfaceName = keyof typeof TURN_SURFACES

/** Path of a field in the answers of a surface, with dots between members; null if the surface does not report it. */
export function pathOf(surface: TurnSurface, field: TurnField): string | null {
  return surface.fields.includes(field) ? SPELLINGS[surface.spelling](field) : null
}
