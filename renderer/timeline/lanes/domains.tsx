import { Pressable } from '../../ui/button.tsx'
import type { Level } from '../bins.ts'
import type { TimelineData } from '../data.ts'
import { type LabelProps, lane } from '../lane.tsx'
import type { Row } from '../layout.ts'
import { type Context, SHAPE_PX, type Scene, blocksOf, boxOf, cellGap } from '../scene.ts'
import { DomainChip } from '../tooltip.tsx'
import type { Prepared } from '../use-prepared.ts'
import type { TurnWords } from '../words.ts'
import { shortName, titleOf } from '../../ui/visible.ts'

type Props = LabelProps<TimelineData>

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

interface Brush {
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
function drawShape(brush: Brush, cell: Cell): void {
  const { ctx, y, height, color } = brush
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
  ctx.fillStyle = cell.heat > 0 ? brush.hole : color
  ctx.beginPath()
  ctx.arc(cell.x + cell.width / 2, y + height / 2, Math.min(2.2, height / 6), 0, 2 * Math.PI)
  ctx.fill()
}

/** Many turns: height is how many of them matched, strength the highest score; a bar below where mostly primary. */
function drawBlock(brush: Brush, cell: Cell): void {
  const { ctx, y, height } = brush
  ctx.fillStyle = brush.color
  const part = cell.heat > 0 ? Math.max(2, Math.sqrt(cell.share) * height) : 0
  ctx.globalAlpha = strength(cell.heat) * 0.8
  ctx.fillRect(cell.x, y + height - part, cell.width, part)
  ctx.globalAlpha = 1
  if (cell.primary) ctx.fillRect(cell.x, y + height - 3, cell.width, 3)
}

/** Too narrow for shapes: heat, with a bar below where primary and a line across where secondary. */
function drawSliver(brush: Brush, cell: Cell): void {
  const { ctx, y, height } = brush
  ctx.fillStyle = brush.color
  const inset = cell.primary ? 0 : Math.min(3, height / 5)
  if (cell.heat > 0 || cell.primary) {
    ctx.globalAlpha = Math.max(cell.primary ? 0.14 : 0, strength(cell.heat) * 0.8)
    ctx.fillRect(cell.x, y + inset, cell.width, height - 2 * inset)
  }
  ctx.globalAlpha = 1
  if (cell.primary) ctx.fillRect(cell.x, y + height - 3, cell.width, 3)
  else if (cell.secondary) ctx.fillRect(cell.x, y + height / 2 - 0.75, cell.width, 1.5)
}

/** Strongest of several domains that share a lane, the primary in force before any other. */
function strongest(
  { heat, primary, count }: Level,
  block: number,
  domains: readonly number[],
): number {
  const wide = heat.length / Math.max(1, count)
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

/** The heat of a domain on a hairline that leads the eye from the name. */
function drawDomain(ctx: Context, scene: Scene, row: Row): void {
  const { level, first, end, px } = blocksOf(scene)
  const wide = scene.data.names.length
  const gap = cellGap(px)
  const narrow = level.size === 1 ? drawSliver : drawBlock
  const draw = px >= SHAPE_PX ? drawShape : narrow
  const { panel: hole, line } = scene.paint
  ctx.fillStyle = line
  ctx.globalAlpha = 0.6
  ctx.fillRect(0, row.y + row.height - 1, scene.width, 1 / scene.dpr)
  ctx.globalAlpha = 1
  for (let block = first; block < end; block++) {
    const domain = row.domain >= 0 ? row.domain : strongest(level, block, scene.layout.others)
    if (domain < 0) continue
    const heat = level.heat[block * wide + domain] ?? 0
    const primary = level.primary[block] === domain
    // In a block of several turns the signature band alone shows the secondary.
    const secondary = level.size === 1 && level.secondary[block] === domain
    if (heat === 0 && !primary && !secondary) continue
    const { x, width: room } = boxOf(scene, level, block)
    const color = scene.paint.domain(domain)
    const brush = { ctx, y: row.y + 1, height: row.height - 3, color, hole }
    const width = Math.max(1 / scene.dpr, room - gap)
    const share = (level.matched[block * wide + domain] ?? 0) / level.size
    draw(brush, { x: x + gap / 2, width, heat, primary, secondary, share })
  }
  ctx.globalAlpha = 1
}

function scoreText(score: number): string {
  return Number.isInteger(score) ? String(score) : score.toFixed(1)
}

/** Score of one domain in the told turn; bold when it is the primary in force, ringed as secondary. */
function DomainValue({ told, domain }: { told: TurnWords | null; domain: number }) {
  if (told === null) return null
  const score = told.scores.find((one) => one.domain === domain)?.score ?? 0
  const role = told.primary === domain ? 'primary' : told.secondary === domain ? 'secondary' : ''
  if (score === 0 && role === '') return null
  return <span className={`tl-value ${role}`}>{scoreText(score)}</span>
}

function DomainLabel({ row, data, styles, theme, told }: Props) {
  const name = data.names[row.domain] ?? ''
  return (
    <>
      <DomainChip name={name} styles={styles} theme={theme} />
      <span className="tl-name" title={titleOf(name)}>
        {shortName(name)}
      </span>
      <DomainValue told={told} domain={row.domain} />
    </>
  )
}

function OthersLabel({ others, data }: Props) {
  const names = others.flatMap((domain) => data.names[domain] ?? [])
  return (
    <span className="tl-name quiet" title={names.join(', ')}>
      {names.length} more domains
    </span>
  )
}

/** Gutter width from which the fold line is said in full. */
const FULL_FOLD = 180

function UnusedLabel({ data, width, expanded, onExpand }: Props) {
  const names = data.unused.map((domain) => data.names[domain] ?? '')
  const noun = width < FULL_FOLD ? '' : names.length === 1 ? 'domain ' : 'domains '
  const what = `${names.length} ${noun}without a match`
  return (
    <Pressable
      className="tl-fold quiet clip pointer brighten"
      aria-expanded={expanded}
      title={names.join(', ')}
      onClick={onExpand}
    >
      <span aria-hidden="true">{expanded ? '▾' : '▸'}</span> {what}
    </Pressable>
  )
}

const prepare = ({ data }: Prepared) => data
/** The layout gives the domains their rows. */
const size = () => null

export const domainLane = lane({
  ...({ id: 'domain', place: 'domains', prepare, size } as const),
  draw: drawDomain,
  legend: {
    name: 'domains',
    text: 'One line a domain: the stronger the colour, the more of its signals matched that text. An outlined box is in force as primary, a dot as secondary. The number is the score of the selected turn.',
  },
  Label: DomainLabel,
})

/** Domains for which there is no room share a row. */
export const othersLane = lane({
  ...({ id: 'others', place: 'domains', prepare, size } as const),
  draw: drawDomain,
  legend: {
    name: 'other domains',
    text: 'The least used domains share this line. Make the timeline higher to see them apart.',
  },
  Label: OthersLabel,
})

/** The line that folds the domains without a match. */
export const unusedLane = lane({
  id: 'unused',
  place: 'domains',
  prepare: ({ data }) => (data.unused.length > 0 ? data : null),
  size: () => ({ height: 15, gap: 0, drop: 2 }),
  legend: {
    name: 'domains without a match',
    text: 'None of their signals matched any turn of this session.',
  },
  Label: UnusedLabel,
})
