/** Rows of the timeline from top to bottom. Pure arithmetic, no DOM. */
export interface Row {
  /** Id of its lane; `domain` and `others` for the lanes of domains. */
  readonly id: string
  readonly y: number
  readonly height: number
  /** Domain number of a `domain` row, else -1. */
  readonly domain: number
}

export interface Layout {
  readonly height: number
  readonly rows: readonly Row[]
  readonly laneHeight: number
  /** Domains that share the `others` row because there is no room for a lane each. */
  readonly others: readonly number[]
}

/** Place of a lane: above the domains, directly under them, below that, or at the foot of the panel. */
export type Place = 'above' | 'domains' | 'below' | 'foot'

export interface Size {
  readonly height: number
  /** Space below. */
  readonly gap: number
  /** Order in which lanes give way when there is no room; the lowest number goes first. */
  readonly drop: number
  /** A lane that takes the remaining height: its height before domains grow further, and its maximum. */
  readonly grow?: { readonly good: number; readonly most: number }
}

interface Fixed {
  readonly id: string
  readonly place: Place
  readonly size: Size | null
}
type Sized = Fixed & { readonly size: Size }

export interface LayoutRequest {
  readonly height: number
  /** Domains that get a lane, in display order. */
  readonly domains: readonly number[]
  /** Frequency of a domain. The least used ones share a lane first. */
  readonly weight: (domain: number) => number
  /** All other lanes, in their order within a place. */
  readonly lanes: readonly Fixed[]
}

const LANE = { least: 12, good: 18, most: 24 } as const
const LANES_GAP = 6

/** Lanes without which the timeline cannot be read: they never give way. */
export const NEVER = 100

/** The lanes that fit beside at least two domains. */
function fitting({ lanes, domains, height }: LayoutRequest): readonly Sized[] {
  let kept = lanes.filter((one): one is Sized => one.size !== null)
  const needed = Math.min(domains.length, 2) * LANE.least + LANES_GAP
  for (const next of [...kept].sort((a, b) => a.size.drop - b.size.drop)) {
    if (sum(kept) + needed <= height || next.size.drop === NEVER) break
    kept = kept.filter((other) => other !== next)
  }
  return kept
}

function sum(lanes: readonly Sized[]): number {
  return lanes.reduce((total, { size }) => total + size.height + size.gap, 0)
}

/** The domains that keep a separate lane if only `places` rows fit, in display order. */
function keepers({ domains, weight }: LayoutRequest, places: number): ReadonlySet<number> {
  if (domains.length <= places) return new Set(domains)
  const byWeight = [...domains].sort((a, b) => weight(b) - weight(a))
  return new Set(byWeight.slice(0, Math.max(0, places - 1)))
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/**
 * Stacks the rows into `height`. Domains are 12 to 24 px high, less only in very low panels. If they do not all fit,
 * the least used share one lane. The growing lane takes the remaining height. Very low panels omit whole lanes.
 */
export function layoutRows(request: LayoutRequest): Layout {
  const { height, domains } = request
  const kept = fitting(request)
  const free = Math.max(0, height - sum(kept) - LANES_GAP)
  const places = Math.max(1, Math.floor(free / LANE.least))
  const keep = keepers(request, places)
  const own = domains.filter((domain) => keep.has(domain))
  const others = domains.filter((domain) => !keep.has(domain))
  const count = own.length + (others.length > 0 ? 1 : 0)
  // Domains first up to a comfortable height, then the lane that grows, then both to their limits.
  const growing = kept.find(({ size }) => size.grow)?.size
  const reserve = growing?.grow ? growing.grow.good - growing.height : 0
  const even = count === 0 ? 0 : Math.floor((free - reserve) / count)
  const least = Math.min(LANE.least, Math.floor(free / Math.max(1, count)))
  const laneHeight = clamp(even, least, LANE.most)
  const left = free - laneHeight * count
  const rows: Row[] = []
  let y = 0
  const push = (id: string, size: Pick<Size, 'height' | 'gap'>, domain = -1) => {
    rows.push({ id, y, height: size.height, domain })
    y += size.height + size.gap
  }
  const stack = (place: Place) => {
    for (const { id, size } of kept.filter((one) => one.place === place)) {
      const { height: low, gap, grow } = size
      if (place === 'foot') y = Math.max(y, height - low - gap)
      push(id, { height: grow ? clamp(low + left, low, grow.most) : low, gap })
    }
  }
  const box = { height: laneHeight, gap: 0 }
  stack('above')
  for (const domain of own) push('domain', box, domain)
  if (others.length > 0) push('others', box)
  stack('domains')
  y += LANES_GAP
  stack('below')
  stack('foot')
  return { height, laneHeight, others, rows }
}

/** The row at a height, or null between rows. */
export function rowAt(layout: Layout, y: number): Row | null {
  return layout.rows.find((row) => y >= row.y && y < row.y + row.height) ?? null
}

/** Numbers of the turns; its gutter has the zoom. */
export const RULER = 'ruler'
/** The strip of the whole session, which is no lane of turns. */
export const OVERVIEW = 'overview'

/** Bottom of the last row that shows turns. The overview strip shows the whole session and does not count. */
export function plotBottom(layout: Layout): number {
  const last = layout.rows.findLast((row) => row.id !== OVERVIEW)
  return last === undefined ? 0 : last.y + last.height
}

export function findRow(layout: Layout, id: string): Row | null {
  return layout.rows.find((row) => row.id === id) ?? null
}
