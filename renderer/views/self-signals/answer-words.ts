import type { QueryClassification, QueryType } from '../../../core/engine/schema/query.ts'
import type { SegmentOutcome } from '../../../core/engine/schema/prompt.ts'
import type {
  DiagnosticCode,
  Fallback,
  FallbackAction,
} from '../../../core/engine/schema/self-signal.ts'
import type { TurnOutput } from '../../../core/engine/schema/turn-output.ts'

/** Display text of each diagnostic. */
export const DIAGNOSTIC_WORDS: Readonly<Record<DiagnosticCode, string>> = {
  in_fence: 'in a fence',
  several: 'several',
  unfinished: 'unfinished',
  not_matched: 'not matched',
  unknown_type: 'unknown type',
  invalid_fields: 'invalid fields',
  too_deep: 'too deep',
  dropped_field: 'field dropped',
  short_reason: 'short reason',
  long_reason: 'long reason',
  duplicate_field: 'field repeated',
  confidence_defaulted: 'confidence defaulted',
  confidence_clamped: 'confidence clamped',
}

export const ACTION_WORDS: Readonly<Record<FallbackAction, string>> = {
  continue: 'go on',
  force_response: 'ask for an answer now',
  retry_with_hint: 'ask again with a hint',
  escalate: 'hand over to a person',
}

export const TRIGGER_WORDS: Readonly<Record<Fallback['trigger'], string>> = {
  no_signal: 'no self-signal',
  low_confidence: 'low confidence',
  stuck_signal: 'it says it is stuck',
  stuck_loop: 'the same reason again and again',
}

export const OUTCOME_WORDS: Readonly<
  Record<
    SegmentOutcome,
    { readonly words: string; readonly tone: 'good' | 'warn' | 'bad' | 'plain' }
  >
> = {
  included: { words: 'in', tone: 'good' },
  included_over_budget: { words: 'in, over budget', tone: 'warn' },
  skipped_budget: { words: 'no room', tone: 'warn' },
  failed: { words: 'failed', tone: 'bad' },
  not_for_type: { words: 'other type', tone: 'plain' },
}

export const QUERY_WORDS: Readonly<Record<QueryType, string>> = {
  code: 'about code: where it is, how it works, why it fails',
  documentation: 'about documents, decisions and notes',
  research: 'needs knowledge from outside the project',
  conversational: 'goes on with the conversation',
  action: 'wants something done',
}

export const DECIDED_BY: Readonly<Record<QueryClassification['by'], string>> = {
  empty: 'The message is empty.',
  short: 'Too short to be scored.',
  score: 'The type with the most points.',
  leading_imperative: 'A tie, decided by the imperative at the beginning.',
  followup: 'Nothing matched; it follows up on what was said before.',
  none: 'Nothing matched: conversational by default.',
}

/** Which response is shown, seen from the selection. */
export const PLACE_WORDS: Readonly<Record<TurnOutput['place'], string>> = {
  this: 'The selected response',
  after: 'The response that follows the selection',
  before: 'The last response before the selection',
}

/** A field's value for display. Big integers and special floats appear as written. */
export function fieldText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(fieldText).join('\n')
  if (typeof value === 'object' && value !== null) {
    const big = '$int' in value ? value.$int : '$float' in value ? value.$float : null
    return typeof big === 'string' ? big : JSON.stringify(value)
  }
  return String(value)
}

/** The type of a value that has no place in the block: it was filled in. */
export function fieldType(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'str' : 'other'
}
