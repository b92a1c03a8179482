import { addTo } from '../../maps.ts'
import { entryOf, epoch, own, textAt } from '../shared/guards.ts'
import type { Unit, UnitClass } from './history.ts'
import { splitModelText } from './text.ts'

/** A line of the log. */
export interface LogItem {
  readonly type: string
  readonly class: UnitClass | 'response'
  readonly id: string | null
  readonly text: string
  readonly at: number | null
  readonly agent: number
  readonly fields: unknown
}

const CLASSES: Readonly<Record<string, LogItem['class']>> = {
  agent: 'agent',
  user: 'user',
  response: 'response',
  warning: 'warning',
  tool: 'tool',
  code_exe: 'tool',
  browser: 'tool',
  subagent: 'tool',
  mcp: 'tool',
  progress: 'tool',
}

export function logItem(item: unknown): LogItem {
  const type = textAt(item, 'type') ?? 'untyped'
  const agent = own(item, 'agentno') ?? own(item, 'agent_number')
  return {
    type,
    class: entryOf(CLASSES, type) ?? 'other',
    id: textAt(item, 'id'),
    text: textAt(item, 'content') ?? '',
    at: epoch(own(item, 'timestamp')),
    agent: typeof agent === 'number' && agent >= 0 && agent < 1000 ? Math.floor(agent) : 0,
    fields: own(item, 'kvps'),
  }
}

/** A message, the line of the log that shows it, or both. */
export type Pair =
  | { readonly unit: Unit; readonly item: LogItem | null }
  | { readonly unit: null; readonly item: LogItem }

const KEY_CHARS = 200

/** The log shortens long texts, so their beginnings are compared, blanks and digits aside. */
export function keyOf(kind: string, text: string): string {
  const start = text
    .slice(0, KEY_CHARS * 4)
    .replace(/\s+/g, ' ')
    .replace(/\d/g, '0')
    .trim()
  return `${kind}:${start.slice(0, KEY_CHARS)}`
}

/**
 * [I18] Merges history and log of one agent into one sequence. Messages are found in the log by id, else by text, from
 * the end backwards (a log has lost its beginning, a history its compacted messages). Results are then matched by order
 * between the messages found. Log-only items come before history-only items.
 */
export function align(units: readonly Unit[], items: readonly LogItem[]): readonly Pair[] {
  const partner = anchors(units, items)
  pairBetween(units, items, partner)
  const pairs: Pair[] = []
  let next = 0
  for (const [at, unit] of units.entries()) {
    const there = partner[at] ?? -1
    for (; next < there; next += 1) pushItem(pairs, items[next])
    pairs.push({ unit, item: items[there] ?? null })
    if (there >= 0) next = there + 1
  }
  for (; next < items.length; next += 1) pushItem(pairs, items[next])
  return lateNotes(pairs)
}

function pushItem(pairs: Pair[], item: LogItem | undefined): void {
  if (item !== undefined) pairs.push({ unit: null, item })
}

/** Moves a summary after the messages it replaced, which only the log still has. */
function lateNotes(pairs: readonly Pair[]): readonly Pair[] {
  const sorted: Pair[] = []
  const held: Pair[] = []
  for (const pair of pairs) {
    const found = pair.unit !== null && pair.item !== null
    if (found) sorted.push(...held.splice(0))
    if (pair.unit?.name === 'summary' && pair.item === null) held.push(pair)
    else if (pair.unit !== null && pair.item === null) sorted.push(...held.splice(0), pair)
    else sorted.push(pair)
  }
  return [...sorted, ...held]
}

/** Index of each unit's item, or -1; rising. */
function anchors(units: readonly Unit[], items: readonly LogItem[]): number[] {
  const places = new Map<string, number[]>()
  for (const [at, item] of items.entries()) {
    const kind = item.class === 'response' ? 'agent' : item.class
    for (const key of [`id:${item.id ?? ''}`, keyOf(kind, item.text)]) addTo(places, key, at)
  }
  const partner = new Array<number>(units.length).fill(-1)
  let bound = items.length
  for (let at = units.length - 1; at >= 0; at -= 1) {
    const unit = units[at]
    if (unit === undefined || (unit.class !== 'agent' && unit.class !== 'user')) continue
    const found = keysOf(unit)
      .map((key) => lastBelow(places.get(key), bound))
      .find((index) => index >= 0)
    if (found === undefined) continue
    partner[at] = found
    bound = found
  }
  return partner
}

/** By id, by text, and, for a message without an `agent` line (the greeting), by the response in it. */
function keysOf(unit: Unit): readonly string[] {
  const response = unit.class === 'agent' ? splitModelText(unit.text).at(-1) : undefined
  return [
    ...(unit.id === null ? [] : [`id:${unit.id}`]),
    keyOf(unit.class, unit.text),
    ...(response?.name === 'response' ? [keyOf('agent', response.text)] : []),
  ]
}

/** The last place below the bound. Bounds only fall, so places above are dropped for good. */
function lastBelow(places: number[] | undefined, bound: number): number {
  while (places !== undefined && (places.at(-1) ?? -1) >= bound) places.pop()
  return places?.at(-1) ?? -1
}

/** Results and warnings between two anchors, from the last backwards. */
function pairBetween(units: readonly Unit[], items: readonly LogItem[], partner: number[]): void {
  let bound = items.length
  let at = units.length - 1
  while (at >= 0) {
    const anchor = partner[at] ?? -1
    const unit = units[at]
    if (anchor >= 0) bound = anchor
    else if (unit?.class === 'tool' || unit?.class === 'warning') {
      const found = lastOfClass(items, unit.class, bound)
      if (found >= 0) {
        partner[at] = found
        bound = found
      }
    }
    at -= 1
  }
}

/** The last item of a class below the bound, with no agent or user message in between. */
function lastOfClass(items: readonly LogItem[], kind: UnitClass, bound: number): number {
  for (let at = bound - 1; at >= 0; at -= 1) {
    const found = items[at]?.class
    if (found === kind) return at
    if (found === 'agent' || found === 'user') return -1
  }
  return -1
}
