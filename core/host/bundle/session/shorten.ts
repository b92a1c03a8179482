import type { StepAwarenessBundle } from '../../../engine/schema/bundle.ts'

const MAX_TEXT = 20_000
const MAX_ITEMS = 1_000
/** Values in all; a tree beyond it is not readable anyway. */
const MAX_VALUES = 50_000

interface Meter {
  left: number
  shortened: number
}

/**
 * A bundle as a window can take it: long texts and lists are cut, and counted. Results may have
 * megabytes, and a slider asks for them many times a second.
 */
export function shortenBundle(bundle: StepAwarenessBundle): {
  readonly bundle: StepAwarenessBundle
  readonly shortened: number
} {
  const meter: Meter = { left: MAX_VALUES, shortened: 0 }
  const { context } = bundle
  const inputs = shorten(context.inputs_summary, meter)
  const evaluation = shorten(context.evaluation_summary, meter)
  if (meter.shortened === 0) return { bundle, shortened: 0 }
  // Shortening keeps dictionaries dictionaries and lists lists.
  const short = { inputs_summary: inputs, evaluation_summary: evaluation } as Pick<
    typeof context,
    'inputs_summary' | 'evaluation_summary'
  >
  return {
    bundle: { ...bundle, context: { ...context, ...short } },
    shortened: meter.shortened,
  }
}

function shorten(value: unknown, meter: Meter): unknown {
  meter.left -= 1
  if (typeof value === 'string' && value.length > MAX_TEXT) {
    meter.shortened += 1
    return `${value.slice(0, MAX_TEXT)}…`
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return firstOf(value, meter).map((item) => shorten(item, meter))
  return Object.fromEntries(
    firstOf(Object.entries(value), meter).map(([key, item]) => [key, shorten(item, meter)]),
  )
}

function firstOf<T>(items: readonly T[], meter: Meter): readonly T[] {
  const most = Math.min(MAX_ITEMS, Math.max(0, meter.left))
  if (items.length <= most) return items
  meter.shortened += 1
  return items.slice(0, most)
}
