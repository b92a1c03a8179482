import { plainDecimal, pyFloat } from '../python-number.ts'
import { pyStrip, startsWithFolded } from '../python-text.ts'
import type { SelfSignalOptions } from '../schema/self-signal.ts'
import type { Span } from '../schema/trace.ts'
import type { RawField } from './read-fields.ts'
import type { Block } from './scan.ts'

/** How sure the agent says it is, and how that was read. */
export interface Confidence {
  readonly value: number
  readonly source: 'element' | 'attribute' | 'default'
  /** The number was outside 0..1, or none. */
  readonly clamped: boolean
  /** Where it stands; the opening tag when it was defaulted. */
  readonly span: Span
}

/** What a missing or unreadable confidence counts as. */
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
export function readConfidence(
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
