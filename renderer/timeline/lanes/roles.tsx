import { ROLES } from '../data.ts'
import { lane } from '../lane.tsx'
import type { Row } from '../layout.ts'
import { blocksOf, boxOf, cellGap, middle, SHAPE_PX, type Context, type Scene } from '../scene.ts'

type RoleShape = (ctx: Context, x: number, y: number) => void
/** Shape in addition to color: circle for user, triangle for agent, hollow square for tool, dash for other. */
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

/** Roles: a shape per turn, or stacked shares of a block with user turns on top. */
function drawRoles(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end, px } = blocksOf(scene)
  ctx.lineWidth = 1.3
  for (let block = first; block < end; block++) {
    const counts = ROLES.map((_, role) => level.roles[block * ROLES.length + role] ?? 0)
    const total = counts.reduce((sum, count) => sum + count, 0)
    const { x, width: room } = boxOf(scene, level, block)
    const width = Math.max(1 / scene.dpr, room - cellGap(px))
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

const KEY = [
  ['ink', '●', 'person'],
  ['good', '▲', 'agent'],
  ['', '□', 'tool'],
] as const

function RolesLabel() {
  return (
    <span className="tl-key quiet gap-6 flex">
      {KEY.map(([tone, sign, word]) => (
        <span key={word}>
          <i className={tone} aria-hidden="true">
            {sign}
          </i>
          {word}
        </span>
      ))}
    </span>
  )
}

/** Lane for the speaker of each turn. */
export const rolesLane = lane({
  id: 'roles',
  place: 'above',
  prepare: (base) => base,
  size: () => ({ height: 12, gap: 4, drop: 3 }),
  draw: drawRoles,
  legend: { name: 'roles', text: 'Whose text a turn is: a person’s, the agent’s or a tool’s.' },
  Label: RolesLabel,
})
