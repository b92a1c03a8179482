import { positionsOf, type Positions } from '../automaton/positions.ts'
import type { Pattern } from '../python/python-ast.ts'

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
  /** Whether the loop competes with the search for the beginning of a match. */
  readonly search: boolean
}

/** Larger patterns are not examined; they are not written by hand. */
const MOST_POSITIONS = 3000
/** More classes than an alphabet has. */
const CLASSES = 0x10000
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

type Places = readonly [number, number, number]

interface Goal {
  readonly from: Places
  readonly to: Places
  readonly allowed: (one: number, two: number, three: number) => boolean
}

/** Positions of three simultaneous walks over the same text. */
interface Walks {
  readonly places: Places
  /** Class of the character behind them. */
  readonly before: number
  /** Number of the walks one character before; -1 where these begin. */
  readonly parent: number
}

/** The text read on the way. */
function textTo(graph: Positions, open: readonly Walks[], last: Walks): string {
  const chars: string[] = []
  for (let walk: Walks | undefined = last; walk && walk.parent >= 0; walk = open[walk.parent])
    chars.push(graph.sample(walk.before))
  return chars.reverse().join('')
}

/** A text on which all three walks lead from their starts to their ends; null if none exists. */
function commonText(graph: Positions, { from, to, allowed }: Goal): string | null {
  // Encodes the three positions in one number: 3,001 positions three times and 65,536 classes are 51 bits.
  const size = graph.edges.length
  const seen = new Set<number>()
  // The cycle ends with the character read before it, so each possible character is tried.
  const open: Walks[] = graph.kinds
    .filter((kind) => from.every((place) => graph.reads(place, kind)))
    .map((before) => ({ places: from, before, parent: -1 }))
  for (let at = 0; at < open.length && at < MOST_STEPS; at += 1) {
    const walk = open[at]
    if (walk === undefined) break
    for (const kind of graph.kinds) {
      const threes = graph.after(walk.places[2], walk.before, kind)
      if (threes.length === 0) continue
      const twos = graph.after(walk.places[1], walk.before, kind)
      for (const one of graph.after(walk.places[0], walk.before, kind))
        for (const two of twos)
          for (const three of threes) {
            if (!allowed(one, two, three)) continue
            const key = ((one * size + two) * size + three) * CLASSES + kind
            if (seen.has(key)) continue
            seen.add(key)
            const next: Walks = { places: [one, two, three], before: kind, parent: at }
            if (one === to[0] && two === to[1] && three === to[2]) return textTo(graph, open, next)
            open.push(next)
          }
    }
  }
  return null
}

/** Positions that any text leads to. */
function reachedFrom(graph: Positions, from: number): ReadonlySet<number> {
  const reached = new Set([from])
  for (const at of reached) for (const { to } of graph.edges[at] ?? []) reached.add(to)
  return reached
}

/** Two different ways from a position back to itself over the same text. */
function exponential(graph: Positions, parts: ReadonlyMap<number, number>): SuperLinear | null {
  for (const [position, part] of parts) {
    if (position === 0 || graph.ends[position] === true) continue
    for (const [other, itsPart] of parts) {
      if (itsPart !== part || other === position) continue
      const allowed = (one: number, two: number, three: number): boolean =>
        parts.get(one) === part && parts.get(two) === part && parts.get(three) === part
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

/** Positions `from` and `to` stay in place, and a third walk leads from one to the other. */
function polynomial(graph: Positions, parts: ReadonlyMap<number, number>): SuperLinear | null {
  for (const [from, part] of parts) {
    if (graph.ends[from] === true) continue
    const reached = reachedFrom(graph, from)
    for (const [to, itsPart] of parts) {
      if (itsPart === part || to === 0 || graph.ends[to] === true || !reached.has(to)) continue
      const pump = commonText(graph, {
        from: [from, from, to],
        to: [from, to, to],
        allowed: (one, _, three) => parts.get(one) === part && parts.get(three) === itsPart,
      })
      const at = graph.loopAt(to)
      if (pump !== null && at !== null)
        return { growth: 'polynomial', at, pump, search: from === 0 }
    }
  }
  return null
}

/**
 * [C9] Searches for the two forms of ambiguity that make matching slow (Weber and Seidl 1991). Treats look-arounds and
 * possessive parts as ordinary ones. Null if linear, or too large to decide.
 */
export function superLinear(pattern: Pattern): SuperLinear | null {
  const graph = positionsOf(pattern, MOST_POSITIONS)
  if (graph === null) return null
  const parts = cyclesOf(graph)
  if (parts.size < 2) return null
  return exponential(graph, parts) ?? polynomial(graph, parts)
}
