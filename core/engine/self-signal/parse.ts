import type { JsonNode } from '../python-json.ts'
import { plainDecimal, pyFloat } from '../python-number.ts'
import { codePoints, pyStrip, startsWithFolded } from '../python-text.ts'
import {
  SelfSignalType,
  type SelfSignal,
  type SelfSignalDiagnostic,
  type SelfSignalField,
  type SelfSignalOptions,
} from '../schema/self-signal.ts'
import type { Span } from '../schema/trace.ts'
import { diagnostic } from './diagnostic.ts'
import { fieldErrors, FREE_TEXT, specOf, type FieldError } from './fields.ts'
import type { Meter } from './meter.ts'
import { readFields, type RawField } from './read-fields.ts'
import type { Block } from './scan.ts'
import { coerce, fieldType, plainValue, readList, textNode, TOO_DEEP } from './values.ts'

/** Result of reading one block: a self-signal or null, and diagnostics for the operator. */
export interface BlockReading {
  readonly signal: SelfSignal | null
  readonly diagnostics: readonly SelfSignalDiagnostic[]
}

interface Field {
  readonly raw: RawField
  readonly node: JsonNode
}

interface Reading {
  readonly type: SelfSignalType
  readonly fields: ReadonlyMap<string, Field>
  readonly diagnostics: SelfSignalDiagnostic[]
}

/** Shortest and longest free text of the document's models, in code points (S2). */
const SHORT = 5
const LONG = 500

const TYPES: ReadonlyMap<string, SelfSignalType> = new Map(
  SelfSignalType.options.map((type) => [type, type]),
)

/** Parses one block (oracle-agent T006 steps 2 to 6; options S1 to S8). Never throws. */
export function readBlock(
  text: string,
  block: Block,
  options: SelfSignalOptions,
  context: { readonly at: number | null; readonly meter: Meter },
): BlockReading {
  const named = options.tolerantOpenTag ? pyStrip(block.type) : block.type
  const type = TYPES.get(named.toLowerCase())
  if (type === undefined) {
    const message = `"${named.slice(0, 60)}" is not a type of self-signal`
    return nothing(diagnostic('unknown_type', [block.start, block.tagEnd], message))
  }
  const raw = readFields(text, block.tagEnd, block.closeStart, context.meter)
  const fields = chooseFields(type, raw, options)
  if (!('fields' in fields)) return nothing(fields)
  const { errors, dropped } = validate(fields, options)
  if (errors.length > 0) return nothing(...fields.diagnostics, invalid(block, fields, errors))
  const confidence = readConfidence(text, block, raw, options)
  const signal = build(text, block, { ...fields, confidence, dropped, at: context.at })
  const diagnostics = [
    ...fields.diagnostics,
    ...droppedFields(fields, dropped),
    ...lengths(fields),
    ...aboutConfidence(confidence),
  ]
  return { signal, diagnostics }
}

function nothing(...diagnostics: readonly SelfSignalDiagnostic[]): BlockReading {
  return { signal: null, diagnostics }
}

function readValue(
  type: SelfSignalType,
  raw: RawField,
  options: SelfSignalOptions,
): JsonNode | typeof TOO_DEEP {
  const kind = specOf(type, raw.name)?.kind
  if (kind === 'text' && options.textStaysText) return textNode(raw.value)
  if (kind === 'list' && options.lenientLists) return readList(raw.value)
  return coerce(raw.value)
}

/** One value for each name; confidence is read apart. */
function chooseFields(
  type: SelfSignalType,
  raw: readonly RawField[],
  options: SelfSignalOptions,
): Reading | SelfSignalDiagnostic {
  const fields = new Map<string, Field>()
  const diagnostics: SelfSignalDiagnostic[] = []
  let confidences = 0
  for (const field of raw) {
    const again = field.name === 'confidence' ? confidences++ > 0 : fields.has(field.name)
    if (again) diagnostics.push(duplicate(field, options))
    if (field.name === 'confidence' || (again && options.firstFieldWins)) continue
    const node = readValue(type, field, options)
    if (node === TOO_DEEP)
      return diagnostic(
        'too_deep',
        [field.start, field.end],
        `${field.name} is nested too deeply to be read`,
        field.name,
      )
    fields.set(field.name, { raw: field, node })
  }
  return { type, fields, diagnostics }
}

function duplicate(field: RawField, options: SelfSignalOptions): SelfSignalDiagnostic {
  const first = options.firstFieldWins || field.name === 'confidence'
  return diagnostic(
    'duplicate_field',
    [field.start, field.end],
    `${field.name} is given more than once; the ${first ? 'first' : 'last'} counts`,
    field.name,
  )
}

/** [S2] Short and long free text passes the model: it is measured as if it were of an allowed length. */
function lenient(field: Field, name: string): JsonNode {
  if (field.node.kind !== 'text' || !FREE_TEXT.has(name)) return field.node
  const value = field.node.value
  if (pyStrip(value) === '') return textNode('')
  const length = codePoints(value)
  if (length < SHORT) return textNode(value.padEnd(value.length + SHORT, '.'))
  return length > LONG ? textNode(value.slice(0, LONG).toWellFormed()) : field.node
}

const NONE_DROPPED: ReadonlySet<string> = new Set()

function validate(
  { type, fields }: Reading,
  options: SelfSignalOptions,
): { readonly errors: readonly FieldError[]; readonly dropped: ReadonlySet<string> } {
  const errors = fieldErrors(type, (name) => {
    const field = fields.get(name)
    return field !== undefined && options.lenientLengths ? lenient(field, name) : field?.node
  })
  const fatal =
    !options.dropBadOptional || errors.some(({ field }) => specOf(type, field)?.required !== false)
  if (errors.length === 0 || fatal) return { errors, dropped: NONE_DROPPED }
  return { errors: [], dropped: new Set(errors.map((error) => error.field)) }
}

