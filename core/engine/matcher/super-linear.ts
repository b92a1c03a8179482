import { positionsOf, type Positions } from './positions.ts'
import type { Pattern } from './python-ast.ts'

/**
 * A pattern that takes more than linear time on some texts. `exponential`: one loop can read a text
 * in several ways. `polynomial`: two loops, or the search and a loop, can share it out in many ways.
 */
export interface SuperLinear {
  readonly growth: 'exponential' | 'polynomial'
  /** 0-based place of the quantifier. */
  readonly at: number
  /** Repeated, it makes the text that takes long. */
  readonly pump: string
  /** The loop competes with the search for where a match begins. */
  readonly search: boolean
}

/** Larger patterns are not examined; they are not written by hand. */
const MOST_POSITIONS = 3000
/** Most combinations of positions that are tried for one pair of loops. */
const MOST_STEPS = 20_000

/** Strongly connected parts with a cycle: position → number of its part. (Tarjan 1972) */
function cyclesOf(graph: Positions): ReadonlyMap<number, number> {
  const order = new Map<number, number>()
  const low = new Map<number, number>()
  const stack: number[] = []
  const part = new Map<number, number>()
  const visit = (at: number): void => {
    order.set(at, order.size)
    low.set(at, order.get(at) ?? 0)
    stack.push(at)
    for (const { to } of graph.edges[at] ?? []) {
      if (!order.has(to)) visit(to)
      else if (!stack.includes(to)) continue
      low.set(at, Math.min(low.get(at) ?? 0, low.get(to) ?? 0))
    }
    if (low.get(at) !== order.get(at)) return
    const members = stack.splice(stack.indexOf(at))
    const loops = members.length > 1 || (graph.edges[at] ?? []).some(({ to }) => to === at)
    if (loops) for (const member of members) part.set(member, at)
  }
  visit(0)
  return part
}

/** Three walks over the same text, one character behind them. */
interface Walks {
  readonly places: readonly [number, number, number]
  readonly before: number
  readonly pump: string
}

interface Goal {
  readonly from: readonly [number, number, number]
  readonly to: readonly [number, number, number]
  readonly allowed: (places: readonly [number, number, number]) => boolean
}

/** A text on which all three walks go from their starts to their ends; null = there is none. */
function commonText(graph: Positions, { from, to, allowed }: Goal): string | null {
  const seen = new Set<string>()
  // What was read before the cycle is what it ends with: each possible character is tried.
  const open: Walks[] = graph.kinds
    .filter((kind) => from.every((place) => graph.reads(place, kind)))
    .map((kind) => ({ places: from, before: kind, pump: '' }))
  const wanted = to.join()
  for (let steps = 0; open.length > 0 && steps < MOST_STEPS; steps += 1) {
    const walk = open.shift()
    if (walk === undefined) break
    for (const kind of graph.kinds) {
      const [a, b, c] = walk.places.map((place) => graph.after(place, walk.before, kind))
      for (const one of a ?? [])
        for (const two of b ?? [])
          for (const three of c ?? []) {
            const places = [one, two, three] as const
            const key = `${places.join()};${kind}`
            if (seen.has(key) || !allowed(places)) continue
            seen.add(key)
            const pump = walk.pump + graph.sample(kind)
            if (places.join() === wanted) return pump
            open.push({ places, before: kind, pump })
          }
    }
  }
  return null
}

/** Two different ways from a position back to itself over the same text. */
function exponential(graph: Positions, parts: ReadonlyMap<number, number>): SuperLinear | null {
  for (const [position, part] of parts) {
    if (position === 0 || graph.ends[position] === true) continue
    for (const [other, itsPart] of parts) {
      if (itsPart !== part || other === position) continue
      const allowed = (places: readonly number[]): boolean =>
        places.every((place) => parts.get(place) === part)
      const there = { from: [position, position, position], to: [position, other, other] } as const
      const back = { from: [position, other, other], to: [position, position, position] } as const
      const first = commonText(graph, { ...there, allowed })
      const second = first === null ? null : commonText(graph, { ...back, allowed })
      const at = graph.loopAt(position)
      if (first !== null && second !== null && at !== null)
        return { growth: 'exponential', at, pump: first + second, search: false }
    }
  }
  return null
}

/** Position `from` stays where it is, `to` stays, and a third walk goes from one to the other. */
function polynomial(graph: Positions, parts: ReadonlyMap<number, number>): SuperLinear | null {
  for (const [from, part] of parts)
    for (const [to, itsPart] of parts) {
      if (itsPart === part || to === 0 || graph.ends[to] === true || graph.ends[from] === true)
        continue
      const pump = commonText(graph, {
        from: [from, from, to],
        to: [from, to, to],
        allowed: ([one, , three]) => parts.get(one) === part && parts.get(three) === itsPart,
      })
      const at = graph.loopAt(to)
      if (pump !== null && at !== null)
        return { growth: 'polynomial', at, pump, search: from === 0 }
    }
  return null
}

/**
 * [C9] Looks for the two forms of ambiguity that make matching slow (Weber and Seidl 1991). Look-arounds and
 * possessive parts are taken for ordinary ones. Null = linear, or too large to tell.
 */
export function superLinear(pattern: Pattern): SuperLinear | null {
  const graph = positionsOf(pattern, MOST_POSITIONS)
  if (graph === null) return null
  const parts = cyclesOf(graph)
  if (parts.size < 2) return null
  return exponential(graph, parts) ?? polynomial(graph, parts)
}
