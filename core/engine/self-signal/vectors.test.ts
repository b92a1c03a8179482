import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { asRecorded, promptPreset, readVectors } from '../../../fixtures/prompt-vectors.ts'
import type { JsonNode } from '../python-json.ts'
import { SelfSignal, type SelfSignalOptions, type SelfSignalType } from '../schema/self-signal.ts'
import { fieldErrors, isTerminal, normalizeFields } from './fields.ts'
import { readResponse } from './response.ts'
import { advance, initialSelfSignalState, isStuckLoop, needsFallback } from './state.ts'
import { coerce, fieldType, plainValue, plainWhole, TOO_DEEP } from './values.ts'

interface Recorded {
  readonly type: SelfSignalType
  readonly confidence: number
  readonly fields: object
  readonly raw_xml: unknown
  readonly field_types?: object
  readonly is_terminal?: boolean
  readonly is_continuation?: boolean
  readonly dropped?: readonly string[]
}
interface Response {
  readonly id: number
  readonly response: string
  readonly why: string
  readonly errors?: ReadonlyArray<readonly [string, string]> | null
  readonly expected: Recorded | null
  readonly stripped: unknown
  readonly proposed?: Recorded | null
  readonly proposed_stripped?: unknown
}
interface Step {
  readonly op: 'none' | 'signal' | 'response'
  readonly type?: SelfSignalType
  readonly fields?: Record<string, unknown>
  readonly response?: string
  readonly after: object
}
interface Vectors {
  readonly thresholds: readonly number[]
  readonly responses: readonly Response[]
  readonly state_sequences: ReadonlyArray<{ readonly id: number; readonly ops: readonly Step[] }>
  readonly field_values: ReadonlyArray<{ value: string; expected: unknown; type: string }>
  readonly field_models: ReadonlyArray<{
    readonly id: number
    readonly type: SelfSignalType
    readonly fields: Record<string, unknown>
    readonly valid: boolean
    readonly errors: ReadonlyArray<readonly [string, string]> | null
    readonly normalized: object | null
  }>
}

const vectors = readVectors<Vectors>('signal')
const presets = {
  literal: promptPreset('literal').selfSignal,
  recommended: promptPreset('recommended').selfSignal,
}

function answer(item: Response, options: SelfSignalOptions) {
  const { signal, stripped } = readResponse(item.response, options)
  if (signal === null) return asRecorded({ signal: null, stripped })
  SelfSignal.parse(signal)
  return asRecorded({
    signal: {
      type: signal.type,
      confidence: signal.confidence,
      fields: signal.fields,
      raw_xml: signal.raw_xml,
    },
    stripped,
  })
}

function wanted(recorded: Recorded | null, stripped: unknown) {
  if (recorded === null) return { signal: null, stripped }
  const { type, confidence, fields, raw_xml } = recorded
  return JSON.parse(
    JSON.stringify({ signal: { type, confidence, fields, raw_xml }, stripped }),
  ) as unknown
}

/** Ids of the items whose answer differs: one failing line that names them all. */
function differing(check: (item: Response) => boolean): readonly number[] {
  return vectors.responses.filter((item) => !check(item)).map((item) => item.id)
}

function same(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(left, right)
}

/**
 * Recorded before S11 got its second sentence ("prose is never hidden with it"): here the recorded
 * answer hides prose that follows an unfinished block.
 */
const PROSE_BEHIND = new Set([342, 502, 538, 1498, 1774, 2204, 2208, 2614, 2636])

