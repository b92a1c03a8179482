import { ROLES } from './data.ts'
import type { Row } from './lanes.ts'
import { blocksOf, edge, middle, SHAPE_PX, type Blocks, type Context, type Scene } from './scene.ts'

/** Opacity of a cell by its score × 10: one match is faint, five and more are full. */
function strength(tenths: number): number {
  return tenths <= 0 ? 0 : Math.min(0.95, 0.2 + 0.015 * tenths)
}

interface Cell {
  readonly x: number
  readonly width: number
  readonly heat: number
  readonly primary: boolean
  readonly secondary: boolean
  /** Share of the block's turns in which the domain matched. */
  readonly share: number
}

interface Lane {
  readonly ctx: Context
  readonly y: number
  readonly height: number
  readonly color: string
  readonly hole: string
}

function box(ctx: Context, x: number, y: number, [width, height]: readonly [number, number]) {
  ctx.beginPath()
  ctx.roundRect(x, y, width, height, Math.min(2.5, width / 3))
  ctx.fill()
}

/** Primary in force: full height and outlined. Others: lower, no outline. Secondary: a dot. */
function drawShape(lane: Lane, cell: Cell): void {
  const { ctx, y, height, color } = lane
  const inset = cell.primary ? 0 : Math.min(3, height / 5)
  ctx.fillStyle = color
  ctx.globalAlpha = cell.primary ? 0.1 + strength(cell.heat) * 0.9 : strength(cell.heat)
  if (cell.heat > 0 || cell.primary) box(ctx, cell.x, y + inset, [cell.width, height - 2 * inset])
  ctx.globalAlpha = 1
  if (cell.primary) {
    ctx.strokeStyle = color
    ctx.lineWidth = 1.5
    ctx.beginPath()
    ctx.roundRect(cell.x + 0.75, y + 0.75, cell.width - 1.5, height - 1.5, 2)
    ctx.stroke()
  }
  if (!cell.secondary) return
  ctx.fillStyle = cell.heat > 0 ? lane.hole : color
  ctx.beginPath()
  ctx.arc(cell.x + cell.width / 2, y + height / 2, Math.min(2.2, height / 6), 0, 2 * Math.PI)
  ctx.fill()
}

/** Many turns: height is how many of them matched, strength the highest score; a bar below where mostly primary. */
function drawBlock(lane: Lane, cell: Cell): void {
  const { ctx, y, height } = lane
  ctx.fillStyle = lane.color
  const part = cell.heat > 0 ? Math.max(2, Math.sqrt(cell.share) * height) : 0
  ctx.globalAlpha = strength(cell.heat) * 0.8
  ctx.fillRect(cell.x, y + height - part, cell.width, part)
  ctx.globalAlpha = 1
  if (cell.primary) ctx.fillRect(cell.x, y + height - 3, cell.width, 3)
}

/** Too narrow for shapes: heat, with a bar below where primary and a line across where secondary. */
function drawSliver(lane: Lane, cell: Cell): void {
  const { ctx, y, height } = lane
  ctx.fillStyle = lane.color
  const inset = cell.primary ? 0 : Math.min(3, height / 5)
  if (cell.heat > 0 || cell.primary) {
    ctx.globalAlpha = Math.max(cell.primary ? 0.14 : 0, strength(cell.heat) * 0.8)
    ctx.fillRect(cell.x, y + inset, cell.width, height - 2 * inset)
  }
  ctx.globalAlpha = 1
  if (cell.primary) ctx.fillRect(cell.x, y + height - 3, cell.width, 3)
  else if (cell.secondary) ctx.fillRect(cell.x, y + height / 2 - 0.75, cell.width, 1.5)
}

function cellGap(px: number): number {
  if (px < 3) return 0
  return px < 10 ? 1 : 2
}

/** Strongest of several domains that share a lane, the primary in force before any other. */
function strongest(blocks: Blocks, block: number, domains: readonly number[]): number {
  const { heat, primary } = blocks.level
  const wide = heat.length / Math.max(1, blocks.level.count)
  let best = -1
  let most = 0
  for (const domain of domains) {
    if (primary[block] === domain) return domain
    const value = heat[block * wide + domain] ?? 0
    if (value > most) {
      most = value
      best = domain
    }
  }
  return best
}

