/** The results of a step, as shown in its row. */
export type StepSummary = Readonly<ReturnType<typeof stepSummary>>

const TOKENS = /"(?:[^"\\]|\\.)*"|"|[{}[\],]/gsu
const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/** Closes the longest complete beginning of a JSON text; null if none exists. */
export function closeJson(text: string): string | null {
  const closers: string[] = []
  let best: string | null = null
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    // A string that does not end: nothing after it is whole.
    if (token === '"') break
    const closer = CLOSERS[token]
    if (closer !== undefined) closers.push(closer)
    else if (token === ',') best = text.slice(0, index) + closers.toReversed().join('')
    else if (token === '}' || token === ']') {
      closers.pop()
      best = text.slice(0, index + 1) + closers.toReversed().join('')
    }
  }
  return best
}

function parsed(text: string): unknown {
  for (const candidate of [text, closeJson(text)])
    try {
      if (candidate !== null) return JSON.parse(candidate)
    } catch {
      // The next candidate, else nothing.
    }
  return null
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })
/** Said elsewhere in the row, or no metric. */
const NOT_METRICS = new Set(['success', 'confidence', 'interpretation', 'reasoning'])
const MOST = 4

/** Also matches if the text ends in the middle of it. */
const TOLD = /"interpretation"\s*:\s*"((?:[^"\\]|\\[^u]|\\u[0-9a-fA-F]{4})*)/u

function toldIn(text: string): string {
  const json = TOLD.exec(text)?.[1] ?? ''
  const told: unknown = parsed(`"${json}"`)
  return typeof told === 'string' ? told.replace(/\s+/gu, ' ').trim() : ''
}

function metricText(name: string, value: unknown): string | null {
  if (typeof value === 'number') return `${name} ${number.format(value)}`
  if (typeof value === 'boolean') return `${name} ${value ? 'yes' : 'no'}`
  return typeof value === 'string' && value.length <= 40 ? `${name} ${value}` : null
}

/**
 * Sums up the record of a step for one line of the list.
 * @param text its JSON, or the beginning of its JSON
 * @param keyMetrics names listed first, in this order
 */
export function stepSummary(text: string, keyMetrics: readonly string[]) {
  const results = fieldsOf(fieldsOf(parsed(text)).get('results'))
  const success = results.get('success')
  const told = toldIn(text)
  const rest = [...results.keys()].filter((name) => !NOT_METRICS.has(name))
  const names = [...keyMetrics.filter((name) => results.has(name)), ...rest]
  const metrics = [...new Set(names)].flatMap((name) => metricText(name, results.get(name)) ?? [])
  return {
    /** Null = the results do not say. */
    success: typeof success === 'boolean' ? success : null,
    /** Metrics as `name value`, key metrics first. */
    metrics: metrics.slice(0, MOST),
    /** Metrics that are not listed. */
    more: Math.max(0, metrics.length - MOST),
    empty: results.size === 0 && told === '',
    /** Summary sentence of the results; '' if none exists. */
    told,
  }
}
