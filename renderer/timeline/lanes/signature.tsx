import { lane, type LabelProps } from '../lane.tsx'
import type { Row } from '../layout.ts'
import { visibleRuns, type SignatureRun } from '../runs.ts'
import { blocksOf, boxOf, edge, type Context, type Scene } from '../scene.ts'
import type { TimelineData } from '../data.ts'

/** Possible labels of a run, longest first. */
function labels(scene: Scene, run: SignatureRun): readonly string[] {
  const domains = [run.primary, run.secondary].filter((domain) => domain >= 0)
  const names = domains.map((domain) => scene.data.names[domain])
  return [names.join(' + '), domains.map(scene.paint.code).join('+')]
}

interface Box {
  readonly x: number
  readonly width: number
}

function drawRunText(ctx: Context, scene: Scene, row: Row, run: SignatureRun & Box): void {
  const y = row.y + row.height / 2 - (run.secondary >= 0 ? 1 : 0)
  ctx.font = `500 11px ${scene.paint.font}`
  const label = labels(scene, run).find((text) => ctx.measureText(text).width + 12 <= run.width)
  if (label === undefined) return
  ctx.fillStyle = scene.paint.ink
  ctx.fillText(label, run.x + 6, y)
  if (run.resisted < 3) return
  const used = ctx.measureText(label).width + 12
  ctx.font = `10.5px ${scene.paint.font}`
  const count = `${run.resisted} resisted`
  const width = ctx.measureText(count).width
  if (used + width + 18 > run.width) return
  ctx.fillStyle = scene.paint.warn
  ctx.fillText(count, run.x + run.width - width - 6, y)
}

/** One run: tinted with its primary, underlined with its secondary, topped where turns were resisted. */
function drawRun(ctx: Context, scene: Scene, row: Row, run: SignatureRun): void {
  // A run may start far left of the view: keep its label in sight.
  const x = Math.max(-8, edge(scene, run.from))
  const right = Math.min(scene.width + 8, edge(scene, run.to))
  const width = Math.max(1 / scene.dpr, right - x - (right - x > 4 ? 1 : 0))
  const color = scene.paint.domain(run.primary)
  ctx.save()
  ctx.beginPath()
  ctx.roundRect(x, row.y, width, row.height - 2, width > 14 ? 4 : 0)
  ctx.clip()
  // Opaque first: no grid line runs through the label.
  ctx.fillStyle = scene.paint.panel
  ctx.fillRect(x, row.y, width, row.height)
  ctx.globalAlpha = width > 12 ? scene.paint.tint : 0.5
  ctx.fillStyle = color
  ctx.fillRect(x, row.y, width, row.height)
  ctx.globalAlpha = 0.85
  if (width > 12) ctx.fillRect(x, row.y, 2.5, row.height)
  if (run.secondary >= 0) {
    ctx.fillStyle = scene.paint.domain(run.secondary)
    ctx.fillRect(x, row.y + row.height - 5, width, 3)
  }
  ctx.globalAlpha = 1
  if (width >= 24) {
    const shown = Math.max(0, x)
    const box = { x: shown + 2, width: Math.min(scene.width, right) - shown - 2 }
    drawRunText(ctx, scene, row, { ...run, ...box })
  }
  ctx.restore()
}

/** The signature band; by blocks when runs are too short to see. */
function drawSignature(ctx: Context, scene: Scene, row: Row): void {
  const runs = visibleRuns(scene.runs, scene.view)
  if (runs.length <= scene.width / 3) {
    for (const run of runs) drawRun(ctx, scene, row, run)
    return
  }
  const { level, first, end } = blocksOf(scene)
  for (let block = first; block < end; block++) {
    const { x, width } = boxOf(scene, level, block)
    ctx.globalAlpha = 0.45
    ctx.fillStyle = scene.paint.domain(level.primary[block] ?? -1)
    ctx.fillRect(x, row.y, width, row.height - 2)
    const secondary = level.secondary[block] ?? -1
    if (secondary < 0) continue
    ctx.globalAlpha = 0.95
    ctx.fillStyle = scene.paint.domain(secondary)
    ctx.fillRect(x, row.y + row.height - 5, width, 3)
  }
  ctx.globalAlpha = 1
}

function SignatureLabel({ told, data, styles }: LabelProps<TimelineData>) {
  const pair = [told?.primary ?? -1, told?.secondary ?? -1].flatMap((domain) => {
    const name = data.names[domain]
    return name === undefined ? [] : [styles.get(name).code]
  })
  return (
    <>
      <span className="tl-name">signature</span>
      <span className="tl-value">{pair.join('+')}</span>
    </>
  )
}

/** Runs of turns under one signature. */
export const signatureLane = lane({
  id: 'signature',
  place: 'below',
  prepare: ({ data }) => data,
  size: () => ({ height: 20, gap: 1, drop: 8 }),
  draw: drawSignature,
  legend: {
    name: 'signature',
    text: 'The domains in force: tinted with the primary, underlined with the secondary. A new box begins where they change.',
  },
  Label: SignatureLabel,
})
