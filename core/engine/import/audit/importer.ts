import { draft, type Origin } from '../shared/drafts.ts'
import { compact, epoch, isObject, own, textAt, type JsonObject } from '../shared/guards.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

/** A type alone, or as Python's `str` writes a member of an enumeration (`OutputType.STATUS`, `STATUS_UPDATE`). */
const TYPES = /^(?:\w{1,40}\.)?(status|completion|question|blocker|error)(?:_update)?$/iu
const RESULT = ['result', 'type', 'output_type', 'classification'] as const
const PREVIEW = ['preview', 'text_preview', 'text', 'output', 'message'] as const
const TIME = ['time', 'timestamp', 'ts'] as const

/** The classification of an entry. Its fields are at the top level, or in an object `result`. */
function resultOf(value: unknown): JsonObject | null {
  if (!isObject(value)) return null
  const inner = RESULT.map((key) => own(value, key)).find(isObject)
  const found = inner ?? value
  const type = textAt(found, ...RESULT)
  const isOne = type !== null && TYPES.test(type) && typeof own(found, 'reason') === 'string'
  return isOne && confidenceOf(found) !== null ? found : null
}

/** A number, also if it was written as text. */
function confidenceOf(value: unknown): number | null {
  const given = own(value, 'confidence')
  if (typeof given === 'number') return given
  return typeof given === 'string' && /^\d{0,3}\.?\d{1,20}$/u.test(given) ? Number(given) : null
}

interface Reading extends SessionsReading {
  writer: SessionWriter | null
}

/** [I82] The judged text is the agent's; its classification follows it as a `meta` named `verdict`. */
function take({ value, ref }: RawRecord, reading: Reading): void {
  const result = resultOf(value)
  if (result === null) {
    reading.log.unusable(
      { value, ref },
      'no classification: type, confidence and reason are needed',
    )
    return
  }
  const writer = (reading.writer ??= reading.writers.open('audit'))
  writer.session.title ??= 'Classification audit'
  const at = TIME.map((key) => epoch(own(value, key))).find((time) => time !== null) ?? null
  const origin: Origin = { at, model: textAt(value, 'model'), source: ref }
  const preview = textAt(value, ...PREVIEW)
  if (preview === null) reading.log.skip('classification without the text that was judged')
  else writer.push(draft('agent', preview, origin))
  const verdict = {
    type: TYPES.exec(textAt(result, ...RESULT) ?? '')?.[1]?.toLowerCase() ?? null,
    confidence: confidenceOf(result),
    reason: own(result, 'reason'),
    coaching_message: own(result, 'coaching_message') ?? null,
    ...(own(result, 'was_rejected_completion') === true ? { was_rejected_completion: true } : {}),
    source: textAt(value, 'source') ?? textAt(result, 'source'),
  }
  writer.push(draft('meta', compact(verdict), origin, { name: 'verdict' }))
}

/** [I82] Audits of an output classifier: the coach's own log (L36), and lines of `ClassificationResult`. */
export const audit: Importer = {
  name: 'classification-audit',
  label: 'classification audit (JSONL)',
  detect: (head) => head.objects.some((value) => resultOf(value) !== null),
  split: () => ({ by: 'records' }),
  read: readSessions<{ writer: SessionWriter | null }>(() => ({ writer: null }), take),
}
