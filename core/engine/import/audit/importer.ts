import { draft, type Origin } from '../shared/drafts.ts'
import { compact, epoch, isObject, own, textAt, type JsonObject } from '../shared/guards.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

const TYPES = /^(?:status|completion|question|blocker|error)$/iu
const RESULT = ['result', 'type', 'output_type', 'classification'] as const
const PREVIEW = ['preview', 'text_preview', 'text', 'output', 'message'] as const
const TIME = ['time', 'timestamp', 'ts'] as const

/** The classification of an entry: its fields stand beside the others, or in an object `result`. */
function resultOf(value: unknown): JsonObject | null {
  if (!isObject(value)) return null
  const inner = RESULT.map((key) => own(value, key)).find(isObject)
  const found = inner ?? value
  const type = textAt(found, ...RESULT)
  const isOne = type !== null && TYPES.test(type) && typeof own(found, 'reason') === 'string'
  return isOne && typeof own(found, 'confidence') === 'number' ? found : null
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
    type: textAt(result, ...RESULT)?.toLowerCase() ?? null,
    confidence: own(result, 'confidence'),
    reason: own(result, 'reason'),
    coaching_message: own(result, 'coaching_message') ?? null,
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
