import type { JsonNode } from '../python-json.ts'
import { wholeFromText, type Whole } from '../python-number.ts'
import { codePoints } from '../python-text.ts'
import type { SelfSignalType } from '../schema/self-signal.ts'

/** One field of a self-signal type. `min` and `max` bound code points, a number, or a list's length. */
interface FieldSpec {
  readonly name: string
  readonly kind: 'text' | 'whole' | 'list'
  readonly required: boolean
  readonly min: number
  readonly max: number
}

const NO_LIMIT = Number.POSITIVE_INFINITY

function text(name: string, min: number, max: number): FieldSpec {
  return { name, kind: 'text', required: min > 0, min, max }
}
function whole(name: string, required: boolean, min: number, max: number): FieldSpec {
  return { name, kind: 'whole', required, min, max }
}
function list(name: string, required: boolean): FieldSpec {
  return { name, kind: 'list', required, min: required ? 1 : 0, max: NO_LIMIT }
}

/** The field models of oracle-agent T002, in their order. */
const FIELD_MODELS: Readonly<Record<SelfSignalType, readonly FieldSpec[]>> = {
  need_turn: [text('reason', 5, 500), whole('expected_turns', false, 1, 10)],
  context_sufficient: [whole('sources_found', true, 0, NO_LIMIT), list('source_types', false)],
  stuck: [list('attempted', true), text('blocker', 5, 500), list('suggestions', false)],
  need_capability: [text('capability', 2, 100), text('reason', 5, 500), text('workaround', 0, 500)],
  partial_answer: [text('missing', 5, 500), text('caveat', 0, 500)],
  delegation_recommended: [
    text('reason', 5, 500),
    text('scope', 5, 500),
    whole('estimated_tokens', false, 100, 100_000),
    text('subagent_type', 0, 50),
  ],
}

/** [S2] Fields that say something in words: any non-blank text is better than a lost signal. */
export const FREE_TEXT: ReadonlySet<string> = new Set(['reason', 'blocker', 'missing', 'scope'])

const TERMINAL: ReadonlySet<SelfSignalType> = new Set([
  'context_sufficient',
  'stuck',
  'partial_answer',
])

/** The agent is done, successfully or not; with other types it wants to go on. */
export function isTerminal(type: SelfSignalType): boolean {
  return TERMINAL.has(type)
}

/** A field that its model refuses: where (`attempted.0` inside a list) and pydantic's word for why. */
export interface FieldError {
  readonly path: string
  readonly field: string
  readonly code: string
}

type Normalized = string | Whole | ReadonlyArray<string | null> | null

type Checked = { readonly value: Normalized } | { readonly errors: readonly FieldError[] }

function refuse(spec: FieldSpec, code: string): Checked {
  return { errors: [{ path: spec.name, field: spec.name, code }] }
}

function checkText(spec: FieldSpec, node: JsonNode): Checked {
  if (node.kind !== 'text') return refuse(spec, 'string_type')
  if (!node.value.isWellFormed()) return refuse(spec, 'string_unicode')
  const length = codePoints(node.value)
  if (length < spec.min) return refuse(spec, 'string_too_short')
  if (length > spec.max) return refuse(spec, 'string_too_long')
  return { value: node.value }
}

function wholeOf(node: JsonNode): { readonly value: Whole } | { readonly problem: string } {
  switch (node.kind) {
    case 'int':
      return { value: node.value }
    case 'bool':
      return { value: node.value ? 1 : 0 }
    case 'text':
      return wholeFromText(node.value)
    case 'float':
      if (!Number.isFinite(node.value)) return { problem: 'finite_number' }
      if (!Number.isInteger(node.value)) return { problem: 'int_from_float' }
      if (Math.abs(node.value) >= 2 ** 63) return { problem: 'int_parsing_size' }
      return {
        value: Number.isSafeInteger(node.value) ? node.value + 0 : BigInt(node.value),
      }
    case 'null':
    case 'list':
    case 'object':
      return { problem: 'int_type' }
  }
}

function checkWhole(spec: FieldSpec, node: JsonNode): Checked {
  const read = wholeOf(node)
  if ('problem' in read) return refuse(spec, read.problem)
  if (read.value > spec.max) return refuse(spec, 'less_than_equal')
  if (read.value < spec.min) return refuse(spec, 'greater_than_equal')
  return { value: read.value }
}

function checkList(spec: FieldSpec, node: JsonNode): Checked {
  if (node.kind !== 'list') return refuse(spec, 'list_type')
  if (node.items.length < spec.min) return refuse(spec, 'too_short')
  const errors: FieldError[] = []
  const value: string[] = []
  for (const [index, item] of node.items.entries()) {
    if (item.kind === 'text') value.push(item.value)
    else errors.push({ path: `${spec.name}.${index}`, field: spec.name, code: 'string_type' })
  }
  return errors.length > 0 ? { errors } : { value }
}

const CHECKS = { text: checkText, whole: checkWhole, list: checkList } as const

/** The value of a field by its name; undefined when it is absent. */
type FieldValues = (name: string) => JsonNode | undefined

const NO_ERRORS: readonly FieldError[] = []

/** The value of a field. Absent optional fields are `null`, like those given as null. */
function checkField(spec: FieldSpec, node: JsonNode | undefined): Checked {
  if (node === undefined) return spec.required ? refuse(spec, 'missing') : { value: null }
  if (node.kind === 'null' && !spec.required) return { value: null }
  return CHECKS[spec.kind](spec, node)
}

/**
 * Errors of fields against the model of their type, as pydantic finds them in lax mode: in model
 * order, unknown fields ignored.
 */
export function fieldErrors(type: SelfSignalType, values: FieldValues): readonly FieldError[] {
  let errors = NO_ERRORS
  for (const spec of FIELD_MODELS[type]) {
    const checked = checkField(spec, values(spec.name))
    if ('errors' in checked) errors = [...errors, ...checked.errors]
  }
  return errors
}

/** Fields as their model holds them (`model_dump`); those with errors are left out. */
export function normalizeFields(
  type: SelfSignalType,
  values: FieldValues,
): ReadonlyMap<string, Normalized> {
  const normalized = new Map<string, Normalized>()
  for (const spec of FIELD_MODELS[type]) {
    const checked = checkField(spec, values(spec.name))
    if ('value' in checked) normalized.set(spec.name, checked.value)
  }
  return normalized
}

/** The model's entry for a field; undefined for a field that the model does not know. */
export function specOf(type: SelfSignalType, name: string): FieldSpec | undefined {
  return FIELD_MODELS[type].find((spec) => spec.name === name)
}