function invalid(
  block: Block,
  reading: Reading,
  errors: readonly FieldError[],
): SelfSignalDiagnostic {
  const first = errors[0]
  const raw = first === undefined ? undefined : reading.fields.get(first.field)?.raw
  const why = errors.map((error) => `${error.path}: ${error.code}`).join(', ')
  return diagnostic(
    'invalid_fields',
    raw === undefined ? [block.start, block.end] : [raw.start, raw.end],
    `${reading.type} is not accepted (${why})`,
    first?.field ?? null,
  )
}

function build(
  text: string,
  block: Block,
  made: Reading & {
    readonly confidence: Confidence
    readonly dropped: ReadonlySet<string>
    readonly at: number | null
  },
): SelfSignal {
  const parts: SelfSignalField[] = []
  const fields: Array<[string, unknown]> = []
  for (const [name, { raw, node }] of made.fields) {
    if (made.dropped.has(name)) continue
    fields.push([name, plainValue(node)])
    parts.push({
      name,
      type: fieldType(node),
      span: [raw.start, raw.end],
      valueSpan: [raw.valueStart, raw.valueEnd],
    })
  }
  // [S13] a self-signal is immutable, all the way down.
  return freezeDeep({
    type: made.type,
    confidence: made.confidence.value,
    fields: Object.fromEntries(fields),
    raw_xml: text.slice(block.start, block.end),
    dropped: [...made.dropped].sort(),
    parts,
    span: [block.start, block.end],
    at: made.at,
  })
}

function droppedFields(
  reading: Reading,
  dropped: ReadonlySet<string>,
): readonly SelfSignalDiagnostic[] {
  return [...dropped].flatMap((name) => {
    const raw = reading.fields.get(name)?.raw
    if (raw === undefined) return []
    const message = `${name} has a value that is not allowed and was left out`
    return [diagnostic('dropped_field', [raw.start, raw.end], message, name)]
  })
}

function lengths(reading: Reading): readonly SelfSignalDiagnostic[] {
  return [...reading.fields].flatMap(([name, { raw, node }]) => {
    if (node.kind !== 'text' || !FREE_TEXT.has(name)) return []
    const length = codePoints(node.value)
    if (length >= SHORT && length <= LONG) return []
    const code = length < SHORT ? 'short_reason' : 'long_reason'
    const limit = length < SHORT ? `fewer than ${SHORT}` : `more than ${LONG}`
    const message = `${name} has ${length} characters, ${limit}`
    return [diagnostic(code, [raw.valueStart, raw.valueEnd], message, name)]
  })
}

function aboutConfidence(confidence: Confidence): readonly SelfSignalDiagnostic[] {
  if (confidence.source === 'default')
    return [
      diagnostic(
        'confidence_defaulted',
        confidence.span,
        'no readable confidence: 0.5 is used',
        'confidence',
      ),
    ]
  if (!confidence.clamped) return []
  const message = `confidence is outside 0 to 1: ${confidence.value} is used`
  return [diagnostic('confidence_clamped', confidence.span, message, 'confidence')]
}

/** Freezes a tree of plain data. Recursion is bounded: field values are at most 1,000 levels deep. */
function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) for (const item of value) freezeDeep(item)
  else for (const key in value) freezeDeep(value[key])
  return Object.freeze(value)
}

/** Confidence that the agent states, and the place it was read from. */
interface Confidence {
  readonly value: number
  readonly source: 'element' | 'attribute' | 'default'
  /** The number was outside 0..1, or none. */
  readonly clamped: boolean
  /** Span of the value; the opening tag if the value was defaulted. */
  readonly span: Span
}

/** Value for a missing or unreadable confidence. */
const DEFAULT_CONFIDENCE = 0.5

function clamp(value: number): number {
  // NaN compares false with everything, and Python's min() then keeps its first argument, 1.0.
  if (Number.isNaN(value)) return 1
  return Math.max(0, Math.min(1, value)) + 0
}

function confidence(value: number, source: Confidence['source'], span: Span): Confidence {
  const clamped = clamp(value)
  return { value: clamped, source, clamped: clamped !== value, span }
}

/** First element that is a number, else the attribute, else 0.5. */
function readConfidence(
  text: string,
  block: Block,
  fields: readonly RawField[],
  options: SelfSignalOptions,
): Confidence {
  const read = options.plainConfidence ? plainDecimal : pyFloat
  for (const field of fields) {
    if (field.name !== 'confidence') continue
    const value = read(field.value)
    if (value !== null) return confidence(value, 'element', [field.valueStart, field.valueEnd])
  }
  const tag: Span = [block.start, block.tagEnd]
  const value = options.confidenceInTagOnly
    ? plainDecimal(pyStrip(block.attributes.get('confidence') ?? ''))
    : anywhere(text, block)
  if (value !== null) return confidence(value, 'attribute', tag)
  return { value: DEFAULT_CONFIDENCE, source: 'default', clamped: false, span: tag }
}

/** [S7] The document's way: `confidence="…"` of digits and points, anywhere in the block, first one only. */
function anywhere(text: string, block: Block): number | null {
  let equals = text.indexOf('=', block.start)
  while (equals >= 0 && equals < block.end) {
    const from = equals + 2
    if (isQuote(text[equals + 1]) && startsWithFolded(text, 'confidence', equals - 10)) {
      let end = from
      while (isDigitOrPoint(text.charCodeAt(end))) end++
      if (end > from && isQuote(text[end])) return pyFloat(text.slice(from, end))
    }
    equals = text.indexOf('=', equals + 1)
  }
  return null
}

function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'"
}

function isDigitOrPoint(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 46
}
