/** Rows of the timeline from top to bottom. Pure arithmetic, no DOM. */
export type RowKind =
  | 'ruler'
  | 'roles'
  | 'domain'
  | 'others'
  | 'unused'
  | 'signature'
  | 'marks'
  | 'compare'
  | 'momentum'
  | 'self'
  | 'query'
  | 'tokens'
  | 'find'
  | 'coach'
  | 'probe'
  | 'persona'
  | 'overview'

export interface Row {
  readonly kind: RowKind
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

export interface LayoutRequest {
  readonly height: number
  /** Domains that get a lane, in display order. */
  readonly lanes: readonly number[]
  /** How much a domain occurs: the least used share a lane first. */
  readonly weight: (domain: number) => number
  /** Show the line "n domains without a match". */
  readonly unused: boolean
  readonly compare: boolean
  /** The lane of self-signals: full, one quiet line for an agent that emits none, or absent. */
  readonly self?: 'full' | 'quiet' | 'absent'
  /** The lane of query types. */
  readonly query?: boolean
  /** The lane of tokens: high for steps with their tiers, low for composed prompts alone. */
  readonly tokens?: 'full' | 'low' | 'absent'
  /** Where find found something. */
  readonly find?: boolean
  /** The lane of the coach's verdicts. */
  readonly coach?: boolean
  /** The lane of hits: full with the persona band, or one line that says what to do. */
  readonly probe?: 'full' | 'quiet' | 'absent'
}

const LANE = { least: 12, good: 18, most: 24 } as const
const MOMENTUM = { least: 24, good: 48, most: 104 } as const
/** Height and space below of the rows that do not stretch; `drop` orders what goes first when there is no room. */
const FIXED = {
  ruler: { height: 24, gap: 2, drop: 9 },
  roles: { height: 12, gap: 4, drop: 3 },
  find: { height: 12, gap: 4, drop: 7 },
  unused: { height: 15, gap: 0, drop: 2 },
  signature: { height: 20, gap: 1, drop: 8 },
  marks: { height: 15, gap: 3, drop: 5 },
  compare: { height: 20, gap: 4, drop: 6 },
  momentum: { height: MOMENTUM.least, gap: 4, drop: 4 },
  self: { height: 28, gap: 3, drop: 4.4 },
  query: { height: 13, gap: 4, drop: 3.5 },
  tokens: { height: 60, gap: 4, drop: 3.7 },
  coach: { height: 27, gap: 4, drop: 4.2 },
  probe: { height: 32, gap: 3, drop: 4.1 },
  persona: { height: 13, gap: 3, drop: 3.6 },
  overview: { height: 14, gap: 4, drop: 1 },
} as const
type FixedKind = keyof typeof FIXED
/** Height of the line that says that an agent emits no self-signals. */
const QUIET_SELF = 13
/** Height of the token lane where no step is. */
const LOW_TOKENS = 22
/** Height of the line that says what to do to see hits. */
const QUIET_PROBE = 18
const LANES_GAP = 6
const BELOW: readonly FixedKind[] = [
  'signature',
  'marks',
  'compare',
  'momentum',
  'self',
  'query',
  'tokens',
  'coach',
  'probe',
  'persona',
  'overview',
]

function fixedKinds(request: LayoutRequest, room: number): readonly FixedKind[] {
  const shown: Readonly<Partial<Record<FixedKind, boolean>>> = {
    unused: request.unused,
    compare: request.compare,
    self: (request.self ?? 'absent') !== 'absent',
    query: request.query ?? false,
    tokens: (request.tokens ?? 'absent') !== 'absent',
    find: request.find ?? false,
    coach: request.coach ?? false,
    probe: (request.probe ?? 'absent') !== 'absent',
    persona: request.probe === 'full',
  }
  let kinds = (Object.keys(FIXED) as FixedKind[]).filter((kind) => shown[kind] ?? true)
  const byDrop = [...kinds].sort((a, b) => dropOf(a, request) - dropOf(b, request))
  const needed = Math.min(request.lanes.length, 2) * LANE.least + LANES_GAP
  for (const kind of byDrop) {
    if (sum(kinds, request) + needed <= room || kind === 'ruler') break
    kinds = kinds.filter((other) => other !== kind)
  }
  return kinds
}

/** A line that only says what to do gives way before any that shows something. */
function dropOf(kind: FixedKind, request: LayoutRequest): number {
  return kind === 'probe' && request.probe === 'quiet' ? 1.5 : FIXED[kind].drop
}

function heightOf(kind: FixedKind, request: LayoutRequest): number {
  if (kind === 'self' && request.self === 'quiet') return QUIET_SELF
  if (kind === 'probe' && request.probe === 'quiet') return QUIET_PROBE
  return kind === 'tokens' && request.tokens === 'low' ? LOW_TOKENS : FIXED[kind].height
}

function sum(kinds: readonly FixedKind[], request: LayoutRequest): number {
  return kinds.reduce((total, kind) => total + heightOf(kind, request) + FIXED[kind].gap, 0)
}

/** Which domains keep a lane of their own when only `places` rows fit, in display order. */
function keepers(request: LayoutRequest, places: number): ReadonlySet<number> {
  if (request.lanes.length <= places) return new Set(request.lanes)
  const byWeight = [...request.lanes].sort((a, b) => request.weight(b) - request.weight(a))
  return new Set(byWeight.slice(0, Math.max(0, places - 1)))
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/**
 * Stacks the rows into `height`. Lanes are 12 to 24 px; when not all fit, the least used share one
 * lane; momentum takes what is left, up to 104 px; in very low panels whole rows give way.
 */
export function layoutRows(request: LayoutRequest): Layout {
  const kinds = fixedKinds(request, request.height)
  const free = Math.max(0, request.height - sum(kinds, request) - LANES_GAP)
  const places = Math.max(1, Math.floor(free / LANE.least))
  const kept = keepers(request, places)
  const own = request.lanes.filter((domain) => kept.has(domain))
  const others = request.lanes.filter((domain) => !kept.has(domain))
  const count = own.length + (others.length > 0 ? 1 : 0)
  // Lanes first up to a comfortable height, then momentum, then both to their limits.
  const grow = kinds.includes('momentum') ? MOMENTUM.good - MOMENTUM.least : 0
  const even = count === 0 ? 0 : Math.floor((free - grow) / count)
  const laneHeight = clamp(
    even,
    Math.min(LANE.least, Math.floor(free / Math.max(1, count))),
    LANE.most,
  )
  const left = free - laneHeight * count
  const momentum = clamp(MOMENTUM.least + left, MOMENTUM.least, MOMENTUM.most)
  return { height: request.height, laneHeight, others, rows: stack() }

  function stack(): readonly Row[] {
    const rows: Row[] = []
    let y = 0
    const push = (kind: RowKind, height: number, gap: number, domain = -1) => {
      rows.push({ kind, y, height, domain })
      y += height + gap
    }
    const fixed = (kind: FixedKind) => {
      if (!kinds.includes(kind)) return
      const height = kind === 'momentum' ? momentum : heightOf(kind, request)
      if (kind === 'overview') y = Math.max(y, request.height - height - FIXED.overview.gap)
      push(kind, height, FIXED[kind].gap)
    }
    fixed('ruler')
    fixed('roles')
    fixed('find')
    for (const domain of own) push('domain', laneHeight, 0, domain)
    if (others.length > 0) push('others', laneHeight, 0)
    fixed('unused')
    y += LANES_GAP
    for (const kind of BELOW) fixed(kind)
    return rows
  }
}

/** The row at a height, or null between rows. */
export function rowAt(layout: Layout, y: number): Row | null {
  return layout.rows.find((row) => y >= row.y && y < row.y + row.height) ?? null
}

/** Where the last row that shows turns ends; the overview strip shows the whole session and is not one. */
export function plotBottom(layout: Layout): number {
  const last = layout.rows.findLast((row) => row.kind !== 'overview')
  return last === undefined ? 0 : last.y + last.height
}

export function findRow(layout: Layout, kind: RowKind): Row | null {
  return layout.rows.find((row) => row.kind === kind) ?? null
}