describe('golden self-signals: responses', () => {
  test(`literal equals expected in all ${vectors.responses.length} responses`, () => {
    const bad = differing((item) =>
      same(answer(item, presets.literal), wanted(item.expected, item.stripped)),
    )
    expect(bad).toEqual([])
  })

  test(`[S1]–[S11] recommended equals proposed in all ${vectors.responses.length} responses but those with prose behind an unfinished block`, () => {
    const bad = differing((item) => {
      if (PROSE_BEHIND.has(item.id)) return true
      const recorded = item.proposed === undefined ? item.expected : item.proposed
      const stripped = 'proposed_stripped' in item ? item.proposed_stripped : item.stripped
      return same(answer(item, presets.recommended), wanted(recorded, stripped))
    })
    expect(bad).toEqual([])
  })

  test('[S11] what differs from the record is prose behind the block, and nothing else', () => {
    const items = vectors.responses.filter((item) => PROSE_BEHIND.has(item.id))
    expect(items).toHaveLength(PROSE_BEHIND.size)
    for (const item of items) {
      const { signal, stripped } = readResponse(item.response, presets.recommended)
      const recorded = String('proposed_stripped' in item ? item.proposed_stripped : item.stripped)
      expect(signal).toBeNull()
      expect(stripped.startsWith(recorded)).toBe(true)
      expect(stripped.slice(recorded.length).trim()).not.toBe('')
      expect(stripped.slice(recorded.length).trim()).not.toMatch(/^</u)
    }
  })

  test('literal: field types, terminal and continuation as recorded', () => {
    const bad = differing((item) => {
      const { signal } = readResponse(item.response, presets.literal)
      if (signal === null || item.expected === null) return signal === item.expected
      return (
        same(
          Object.fromEntries(signal.parts.map((part) => [part.name, part.type])),
          item.expected.field_types,
        ) &&
        isTerminal(signal.type) === item.expected.is_terminal &&
        !isTerminal(signal.type) === item.expected.is_continuation
      )
    })
    expect(bad).toEqual([])
  })

  test('literal: the diagnostic names the reason of every null', () => {
    const bad = differing((item) => {
      if (item.why !== 'unknown_type' && item.why !== 'invalid_fields') return true
      const { diagnostics } = readResponse(item.response, presets.literal)
      return diagnostics.some((found) => found.code === item.why)
    })
    expect(bad).toEqual([])
  })

  test('[S3] recommended: dropped fields as proposed', () => {
    const bad = differing((item) => {
      if (item.proposed === undefined || item.proposed === null) return true
      const { signal } = readResponse(item.response, presets.recommended)
      return same(signal?.dropped, item.proposed.dropped)
    })
    expect(bad).toEqual([])
  })
})

test(`golden self-signals: ${vectors.field_values.length} field values`, () => {
  const bad = vectors.field_values.filter(({ value, expected, type }) => {
    const node = coerce(value)
    if (node === TOO_DEEP) return true
    return !same(plainValue(node), expected) || fieldType(node) !== type
  })
  expect(bad.map((item) => item.value)).toEqual([])
})

/** A recorded JSON value as Python had it in memory. */
function toNode(value: unknown): JsonNode {
  if (value === null) return { kind: 'null' }
  if (typeof value === 'string') return { kind: 'text', value }
  if (typeof value === 'boolean') return { kind: 'bool', value }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { kind: 'int', value } : { kind: 'float', value }
  if (Array.isArray(value)) return { kind: 'list', items: value.map(toNode) }
  const tagged = value as Record<string, unknown>
  if (typeof tagged['$int'] === 'string') return { kind: 'int', value: BigInt(tagged['$int']) }
  const entries = Object.entries(value as object).map(([key, item]) => [key, toNode(item)] as const)
  return { kind: 'object', entries: new Map(entries) }
}

test(`golden self-signals: ${vectors.field_models.length} field models`, () => {
  const bad = vectors.field_models.filter((item) => {
    const fields = new Map(Object.entries(item.fields).map(([key, value]) => [key, toNode(value)]))
    const errors = fieldErrors(item.type, (name) => fields.get(name))
    if (!item.valid)
      return !same(
        errors.map((error) => [error.path, error.code]),
        item.errors,
      )
    const plain = [...normalizeFields(item.type, (name) => fields.get(name))].map(
      ([key, value]) => [key, typeof value === 'bigint' ? plainWhole(value) : value],
    )
    return errors.length > 0 || !same(Object.fromEntries(plain), item.normalized)
  })
  expect(bad.map((item) => item.id)).toEqual([])
})

test(`golden self-signals: ${vectors.state_sequences.length} state sequences`, () => {
  const bad: string[] = []
  for (const sequence of vectors.state_sequences) {
    let state = initialSelfSignalState
    for (const [index, step] of sequence.ops.entries()) {
      const signal =
        step.op === 'response'
          ? readResponse(step.response ?? null, presets.literal).signal
          : step.op === 'signal' && step.type !== undefined
            ? { type: step.type, fields: step.fields ?? {} }
            : null
      state = advance(state, signal)
      const after = {
        consecutive_same_reason: state.consecutiveSameReason,
        turns_without_signal: state.turnsWithoutSignal,
        signals_emitted: state.emitted,
        last_signal: state.last?.type ?? null,
        is_stuck_loop: isStuckLoop(state, presets.literal.stuckAfter),
        needs_fallback: needsFallback(state, presets.literal.fallbackAfter),
        stuck_at: vectors.thresholds.map((threshold) => isStuckLoop(state, threshold)),
        fallback_at: vectors.thresholds.map((threshold) => needsFallback(state, threshold)),
      }
      if (!same(after, step.after)) bad.push(`${sequence.id}#${index}`)
    }
  }
  expect(bad).toEqual([])
})
