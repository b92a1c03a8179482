import { NOT_IN_FILE, OTHERS } from '../schema/context.ts'
import type { SessionContext } from './fold.ts'
import { sizeOf } from './parts.ts'
import { kindLabel } from './source.ts'

/** [X14] Kinds of sources with a layer each; all others share one. */
export const MOST_LAYERS = 8
/** [X14] The contexts of all calls of a session as layers. */
export interface ContextStacks {
  /** Names of the layers from the bottom up: first the remainder, then the largest over the session. */
  readonly layers: readonly string[]
  /** Tokens, one row a call: `tokens[call * layers.length + layer]`. Whole numbers that add up to the call's tokens. */
  readonly tokens: readonly number[]
}

/**
 * [X14] Layers of every call by kind of source, in one pass over the events: its steps are events plus calls times
 * kinds.
 */
export function stacksOf(context: SessionContext): ContextStacks {
  const kinds = kindsOf(context)
  const rows = scaledRows(context, kinds)
  const totals = kinds.names.map((name, kind) => {
    return { name, kind, total: rows.reduce((sum, { sizes }) => sum + (sizes[kind] ?? 0), 0) }
  })
  const used = totals
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1))
  // A layer of others that holds one kind would hide its name for nothing.
  const shown = used.length <= MOST_LAYERS + 1 ? used : used.slice(0, MOST_LAYERS)
  const others = used.slice(shown.length)
  const groups = [...shown.map(({ kind }) => [kind]), others.map(({ kind }) => kind)]
  const names = [...shown.map(({ name }) => name), OTHERS]
  const count = others.length > 0 ? names.length : shown.length
  const tokens: number[] = []
  for (const { sizes, rest } of rows) {
    const row = [rest]
    let sum = 0
    let given = 0
    for (const group of groups.slice(0, count)) {
      for (const kind of group) sum += sizes[kind] ?? 0
      // Rounding the running sum keeps the sum of the layers exact.
      const upTo = Math.round(sum)
      row.push(upTo - given)
      given = upTo
    }
    for (const one of row) tokens.push(one)
  }
  return { layers: [NOT_IN_FILE, ...names.slice(0, count)], tokens }
}

interface Kinds {
  readonly names: readonly string[]
  /** Of each event. */
  readonly of: Uint8Array
}

/** There are at most as many kinds as words for them. */
function kindsOf({ events }: SessionContext): Kinds {
  const numbers = new Map<string, number>()
  const of = new Uint8Array(events.length)
  for (const [place, event] of events.entries()) {
    const name = kindLabel(event)
    const number = numbers.get(name) ?? numbers.size
    numbers.set(name, number)
    of[place] = number
  }
  return { names: [...numbers.keys()], of }
}

interface Row {
  /** By kind, scaled but not rounded. */
  readonly sizes: Float64Array
  readonly rest: number
}

function scaledRows(context: SessionContext, { names, of }: Kinds): readonly Row[] {
  const { sums, calls } = context
  const rows: Row[] = []
  let sizes = new Float64Array(names.length)
  let from = 0
  let place = 0
  for (const call of calls) {
    if (call.from !== from) {
      sizes = new Float64Array(names.length)
      from = call.from
      place = call.from
    }
    for (; place < call.to; place += 1) {
      const kind = of[place] ?? 0
      sizes[kind] = (sizes[kind] ?? 0) + (sums[place + 1] ?? 0) - (sums[place] ?? 0)
    }
    const { factor, rest } = sizeOf(context, call)
    rows.push({ sizes: sizes.map((size) => size * factor), rest })
  }
  return rows
}