function drawLane(ctx: Context, scene: Scene, row: Row): void {
  const blocks = blocksOf(scene)
  const { level, first, end, px } = blocks
  const wide = scene.data.names.length
  const gap = cellGap(px)
  const narrow = level.size === 1 ? drawSliver : drawBlock
  const draw = px >= SHAPE_PX ? drawShape : narrow
  const { panel: hole } = scene.paint
  for (let block = first; block < end; block++) {
    const domain = row.domain >= 0 ? row.domain : strongest(blocks, block, scene.layout.others)
    if (domain < 0) continue
    const heat = level.heat[block * wide + domain] ?? 0
    const primary = level.primary[block] === domain
    // In a block of several turns the signature band alone shows the secondary.
    const secondary = level.size === 1 && level.secondary[block] === domain
    if (heat === 0 && !primary && !secondary) continue
    const x = edge(scene, block * level.size)
    const right = edge(scene, Math.min(scene.data.turns, (block + 1) * level.size))
    const lane = {
      ctx,
      y: row.y + 1,
      height: row.height - 3,
      color: scene.paint.domain(domain),
      hole,
    }
    const width = Math.max(1 / scene.dpr, right - x - gap)
    const share = (level.matched[block * wide + domain] ?? 0) / level.size
    draw(lane, { x: x + gap / 2, width, heat, primary, secondary, share })
  }
  ctx.globalAlpha = 1
}

/** Heat lanes of all domains, each on a hairline that leads the eye from the name. */
export function drawLanes(ctx: Context, scene: Scene): void {
  ctx.fillStyle = scene.paint.line
  for (const row of scene.layout.rows)
    if (row.kind === 'domain' || row.kind === 'others') {
      ctx.globalAlpha = 0.6
      ctx.fillRect(0, row.y + row.height - 1, scene.width, 1 / scene.dpr)
    }
  ctx.globalAlpha = 1
  for (const row of scene.layout.rows)
    if (row.kind === 'domain' || row.kind === 'others') drawLane(ctx, scene, row)
}

type RoleShape = (ctx: Context, x: number, y: number) => void
/** Shape as well as colour: circle = person, triangle = agent, hollow square = tool, dash = other. */
const ROLE_SHAPE: Readonly<Record<(typeof ROLES)[number], RoleShape>> = {
  user: (ctx, x, y) => {
    ctx.arc(x, y, 3.2, 0, 2 * Math.PI)
    ctx.fill()
  },
  agent: (ctx, x, y) => {
    ctx.moveTo(x - 3.4, y + 2.8)
    ctx.lineTo(x + 3.4, y + 2.8)
    ctx.lineTo(x, y - 3.2)
    ctx.closePath()
    ctx.fill()
  },
  tool: (ctx, x, y) => {
    ctx.rect(x - 2.4, y - 2.4, 4.8, 4.8)
    ctx.stroke()
  },
  other: (ctx, x, y) => {
    ctx.rect(x - 2.5, y - 0.6, 5, 1.2)
    ctx.fill()
  },
}
/** Heights of single turns that are too narrow for shapes. */
const ROLE_BAR = { user: 1, agent: 0.7, tool: 0.35, other: 0.2 } as const
const ROLE_ALPHA = { user: 0.8, agent: 0.8, tool: 0.55, other: 0.3 } as const

function roleColor(scene: Scene, role: (typeof ROLES)[number]): string {
  const { ink, good, ink3 } = scene.paint
  return { user: ink, agent: good, tool: ink3, other: ink3 }[role]
}

/** Who speaks: a shape a turn, or stacked shares of a block, persons on top. */
export function drawRoles(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end, px } = blocksOf(scene)
  ctx.lineWidth = 1.3
  for (let block = first; block < end; block++) {
    const counts = ROLES.map((_, role) => level.roles[block * ROLES.length + role] ?? 0)
    const total = counts.reduce((sum, count) => sum + count, 0)
    const x = edge(scene, block * level.size)
    const right = edge(scene, Math.min(scene.data.turns, (block + 1) * level.size))
    const width = Math.max(1 / scene.dpr, right - x - cellGap(px))
    let y = row.y + 1
    for (const [code, role] of ROLES.entries()) {
      const count = counts[code] ?? 0
      if (count === 0) continue
      ctx.fillStyle = ctx.strokeStyle = roleColor(scene, role)
      if (px >= SHAPE_PX) {
        ctx.beginPath()
        ROLE_SHAPE[role](ctx, middle(scene, block), row.y + row.height / 2)
        continue
      }
      const height = (row.height - 2) * (level.size > 1 ? count / total : ROLE_BAR[role])
      if (level.size === 1) y = row.y + row.height - 1 - height
      ctx.globalAlpha = ROLE_ALPHA[role]
      ctx.fillRect(x, y, width, height)
      y += height
    }
  }
  ctx.globalAlpha = 1
}
